//! Contexts: devices, the properties they were made with, and callbacks.
//!
//! Invariant: callbacks run with no lock held. Not here: the objects made in a context; each holds
//! an `Arc` of it.

use std::any::Any;
use std::borrow::Cow;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_context, cl_context_properties};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;
use muxcl_types::device::{ContextRequirements, DeviceDesc, Vecz};

use super::check;
use super::device::Device;
use super::device_queues::DeviceQueues;
use super::storage::{DeviceSet, MemoryDomains};
use super::svm::SvmHeap;
use super::terminate::Termination;
use crate::checked::UserData;
use crate::error::{ClError, ClResult};
use crate::explain::{CallbackContext, violated};
use crate::object::{self, Borrowed, ClObject, HandleHeader};

/// The error callback of `clCreateContext`.
pub type NotifyFn = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);
/// The callback of `clSetContextDestructorCallback`.
pub type DestructorFn = unsafe extern "C" fn(cl_context, *mut c_void);

/// The interface of a context to its command queues.
pub(super) trait ContextQueue: std::fmt::Debug + Send + Sync {
    /// Submits all pending commands to the device.
    fn flush(&self) -> ClResult<()>;
    /// Waits until all commands have completed.
    fn finish(&self) -> ClResult<()>;
}

/// `cl_context`
#[derive(Debug)]
pub struct Context {
    head: HandleHeader<Self>,
    set: Arc<DeviceSet>,
    /// Keeps the devices open for the lifetime of the context.
    _in_use: Vec<Box<dyn Any + Send + Sync>>,
    /// As passed by the application, with the final zero; empty without properties.
    properties: Vec<cl_context_properties>,
    notify: Option<(NotifyFn, UserData, CallbackContext)>,
    destructors: Mutex<Vec<(DestructorFn, UserData)>>,
    svm: SvmHeap,
    /// Queues of the context. Some may have been released.
    queues: Mutex<Vec<Weak<dyn ContextQueue>>>,
    device_queues: DeviceQueues,
    /// Requirements of the context on kernels.
    requirements: ContextRequirements,
    /// Termination state; `None` without `CL_CONTEXT_TERMINATE_KHR`.
    termination: Option<Termination>,
    /// Counts this context. Fields are dropped in order, so the devices are closed by then.
    _counted: CountedContext,
}

/// Number of contexts.
static CONTEXTS: AtomicUsize = AtomicUsize::new(0);

/// Counts live contexts. When the last one ends, a profile is reported.
#[derive(Debug)]
struct CountedContext(());

impl CountedContext {
    fn new() -> Self {
        CONTEXTS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for CountedContext {
    fn drop(&mut self) {
        if CONTEXTS.fetch_sub(1, Ordering::AcqRel) == 1
            && let Some(profile) = mux::profile::active()
        {
            profile.all_released();
        }
    }
}

impl ClObject for Context {
    type Raw = sys::_cl_context;
    const TAG: u32 = u32::from_le_bytes(*b"cont");
    const INVALID: ClError = ClError::INVALID_CONTEXT;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

/// True if commands may begin: the context has not been terminated.
impl mux::Condition for Context {
    fn check(&self) -> Result<(), mux::MuxError> {
        if self.is_terminated() { Err(mux::MuxError::DependencyFailed) } else { Ok(()) }
    }
}

impl Context {
    /// A context with one application reference. `devices` has no duplicates and at least one.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`; `CL_OUT_OF_RESOURCES` for more devices than one context can have.
    pub fn new(
        devices: Vec<Arc<Device>>,
        properties: Vec<cl_context_properties>,
        requirements: ContextRequirements,
        notify: Option<(NotifyFn, UserData)>,
    ) -> ClResult<Arc<Self>> {
        let requirements = ContextRequirements {
            checks: check::requested(),
            counts: mux::profile::active().is_some(),
            ..requirements
        };
        let in_use = devices.iter().filter_map(|device| device.mux().keep_in_use()).collect();
        let set = Arc::new(DeviceSet::new(devices)?);
        object::create(|head| {
            let destructors = Mutex::new(Rank::Context, Vec::new());
            let queues = Mutex::new(Rank::Context, Vec::new());
            let (svm, device_queues) = (SvmHeap::default(), DeviceQueues::default());
            let termination = requirements.stoppable.then(Termination::default);
            let notify = notify.map(|(notify, data)| (notify, data, CallbackContext::new()));
            Ok(Self {
                head,
                set,
                _in_use: in_use,
                properties,
                notify,
                destructors,
                svm,
                queues,
                device_queues,
                requirements,
                termination,
                _counted: CountedContext::new(),
            })
        })
    }

    /// The context of a handle, for calls that refuse a terminated context.
    ///
    /// # Errors
    /// `CL_INVALID_CONTEXT`, `CL_CONTEXT_TERMINATED_KHR`.
    pub fn live<'a>(handle: cl_context) -> ClResult<Borrowed<'a, Self>> {
        let context = object::borrow::<Self>(handle)?;
        context.alive()?;
        Ok(context)
    }

    /// # Errors
    /// `CL_CONTEXT_TERMINATED_KHR` if the context has been terminated.
    pub fn alive(&self) -> ClResult<()> {
        if self.is_terminated() {
            return Err(violated!(CONTEXT_TERMINATED_KHR, "if the context has been terminated"));
        }
        Ok(())
    }

    /// True if the context has been terminated.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        self.termination.as_ref().is_some_and(Termination::is_over)
    }

    /// The termination state; `None` if the context was created without `CL_CONTEXT_TERMINATE_KHR`.
    #[must_use]
    pub fn termination(&self) -> Option<&Termination> {
        self.termination.as_ref()
    }

    /// `clTerminateContextKHR`
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` if the context was created without `CL_CONTEXT_TERMINATE_KHR`,
    /// `CL_CONTEXT_TERMINATED_KHR` if it has been terminated before.
    pub fn terminate(&self) -> ClResult<()> {
        self.termination.as_ref().ok_or(ClError::INVALID_OPERATION)?.terminate()?;
        self.report("the context has been terminated");
        Ok(())
    }

    /// Requirements of the context on kernels.
    #[must_use]
    pub fn requirements(&self) -> ContextRequirements {
        self.requirements
    }

    /// The description of a device that the compiler gets for programs of this context.
    #[must_use]
    pub fn desc<'a>(&self, device: &'a Device) -> Cow<'a, DeviceDesc> {
        if self.requirements == ContextRequirements::default() {
            Cow::Borrowed(device.desc())
        } else {
            let desc = device.desc();
            let counts = desc.hal.is_none() && self.requirements.counts;
            let requirements = ContextRequirements { counts, ..self.requirements };
            let desc = DeviceDesc { requirements, ..desc.clone() };
            // Work-items that share shadow memory cannot be lanes of a vector.
            let vecz = if self.requirements.checks.any() { Vecz::Off } else { desc.vecz };
            Cow::Owned(DeviceDesc { vecz, ..desc })
        }
    }

    /// The devices of the context, without duplicates.
    #[must_use]
    pub fn devices(&self) -> &[Arc<Device>] {
        self.set.devices()
    }

    /// The memory domains; `None` if all devices share the host's memory.
    #[must_use]
    pub fn domains(&self) -> Option<&MemoryDomains> {
        self.set.domains()
    }

    /// Devices and memory domains, for objects that do not keep the context.
    #[must_use]
    pub fn device_set(&self) -> &Arc<DeviceSet> {
        &self.set
    }

    /// The index of `device` among the context's devices.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` if it is not one of them.
    pub fn device_index(&self, device: &Device) -> ClResult<usize> {
        self.devices().iter().position(|d| d.is(device)).ok_or(ClError::INVALID_DEVICE)
    }

    /// Registers a new queue.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub(super) fn has_queue(&self, queue: Weak<dyn ContextQueue>) -> ClResult<()> {
        let mut list = self.queues.lock();
        if list.len() == list.capacity() {
            list.retain(|q| q.strong_count() != 0);
        }
        list.try_reserve(1)?;
        list.push(queue);
        Ok(())
    }

    /// The device-side queues of the context.
    #[must_use]
    pub fn device_queues(&self) -> &DeviceQueues {
        &self.device_queues
    }

    /// Waits until all commands enqueued so far on the context's queues have completed.
    ///
    /// # Errors
    /// The error of a queue.
    pub fn finish(&self) -> ClResult<()> {
        let queues: Vec<Arc<dyn ContextQueue>> =
            self.queues.lock().iter().filter_map(Weak::upgrade).collect();
        for queue in &queues {
            queue.flush()?;
        }
        queues.iter().try_for_each(|queue| queue.finish())
    }

    /// The shared virtual memory of the context.
    #[must_use]
    pub fn svm(&self) -> &SvmHeap {
        &self.svm
    }

    /// True if a device of the context supports shared virtual memory.
    #[must_use]
    pub fn has_svm(&self) -> bool {
        self.devices().iter().any(|d| d.has_svm())
    }

    /// True if kernels of a device of the context accept addresses of buffers.
    #[must_use]
    pub fn has_device_addresses(&self) -> bool {
        self.devices().iter().any(|d| d.has_extension("cl_ext_buffer_device_address"))
    }

    /// True if a device of the context supports images.
    #[must_use]
    pub fn has_images(&self) -> bool {
        self.devices().iter().any(|d| d.info().images)
    }

    /// `CL_CONTEXT_PROPERTIES`
    #[must_use]
    pub fn properties(&self) -> &[cl_context_properties] {
        &self.properties
    }

    /// True if both are the same context.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// Calls the application's error callback.
    pub fn report(&self, message: &str) {
        tracing::warn!(target: "cl::context", "{message}");
        if self.has_callback() {
            let text = std::ffi::CString::new(message.replace('\0', " ")).unwrap_or_default();
            self.notify(text.as_bytes_with_nul());
        }
    }

    /// True if the application gave an error callback.
    pub(crate) fn has_callback(&self) -> bool {
        self.notify.is_some()
    }

    /// Calls the application's error callback with a text that ends with a NUL.
    pub(crate) fn notify(&self, text: &[u8]) {
        debug_assert!(text.ends_with(&[0]), "a C string");
        if let Some((notify, data, _)) = &self.notify {
            muxcl_lock::assert_none_held();
            // SAFETY: the application passed this function for such calls; the text lives until it
            // returns.
            unsafe { notify(text.as_ptr().cast(), std::ptr::null(), 0, data.0) };
        }
    }

    /// Registers a callback for the context's end; the last one registered is called first.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn on_destroy(&self, callback: DestructorFn, data: UserData) -> ClResult<()> {
        let mut list = self.destructors.lock();
        list.try_reserve(1)?;
        list.push((callback, data));
        Ok(())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let list = std::mem::take(self.destructors.get_mut());
        let handle = self.handle();
        for (callback, data) in list.into_iter().rev() {
            // SAFETY: the application gave this function for this call.
            unsafe { callback(handle, data.0) };
        }
    }
}
