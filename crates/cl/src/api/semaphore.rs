//! Semaphores (`cl_khr_semaphore`), and their exchange with other contexts, processes and programs
//! (`cl_khr_external_semaphore`).

use std::ffi::{c_int, c_void};
use std::os::fd::IntoRawFd as _;
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    cl_bool, cl_command_queue, cl_context, cl_device_id, cl_event,
    cl_external_semaphore_handle_type_khr, cl_semaphore_info_khr, cl_semaphore_khr,
    cl_semaphore_payload_khr, cl_semaphore_properties_khr, cl_semaphore_reimport_properties_khr,
    cl_semaphore_type_khr, cl_uint,
};
use muxcl_mux as mux;
use muxcl_os::{ExternalError, Fence, SharedSignal, close_descriptor};

use super::enqueue::Enqueue;
use super::external_memory::descriptor;
use crate::checked;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::queue::CommandRequest;
use crate::core::semaphore::{Origin, PendingSignal, Semaphore};
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::info::InfoOut;
use crate::object::{self, Borrowed, ClObject as _, borrow};

const TYPE: cl_semaphore_properties_khr = sys::CL_SEMAPHORE_TYPE_KHR as cl_semaphore_properties_khr;
const DEVICES: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as cl_semaphore_properties_khr;
const BINARY: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_TYPE_BINARY_KHR as cl_semaphore_properties_khr;

const EXPORTS: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR as cl_semaphore_properties_khr;
const OPAQUE_FD: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR as cl_semaphore_properties_khr;
const SYNC_FD: cl_semaphore_properties_khr =
    sys::CL_SEMAPHORE_HANDLE_SYNC_FD_KHR as cl_semaphore_properties_khr;

/// `CL_DEVICE_SEMAPHORE_{IMPORT,EXPORT}_HANDLE_TYPES_KHR`: for every device.
pub(super) const HANDLE_TYPES: [cl_external_semaphore_handle_type_khr; 2] =
    [sys::CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sys::CL_SEMAPHORE_HANDLE_SYNC_FD_KHR];

/// A parsed property list: the type, the devices, the types for exports, the imported handle (its
/// type and number), and the list itself.
struct Wanted {
    kind: Option<cl_semaphore_properties_khr>,
    devices: Option<Vec<cl_semaphore_properties_khr>>,
    exports: Option<Vec<cl_semaphore_properties_khr>>,
    handle: Option<(cl_semaphore_properties_khr, c_int)>,
    raw: Vec<cl_semaphore_properties_khr>,
}

fn read(list: *const cl_semaphore_properties_khr) -> ClResult<Wanted> {
    let mut wanted =
        Wanted { kind: None, devices: None, exports: None, handle: None, raw: Vec::new() };
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
            name @ (DEVICES | EXPORTS) => {
                let mut values = Vec::new();
                loop {
                    match next(&mut wanted.raw)? {
                        0 => break,
                        value => {
                            values.try_reserve(1)?;
                            values.push(value);
                        }
                    }
                }
                let list = if name == DEVICES { &mut wanted.devices } else { &mut wanted.exports };
                if list.replace(values).is_some() {
                    return Err(ClError::INVALID_PROPERTY);
                }
            }
            // CL_INVALID_PROPERTY if sema_props includes more than one external semaphore handle.
            name @ (OPAQUE_FD | SYNC_FD) => {
                let number = descriptor(next(&mut wanted.raw)?);
                let number = number.ok_or(ClError::INVALID_PROPERTY)?;
                if wanted.handle.replace((name, number)).is_some() {
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
        _ => {
            return Err(violated!(
                INVALID_PROPERTY,
                "if the context has several devices, and the properties name none"
            ));
        }
    };
    let Wanted { exports, handle, raw, .. } = wanted;
    let Some((kind, number)) = handle else {
        let origin = exported(exports.as_deref())?;
        return Ok(Semaphore::new(context.keep(), device, raw, origin)?.handle());
    };
    if exports.is_some() {
        return Err(violated!(INVALID_OPERATION, "if a semaphore shall both import and export"));
    }
    let semaphore = if kind == OPAQUE_FD {
        let signal = SharedSignal::from_descriptor(number).map_err(refused)?;
        let origin = Origin::OpaqueImport(Arc::new(signal));
        Semaphore::new(context.keep(), device, raw, origin)?
    } else {
        let fence = sync_file(number).map_err(refused)?;
        let semaphore = Semaphore::new(context.keep(), device, raw, Origin::SyncImport)?;
        // There is no wait yet, so this cannot fail.
        semaphore.import(fence)?;
        semaphore
    };
    take(number);
    Ok(semaphore.handle())
}

/// The origin of a semaphore that can be exported as the types in a list.
fn exported(types: Option<&[cl_semaphore_properties_khr]>) -> ClResult<Origin> {
    match types {
        None | Some([]) => Ok(Origin::Local),
        Some([SYNC_FD]) => Ok(Origin::SyncExport),
        Some([OPAQUE_FD]) => match SharedSignal::new() {
            Ok(signal) => Ok(Origin::OpaqueExport(Arc::new(signal))),
            Err(error) => Err(refused(error.into())),
        },
        // CL_INVALID_PROPERTY if the value specified for a supported property name is not valid.
        Some([_]) => Err(ClError::INVALID_PROPERTY),
        // CL_INVALID_VALUE if more than one semaphore handle type is specified in the
        // CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR list.
        Some(_) => Err(ClError::INVALID_VALUE),
    }
}

/// The fence of a sync file. "The special value -1 for fd is treated like a valid sync file
/// descriptor referring to an object that has already signaled."
fn sync_file(number: c_int) -> Result<Option<Fence>, ExternalError> {
    if number == -1 { Ok(None) } else { Fence::from_sync_file(number).map(Some) }
}

/// Closes a descriptor whose import has succeeded.
fn take(number: c_int) {
    if number != -1 {
        // SAFETY: "Importing a semaphore payload from a file descriptor transfers ownership of the
        // file descriptor from the application to the OpenCL implementation."
        unsafe { close_descriptor(number) };
    }
}

/// CL_INVALID_PROPERTY if the handle is not one of its type; CL_OUT_OF_RESOURCES.
fn refused(error: ExternalError) -> ClError {
    match error {
        ExternalError::System(error) => {
            tracing::debug!(target: "cl::semaphore", "{error}");
            ClError::OUT_OF_RESOURCES
        }
        ExternalError::WrongKind | ExternalError::TooShort => ClError::INVALID_PROPERTY,
    }
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
        if !semaphore.device().is(enqueue.queue.device()) {
            return Err(violated!(
                INVALID_COMMAND_QUEUE,
                "if a semaphore was created for other devices than the queue's"
            ));
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
    let pending: Vec<PendingSignal> = list.iter().map(|s| PendingSignal::new(s.keep())).collect();
    let call = move || pending.iter().for_each(PendingSignal::run);
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
        sys::CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => match export_type(&semaphore) {
            Some(kind) => out.write(kind),
            None => out.write_slice::<cl_external_semaphore_handle_type_khr>(&[]),
        },
        sys::CL_SEMAPHORE_EXPORTABLE_KHR => {
            out.write::<cl_bool>(export_type(&semaphore).map_or(sys::CL_FALSE, |_| sys::CL_TRUE))
        }
        _ => Err(violated!(INVALID_VALUE, "if param_name is no query of this call")),
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

/// The type of handle that a semaphore can be exported as.
fn export_type(semaphore: &Semaphore) -> Option<cl_external_semaphore_handle_type_khr> {
    match semaphore.origin() {
        Origin::OpaqueExport(_) => Some(sys::CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
        Origin::SyncExport => Some(sys::CL_SEMAPHORE_HANDLE_SYNC_FD_KHR),
        Origin::Local | Origin::OpaqueImport(_) | Origin::SyncImport => None,
    }
}

#[cl_entry(clGetSemaphoreHandleForTypeKHR)]
fn get_semaphore_handle_for_type_khr(
    sema_object: cl_semaphore_khr,
    device: cl_device_id,
    handle_type: cl_external_semaphore_handle_type_khr,
    handle_size: usize,
    handle_ptr: *mut c_void,
    handle_size_ret: *mut usize,
) -> Result<(), ClError> {
    // CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore.
    let semaphore = borrow::<Semaphore>(sema_object)?;
    if !semaphore.device().is(&*borrow::<Device>(device)?) {
        return Err(violated!(INVALID_DEVICE, "if the device is none of the semaphore's"));
    }
    if export_type(&semaphore) != Some(handle_type) {
        return Err(violated!(
            INVALID_VALUE,
            "if the semaphore was not created to export this kind of handle"
        ));
    }
    if !handle_ptr.is_null() && handle_size < size_of::<c_int>() {
        return Err(violated!(INVALID_VALUE, "if handle_size is too small for the handle"));
    }
    if !handle_ptr.is_null() {
        let number = if handle_type == sys::CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR {
            semaphore.export()?.into_raw_fd()
        } else {
            // "...the option for implementations to return a -1 file descriptor when exporting a
            // CL_SEMAPHORE_HANDLE_SYNC_FD_KHR from a cl_semaphore_khr which is signaled."
            semaphore.take_for_export()?;
            -1
        };
        // SAFETY: not NULL, so it has `handle_size` writable bytes, which are enough.
        unsafe { handle_ptr.cast::<c_int>().write_unaligned(number) };
    }
    checked::out(handle_size_ret, size_of::<c_int>());
    Ok(())
}

#[cl_entry(clReImportSemaphoreSyncFdKHR)]
fn re_import_semaphore_sync_fd_khr(
    sema_object: cl_semaphore_khr,
    reimport_props: *mut cl_semaphore_reimport_properties_khr,
    fd: c_int,
) -> Result<(), ClError> {
    // CL_INVALID_SEMAPHORE_KHR if sema_object is not a valid semaphore, or if a
    // CL_SEMAPHORE_HANDLE_SYNC_FD_KHR handle was not imported when sema_object was created.
    let semaphore = borrow::<Semaphore>(sema_object)?;
    if !matches!(semaphore.origin(), Origin::SyncImport) {
        return Err(ClError::INVALID_SEMAPHORE_KHR);
    }
    // "This extension does not define any optional properties."
    let (properties, _) = checked::properties(reimport_props.cast_const())?;
    if !properties.is_empty() {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_VALUE if fd is invalid.
    let fence = sync_file(fd).map_err(|error| {
        let error = refused(error);
        if error == ClError::INVALID_PROPERTY { ClError::INVALID_VALUE } else { error }
    })?;
    semaphore.import(fence)?;
    take(fd);
    Ok(())
}
