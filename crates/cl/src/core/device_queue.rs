//! Queues on a device, into which kernels enqueue kernels. The application only makes them, asks
//! for their facts, and hands them to kernels: what takes a queue of the host refuses them.
//!
//! Invariant: a context has at most one default queue for each device; it is the application's, the
//! context only knows it. Not here: what is enqueued in them (the targets).

use std::sync::{Arc, Weak};

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_command_queue, cl_command_queue_properties, cl_queue_properties};
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;

use super::context::Context;
use super::device::Device;
use super::memory::allocation_error;
use crate::error::{ClError, ClResult};
use crate::object::{self, ClObject, Head};

/// `cl_command_queue` made with `CL_QUEUE_ON_DEVICE`
#[derive(Debug)]
pub struct DeviceQueue {
    head: Head<Self>,
    context: Arc<Context>,
    device: Arc<Device>,
    mux: mux::DeviceQueue,
    properties: cl_command_queue_properties,
    /// `CL_QUEUE_PROPERTIES_ARRAY`: as given, with the final zero.
    property_list: Vec<cl_queue_properties>,
    size: u32,
}

impl ClObject for DeviceQueue {
    type Raw = sys::_cl_command_queue;
    const TAG: u32 = u32::from_le_bytes(*b"dqeu");
    const INVALID: ClError = ClError::INVALID_COMMAND_QUEUE;
    const REACHABLE: bool = true;
    fn head(&self) -> &Head<Self> {
        &self.head
    }
}

/// A context's queues on devices.
#[derive(Debug)]
pub struct DeviceQueues {
    lists: Mutex<Lists>,
}

#[derive(Debug, Default)]
struct Lists {
    /// All that live, and some that are gone.
    all: Vec<Weak<DeviceQueue>>,
    /// By index of the device in the context; may be shorter.
    defaults: Vec<Weak<DeviceQueue>>,
}

impl Default for DeviceQueues {
    fn default() -> Self {
        Self { lists: Mutex::new(Rank::Context, Lists::default()) }
    }
}

impl DeviceQueues {
    /// The default queue of the device at `index` in the context.
    #[must_use]
    pub fn default_of(&self, index: usize) -> Option<Arc<DeviceQueue>> {
        self.lists.lock().defaults.get(index)?.upgrade()
    }

    /// `clSetDefaultDeviceCommandQueue`
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn set_default(&self, index: usize, queue: &Arc<DeviceQueue>) -> ClResult<()> {
        let mut lists = self.lists.lock();
        let missing = (index + 1).saturating_sub(lists.defaults.len());
        lists.defaults.try_reserve(missing)?;
        while lists.defaults.len() <= index {
            lists.defaults.push(Weak::new());
        }
        lists.defaults[index] = Arc::downgrade(queue);
        Ok(())
    }

    /// Enters a new queue unless its device has `most` of them (`CL_DEVICE_MAX_ON_DEVICE_QUEUES`
    /// in one context), the default queue included.
    fn enter(&self, queue: &Arc<DeviceQueue>, most: u32) -> ClResult<()> {
        let mut lists = self.lists.lock();
        lists.all.retain(|q| q.strong_count() != 0);
        let others = lists.all.iter().filter_map(Weak::upgrade).collect::<Vec<_>>();
        let count = others.iter().filter(|q| q.device.is(&queue.device)).count();
        let room = count < most as usize && lists.all.try_reserve(1).is_ok();
        if room {
            lists.all.push(Arc::downgrade(queue));
        }
        // Unlock first: dropping the last reference of a queue takes this lock.
        drop(lists);
        drop(others);
        if room { Ok(()) } else { Err(ClError::OUT_OF_RESOURCES) }
    }
}

impl DeviceQueue {
    /// A queue, or the default queue there is already, with one more application reference.
    /// `properties` and `size` are checked.
    ///
    /// # Errors
    /// `CL_INVALID_QUEUE_PROPERTIES` if the device has no such queues, `CL_OUT_OF_RESOURCES` if it
    /// has as many as it can have, `CL_OUT_OF_HOST_MEMORY`.
    pub fn make(
        context: Arc<Context>,
        device: Arc<Device>,
        properties: cl_command_queue_properties,
        size: u32,
        property_list: Vec<cl_queue_properties>,
    ) -> ClResult<cl_command_queue> {
        let index = context.device_index(&device)?;
        let limits = device.info().device_queues.ok_or(ClError::INVALID_QUEUE_PROPERTIES)?;
        let default = properties & sys::CL_QUEUE_ON_DEVICE_DEFAULT != 0;
        // "If a default device queue has already been created, each call with CL_QUEUE_ON_DEVICE
        // and CL_QUEUE_ON_DEVICE_DEFAULT will return the default device queue that has already been
        // created and increment its retain count by 1."
        if let Some(known) = context.device_queues().default_of(index).filter(|_| default) {
            object::retain::<Self>(known.handle())?;
            return Ok(known.handle());
        }
        let mux =
            device.mux().create_device_queue(size).map_err(|error| allocation_error(&error))?;
        let made = object::create(|head| {
            Ok(Self { head, context, device, mux, properties, property_list, size })
        })?;
        let queues = made.context.device_queues();
        let entered = queues.enter(&made, limits.max_queues);
        let entered =
            entered.and_then(|()| if default { queues.set_default(index, &made) } else { Ok(()) });
        match entered {
            Ok(()) => Ok(made.handle()),
            Err(error) => {
                object::release::<Self>(made.handle())?;
                Err(error)
            }
        }
    }

    /// Its context.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Its device.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The queue below.
    #[must_use]
    pub fn mux(&self) -> &mux::DeviceQueue {
        &self.mux
    }

    /// `CL_QUEUE_PROPERTIES`
    #[must_use]
    pub fn properties(&self) -> cl_command_queue_properties {
        self.properties
    }

    /// `CL_QUEUE_PROPERTIES_ARRAY`
    #[must_use]
    pub fn property_list(&self) -> &[cl_queue_properties] {
        &self.property_list
    }

    /// `CL_QUEUE_SIZE`
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }
}
