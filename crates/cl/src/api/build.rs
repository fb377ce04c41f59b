//! Building, compiling and linking programs (specification, sections 5.8.2 to 5.8.5).
//!
//! With a callback, a step and the compiler run on a thread of their own. `clCompileProgram` and
//! `clLinkProgram` then return at once; `clBuildProgram` returns after the callback. Calls that
//! need the outcome of a step wait for it ([`Program::wait_for_builds`]). Not here: the steps
//! (`core::program`).

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use muxcl_cl_macros::cl_entry;
use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_context, cl_device_id, cl_program, cl_uint};
use muxcl_compiler_abi::Header;
use muxcl_types::container::BinaryKind;

use crate::checked::{self, UserData};
use crate::compiler_client;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::program::{BuildStep, Origin, Program};
use crate::entry::FailureValue as _;
use crate::error::{ClError, ClResult};
use crate::explain::violated;
use crate::object::{Borrowed, ClObject as _, borrow};

type NotifyFn = unsafe extern "C" fn(cl_program, *mut c_void);

/// Stack of a thread for a build with a callback, in bytes: for the application's callback. The
/// compiler runs elsewhere.
const STACK: usize = 8 << 20;

/// The callback of a build.
fn notify(
    pfn_notify: Option<NotifyFn>,
    user_data: *mut c_void,
) -> ClResult<Option<(NotifyFn, UserData)>> {
    match pfn_notify {
        Some(notify) => Ok(Some((notify, UserData(user_data)))),
        // CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL.
        None if !user_data.is_null() => Err(ClError::INVALID_VALUE),
        None => Ok(None),
    }
}

/// The indices of the listed devices among `program`'s devices; all devices without a list.
fn device_indices(
    program: &Program,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
) -> ClResult<Vec<usize>> {
    // CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if
    // device_list is not NULL and num_devices is zero.
    let list = checked::slice(device_list, num_devices as usize, ClError::INVALID_VALUE)?;
    if list.is_empty() {
        return Ok((0..program.devices().len()).collect());
    }
    let mut indices = Vec::new();
    for &device in list {
        // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated
        // with program.
        let index = program.device_index(&*borrow::<Device>(device)?)?;
        if !indices.contains(&index) {
            indices.try_reserve(1)?;
            indices.push(index);
        }
    }
    Ok(indices)
}

/// The options as text. If they are not UTF-8, returns `error` and writes a line to the build log
/// of `building`, the program and devices that are built.
fn options_text(
    options: *const c_char,
    building: Option<(&Program, &[usize])>,
    error: ClError,
) -> ClResult<String> {
    let Some(text) = checked::text(options) else { return Ok(String::new()) };
    let Ok(text) = text.to_str() else {
        if let Some((program, indices)) = building {
            program.log_refusal(indices, "the options are not UTF-8");
        }
        return Err(error);
    };
    let mut copy = String::new();
    copy.try_reserve_exact(text.len())?;
    copy.push_str(text);
    Ok(copy)
}

/// Runs a step on this thread, or on a thread of its own if the application gave a callback.
///
/// A build with a callback returns only after the callback. `PlaidML` 0.7.0 frees the callback's
/// data as soon as `clBuildProgram` returns, because other drivers call the callback before that.
/// The wait for the callback is bounded ([`Program::wait_for_builds`]).
fn run(
    program: Borrowed<'_, Program>,
    indices: Vec<usize>,
    step: BuildStep,
    options: String,
    notify: Option<(NotifyFn, UserData)>,
) -> ClResult<()> {
    program.begin(&indices, &options)?;
    let Some((notify, data)) = notify else {
        return program.run(&indices, &step, &options);
    };
    let kept = program.keep();
    let list = indices.clone();
    // A reference of this thread's own: another thread may release the program during the wait, to
    // cancel the build.
    let awaited = matches!(step, BuildStep::Build(_)).then(|| program.keep());
    // The thread owns one of the driver's references to the program, so that the handle stays valid
    // for the callback.
    let job = move || {
        let data = data;
        if let Err(error) = kept.run(&list, &step, &options) {
            tracing::debug!(target: "cl::program", "asynchronous build: {error}");
        }
        muxcl_lock::assert_none_held();
        // SAFETY: the application gave this function for this call.
        kept.call_back(|| unsafe { notify(kept.handle(), data.0) });
    };
    program.expect_callback(&indices);
    let started = muxcl_os::spawn_detached("muxcl-build", STACK, job);
    started.map_err(|error| {
        program.forget_callback();
        program.abandon(&indices, "no thread could be started for the build");
        program.context().report(&format!("no thread for an asynchronous build: {error}"));
        ClError::OUT_OF_RESOURCES
    })?;
    if let Some(awaited) = awaited {
        awaited.wait_for_builds();
    }
    Ok(())
}

#[cl_entry(clBuildProgram)]
fn build_program(
    program: cl_program,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    options: *const c_char,
    pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    let program = borrow::<Program>(program)?;
    let indices = device_indices(&program, num_devices, device_list)?;
    let notify = notify(pfn_notify, user_data)?;
    // CL_INVALID_BINARY if program is created with clCreateProgramWithBinary and devices listed in
    // device_list do not have a valid program binary loaded: every device of such a program has
    // one. CL_INVALID_BUILD_OPTIONS if the build options specified by options are invalid: the
    // compiler checks them.
    let options =
        options_text(options, Some((&program, &indices)), ClError::INVALID_BUILD_OPTIONS)?;
    // CL_COMPILER_NOT_AVAILABLE if program is created with clCreateProgramWithSource or
    // clCreateProgramWithIL and a compiler is not available, i.e. CL_DEVICE_COMPILER_AVAILABLE is
    // set to CL_FALSE.
    if matches!(program.origin(), Origin::Source | Origin::Il) && !compiler_client::available() {
        return Err(ClError::COMPILER_NOT_AVAILABLE);
    }
    // CL_INVALID_OPERATION if the build of a program executable for any of the devices listed in
    // device_list by a previous call to clBuildProgram for program has not completed: in
    // `Program::begin`. CL_INVALID_OPERATION if there are kernel objects attached to program.
    // CL_INVALID_OPERATION if program was not created with clCreateProgramWithSource,
    // clCreateProgramWithIL or clCreateProgramWithBinary.
    if program.has_kernels() || program.origin() == Origin::Linked {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_BUILD_PROGRAM_FAILURE if there is a failure to build the program executable.
    let constants = program.constants();
    run(program, indices, BuildStep::Build(constants), options, notify)
}

/// The headers of `clCompileProgram`.
fn headers(
    of: &Program,
    count: cl_uint,
    programs: *const cl_program,
    names: *mut *const c_char,
) -> ClResult<Vec<Header>> {
    // CL_INVALID_VALUE if num_input_headers is zero and header_include_names or input_headers are
    // not NULL or if num_input_headers is not zero and header_include_names or input_headers are
    // NULL.
    let programs = checked::slice(programs, count as usize, ClError::INVALID_VALUE)?;
    let names = checked::slice(names.cast_const(), count as usize, ClError::INVALID_VALUE)?;
    let mut out = Vec::new();
    out.try_reserve_exact(programs.len())?;
    for (&program, &name) in programs.iter().zip(names) {
        let program = borrow::<Program>(program)?;
        if !program.context().is(of.context()) {
            return Err(violated!(
                INVALID_CONTEXT,
                "if a header program belongs to another context"
            ));
        }
        let name = checked::text(name).ok_or(ClError::INVALID_VALUE)?;
        let mut text = Vec::new();
        text.try_reserve_exact(program.source().len())?;
        text.extend_from_slice(program.source());
        out.push(Header { name: name.to_string_lossy().into_owned(), text });
    }
    Ok(out)
}

#[cl_entry(clCompileProgram)]
fn compile_program(
    program: cl_program,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    options: *const c_char,
    num_input_headers: cl_uint,
    input_headers: *const cl_program,
    header_include_names: *mut *const c_char,
    pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    user_data: *mut c_void,
) -> Result<(), ClError> {
    // CL_INVALID_PROGRAM if program is not a valid program object.
    let program = borrow::<Program>(program)?;
    let indices = device_indices(&program, num_devices, device_list)?;
    // "If program was created using clCreateProgramWithIL, then num_input_headers, input_headers,
    // and header_include_names are ignored."
    let headers = match program.origin() {
        Origin::Il => Vec::new(),
        _ => headers(&program, num_input_headers, input_headers, header_include_names)?,
    };
    let notify = notify(pfn_notify, user_data)?;
    // CL_INVALID_COMPILER_OPTIONS if the compiler options specified by options are invalid: the
    // compiler checks them.
    let options =
        options_text(options, Some((&program, &indices)), ClError::INVALID_COMPILER_OPTIONS)?;
    // CL_INVALID_OPERATION if the compilation or build of a program executable for any of the
    // devices listed in device_list by a previous call has not completed: in `Program::begin`.
    // CL_INVALID_OPERATION if there are kernel objects attached to program. CL_INVALID_OPERATION if
    // program has no source or IL available, i.e. it has not been created with
    // clCreateProgramWithSource or clCreateProgramWithIL.
    if program.has_kernels() || !matches!(program.origin(), Origin::Source | Origin::Il) {
        return Err(ClError::INVALID_OPERATION);
    }
    if !compiler_client::available() {
        return Err(violated!(COMPILER_NOT_AVAILABLE, "if a device has no compiler"));
    }
    // CL_COMPILE_PROGRAM_FAILURE if there is a failure to compile the program source.
    let constants = program.constants();
    run(program, indices, BuildStep::Compile(headers, constants), options, notify)
}

/// The modules of `programs` to link for each of `devices`: one from every program, or none.
fn link_inputs(
    devices: &[Arc<Device>],
    programs: &[Borrowed<'_, Program>],
) -> ClResult<Vec<Vec<Vec<u8>>>> {
    let mut inputs = Vec::new();
    for device in devices {
        let mut modules = Vec::new();
        for program in programs {
            let binary = match program.device_index(device) {
                Ok(index) => {
                    // CL_INVALID_OPERATION if the compilation or build of a program executable for
                    // any of the devices ... has not completed.
                    if program.status(index)? == sys::CL_BUILD_IN_PROGRESS {
                        return Err(ClError::INVALID_OPERATION);
                    }
                    program.binary(index)?
                }
                Err(_) => None,
            };
            if let Some(binary) = binary.filter(|b| b.kind != BinaryKind::Executable) {
                modules.try_reserve(1)?;
                modules.push(binary.to_bytes());
            }
        }
        // CL_INVALID_OPERATION if the rules for devices containing compiled binaries or libraries
        // as described in input_programs argument above are not followed: all programs have one for
        // the device, or no program has.
        if !modules.is_empty() && modules.len() != programs.len() {
            return Err(ClError::INVALID_OPERATION);
        }
        inputs.try_reserve(1)?;
        inputs.push(modules);
    }
    if inputs.iter().all(Vec::is_empty) {
        return Err(ClError::INVALID_OPERATION);
    }
    Ok(inputs)
}

struct Link<'a> {
    context: cl_context,
    devices: (cl_uint, *const cl_device_id),
    options: *const c_char,
    programs: (cl_uint, *const cl_program),
    notify: Option<NotifyFn>,
    user_data: *mut c_void,
    made: &'a mut cl_program,
}

fn link(call: Link<'_>) -> ClResult<()> {
    // CL_INVALID_CONTEXT if context is not a valid context.
    let context = Context::live(call.context)?;
    // CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if
    // device_list is not NULL and num_devices is zero.
    let list = checked::slice(call.devices.1, call.devices.0 as usize, ClError::INVALID_VALUE)?;
    if call.programs.0 == 0 {
        return Err(violated!(
            INVALID_VALUE,
            "if input_programs is NULL or num_input_programs is 0"
        ));
    }
    let handles =
        checked::slice(call.programs.1, call.programs.0 as usize, ClError::INVALID_VALUE)?;
    // CL_INVALID_PROGRAM if programs specified in input_programs are not valid program objects.
    let programs: Vec<Borrowed<'_, Program>> =
        handles.iter().map(|&h| borrow::<Program>(h)).collect::<ClResult<_>>()?;
    if programs.iter().any(|p| !p.context().is(&context)) {
        return Err(violated!(INVALID_CONTEXT, "if an input program belongs to another context"));
    }
    let notify = notify(call.notify, call.user_data)?;
    // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with
    // context.
    let mut devices: Vec<Arc<Device>> = Vec::new();
    for &device in list {
        let device = borrow::<Device>(device)?;
        context.device_index(&device)?;
        if !devices.iter().any(|d| d.is(&device)) {
            devices.push(device.keep());
        }
    }
    if devices.is_empty() {
        devices = context.devices().to_vec();
    }
    // CL_INVALID_LINKER_OPTIONS if the linker options specified by options are invalid: the
    // compiler checks them.
    let options = options_text(call.options, None, ClError::INVALID_LINKER_OPTIONS)?;
    let inputs = link_inputs(&devices, &programs)?;
    if !compiler_client::available() {
        return Err(violated!(LINKER_NOT_AVAILABLE, "if a device has no linker"));
    }
    // Devices with nothing to link are not associated with the new program.
    let (devices, inputs): (Vec<_>, Vec<_>) =
        devices.into_iter().zip(inputs).filter(|(_, m)| !m.is_empty()).unzip();
    let program = Program::to_link(context.keep(), devices)?;
    let handle = program.handle();
    let indices = (0..program.devices().len()).collect();
    // CL_LINK_PROGRAM_FAILURE if there is a failure to link the compiled binaries and/or libraries:
    // the program is created nevertheless, for its log.
    let outcome =
        run(borrow::<Program>(handle)?, indices, BuildStep::Link(inputs), options, notify);
    match outcome {
        Err(error) if error != ClError::LINK_PROGRAM_FAILURE => {
            crate::object::release::<Program>(handle)?;
        }
        _ => *call.made = handle,
    }
    outcome
}

#[cl_entry(clLinkProgram)]
fn link_program(
    context: cl_context,
    num_devices: cl_uint,
    device_list: *const cl_device_id,
    options: *const c_char,
    num_input_programs: cl_uint,
    input_programs: *const cl_program,
    pfn_notify: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    user_data: *mut c_void,
) -> (cl_program, Result<(), ClError>) {
    // Not an ordinary creator: a failed link returns both an error and a program.
    let mut made = cl_program::FAILURE;
    let outcome = link(Link {
        context,
        devices: (num_devices, device_list),
        options,
        programs: (num_input_programs, input_programs),
        notify: pfn_notify,
        user_data,
        made: &mut made,
    });
    (made, outcome)
}
