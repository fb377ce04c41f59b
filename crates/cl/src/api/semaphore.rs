//! Semaphores (`cl_khr_semaphore`).

use std::ffi::c_void;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_command_queue, cl_context, cl_device_id, cl_event, cl_external_semaphore_handle_type_khr,
    cl_semaphore_info_khr, cl_semaphore_khr, cl_semaphore_payload_khr, cl_semaphore_properties_khr,
    cl_semaphore_type_khr, cl_uint,
};
use muxcl_mux as mux;

use super::enqueue::Enqueue;
use crate::checked;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::queue::CommandRequest;
use crate::core::semaphore::Semaphore;
use crate::error::{ClError, ClResult};
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

const TYPE: cl_semaphore_properties_khr = sys::CL_SEMAPHORE_TYPE_KHR as cl_semaphore_properties_khr;
const DEVICES: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as cl_semaphore_properties_khr;
const BINARY: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_TYPE_BINARY_KHR as cl_semaphore_properties_khr;

/// A parsed property list: the type, the devices, and the list itself.
struct Wanted {
    kind: Option<cl_semaphore_properties_khr>,
    devices: Option<Vec<cl_semaphore_properties_khr>>,
    raw: Vec<cl_semaphore_properties_khr>,
}

fn read(list: *const cl_semaphore_properties_khr) -> ClResult<Wanted> {
    let mut wanted = Wanted { kind: None, devices: None, raw: Vec::new() };
    loop {
        let next =
            |raw: &mut Vec<cl_semaphore_properties_khr>| -> ClResult<cl_semaphore_properties_khr> {
                raw.try_reserve(1)?;
                let at = list.wrapping_add(raw.len());
                // SAFETY: the list ends with a zero in place of a name, which has not been read
                // yet.
                let value = unsafe { at.read_unaligned() };
                raw.push(value);
                Ok(value)
            };
        // CL_INVALID_PROPERTY if a property name in sema_props is not a supported property name, if
        // the value specified for a supported property name is not valid, or if the same property
        // name is specified more than once.
        match next(&mut wanted.raw)? {
            0 => return Ok(wanted),
            TYPE => {
                let kind = next(&mut wanted.raw)?;
                if kind != BINARY || wanted.kind.replace(kind).is_some() {
                    return Err(ClError::INVALID_PROPERTY);
                }
            }
            DEVICES => {
                let mut devices = Vec::new();
                loop {
                    match next(&mut wanted.raw)? {
                        0 => break,
                        device => {
                            devices.try_reserve(1)?;
                            devices.push(device);
                        }
                    }
                }
                if wanted.devices.replace(devices).is_some() {
                    return Err(ClError::INVALID_PROPERTY);
                }
            }
            _ => return Err(ClError::INVALID_PROPERTY),
        }
    }
}

#[cl_entry(clCreateSemaphoreWithPropertiesKHR)]
fn create_semaphore_with_properties_khr(
    context: cl_context,
    sema_props: *const cl_semaphore_properties_khr,
) -> Result<cl_semaphore_khr, ClError> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(context)?;
    // CL_INVALID_VALUE if sema_props is NULL, or if sema_props do not specify <property, value>
    // pairs for the minimum set of properties (i.e. CL_SEMAPHORE_TYPE_KHR) required for successful
    // creation of a cl_semaphore_khr.
    if sema_props.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    let wanted = read(sema_props)?;
    wanted.kind.ok_or(ClError::INVALID_VALUE)?;
    let device = match (wanted.devices.as_deref(), context.devices()) {
        // CL_INVALID_DEVICE if CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is specified as part of
        // sema_props, but it does not identify exactly one valid device; or if a device identified
        // by it is not one of the devices within context.
        (Some(&[one]), _) => {
            let address = usize::try_from(one).map_err(|_| ClError::INVALID_DEVICE)?;
            let device = borrow::<Device>(std::ptr::with_exposed_provenance_mut(address))?;
            context.device_index(&device)?;
            device.keep()
        }
        (Some(_), _) => return Err(ClError::INVALID_DEVICE),
        (None, [only]) => Arc::clone(only),
        // CL_INVALID_PROPERTY if context is a multiple device context and sema_props does not
        // specify CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR.
        _ => return Err(ClError::INVALID_PROPERTY),
    };
    Ok(Semaphore::new(context.keep(), device, wanted.raw)?.handle())
}

/// The semaphores of a command on `enqueue`'s queue.
fn semaphores<'a>(
    enqueue: &Enqueue<'_>,
    count: cl_uint,
    list: *const cl_semaphore_khr,
) -> ClResult<Vec<Borrowed<'a, Semaphore>>> {
    // CL_INVALID_VALUE if num_sema_objects is 0. The payloads mean nothing to binary semaphores.
    let handles = checked::slice(list, count as usize, ClError::INVALID_VALUE)?;
    if handles.is_empty() {
        return Err(ClError::INVALID_VALUE);
    }
    let mut found = Vec::new();
    found.try_reserve_exact(handles.len())?;
    for &handle in handles {
        // CL_INVALID_SEMAPHORE_KHR if any of the semaphore objects specified by sema_objects is not
        // valid.
        let semaphore = borrow::<Semaphore>(handle)?;
        // CL_INVALID_CONTEXT if the context associated with command_queue and any of the semaphore
        // objects are not the same.
        enqueue.same_context(semaphore.context())?;
        // CL_INVALID_COMMAND_QUEUE if the device associated with command_queue is not same as one
        // of the devices specified by CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR at the time of creating
        // one or more of sema_objects.
        if !semaphore.device().is(enqueue.queue.device()) {
            return Err(ClError::INVALID_COMMAND_QUEUE);
        }
        found.push(semaphore);
    }
    enqueue.no_failed_waits()?;
    Ok(found)
}

#[cl_entry(clEnqueueWaitSemaphoresKHR)]
fn enqueue_wait_semaphores_khr(
    command_queue: cl_command_queue,
    num_sema_objects: cl_uint,
    sema_objects: *const cl_semaphore_khr,
    _sema_payload_list: *const cl_semaphore_payload_khr,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let list = semaphores(&enqueue, num_sema_objects, sema_objects)?;
    let mut signals: Vec<Option<mux::Semaphore>> = Vec::new();
    signals.try_reserve_exact(list.len())?;
    let mut wait = || {
        for semaphore in &list {
            signals.push(semaphore.take()?);
            if let Some(signaller) = semaphore.signaller()
                && !signaller.is(&enqueue.queue)
            {
                // A wait for an event of another queue flushes that queue as well.
                signaller.flush()?;
            }
        }
        let request = CommandRequest {
            semaphores: signals.iter().flatten().cloned().collect(),
            ..enqueue.request(sys::CL_COMMAND_SEMAPHORE_WAIT_KHR, false, 0)
        };
        enqueue.submit(request, |_| Ok(()))
    };
    let result = wait();
    if result.is_err() {
        // Only the semaphores taken so far have an entry in `signals`.
        for (semaphore, signal) in list.iter().zip(&signals) {
            semaphore.give_back(signal.as_ref());
        }
    }
    result
}

#[cl_entry(clEnqueueSignalSemaphoresKHR)]
fn enqueue_signal_semaphores_khr(
    command_queue: cl_command_queue,
    num_sema_objects: cl_uint,
    sema_objects: *const cl_semaphore_khr,
    _sema_payload_list: *const cl_semaphore_payload_khr,
    num_events_in_wait_list: cl_uint,
    event_wait_list: *const cl_event,
    event: *mut cl_event,
) -> Result<(), ClError> {
    let enqueue = Enqueue::new(command_queue, num_events_in_wait_list, event_wait_list, event)?;
    let list = semaphores(&enqueue, num_sema_objects, sema_objects)?;
    let kept: Vec<Arc<Semaphore>> = list.iter().map(|s| s.keep()).collect();
    let call = move || {
        for semaphore in &kept {
            semaphore.signal();
        }
    };
    enqueue
        .submit(enqueue.request(sys::CL_COMMAND_SEMAPHORE_SIGNAL_KHR, false, 1), |commands| {
            commands.host_function(call).map(|_| ())
        })?;
    let queue = enqueue.queue.keep();
    let mut awaited = false;
    for semaphore in &list {
        awaited |= semaphore.signal_enqueued(&queue);
    }
    if awaited { queue.flush() } else { Ok(()) }
}

#[cl_entry(clGetSemaphoreInfoKHR)]
fn get_semaphore_info_khr(
    sema_object: cl_semaphore_khr,
    param_name: cl_semaphore_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore.
    let semaphore = borrow::<Semaphore>(sema_object)?;
    let out = InfoOut::new(param_value_size, param_value, param_value_size_ret);
    let _written = match param_name {
        sys::CL_SEMAPHORE_CONTEXT_KHR => out.write::<cl_context>(semaphore.context().handle()),
        sys::CL_SEMAPHORE_REFERENCE_COUNT_KHR => {
            out.write::<cl_uint>(object::references(&*semaphore))
        }
        sys::CL_SEMAPHORE_PROPERTIES_KHR => out.write_slice(semaphore.properties()),
        sys::CL_SEMAPHORE_TYPE_KHR => {
            out.write::<cl_semaphore_type_khr>(sys::CL_SEMAPHORE_TYPE_BINARY_KHR)
        }
        sys::CL_SEMAPHORE_PAYLOAD_KHR => {
            out.write::<cl_semaphore_payload_khr>(u64::from(semaphore.is_signalled()))
        }
        sys::CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR => {
            out.write::<cl_device_id>(semaphore.device().handle())
        }
        // CL_INVALID_VALUE if param_name is not one of the attributes.
        _ => Err(ClError::INVALID_VALUE),
    }?;
    Ok(())
}

#[cl_entry(clRetainSemaphoreKHR)]
fn retain_semaphore_khr(sema_object: cl_semaphore_khr) -> Result<(), ClError> {
    // CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore object.
    object::retain::<Semaphore>(sema_object)
}

#[cl_entry(clReleaseSemaphoreKHR)]
fn release_semaphore_khr(sema_object: cl_semaphore_khr) -> Result<(), ClError> {
    // CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore object.
    object::release::<Semaphore>(sema_object)
}

/// An entry point of `cl_khr_external_semaphore`, which no device supports: a semaphore has no
/// external handles. Applications may still look up the function. Its address does not mean that
/// the extension is supported (specification, section 4.1,
/// `clGetExtensionFunctionAddressForPlatform`).
#[cl_entry(clGetSemaphoreHandleForTypeKHR)]
fn get_semaphore_handle_for_type_khr(
    sema_object: cl_semaphore_khr,
    device: cl_device_id,
    _handle_type: cl_external_semaphore_handle_type_khr,
    _handle_size: usize,
    _handle_ptr: *mut c_void,
    _handle_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore.
    let semaphore = borrow::<Semaphore>(sema_object)?;
    // CL_INVALID_DEVICE if device is not a valid device, or if sema_object belongs to a context
    // that is not associated with it.
    semaphore.context().device_index(&*borrow::<Device>(device)?)?;
    // CL_INVALID_VALUE if the requested external semaphore handle type was not specified when
    // sema_object was created: no type can be.
    Err(ClError::INVALID_VALUE)
}
