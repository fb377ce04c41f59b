//! `cargo xtask codegen`: writes `crates/cl-sys/src/generated.rs` from the Khronos headers.
//!
//! Reads Debian's `opencl-headers` (`/usr/include/CL`) and adds only what they lack (OpenCL 3.1,
//! `cl_khr_icd` 2.0, newer extensions). The output is a pure function of the headers; `--check`
//! fails if the committed file differs. This is not a C parser: it accepts the few constructs of
//! those headers and fails on any other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};

/// Entry points of `cl_khr_icd` 2.0, which the headers of Debian 12 lack.
const ICD2: &str = "
extern CL_API_ENTRY void * CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char * func_name) CL_API_SUFFIX__VERSION_3_0;
extern CL_API_ENTRY cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void * dispatch_data) CL_API_SUFFIX__VERSION_3_0;
";

/// Entry points of OpenCL 3.1, which the headers of Debian 12 lack, in the order of their slots.
/// These follow the slots of `cl_icd.h`.
const OPENCL_3_1: &str = "
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue
command_queue, cl_kernel kernel, cl_uint work_dim, const size_t * global_work_offset, const size_t
* global_work_size, size_t * suggested_local_work_size) CL_API_SUFFIX__VERSION_3_1;
";

/// Entry points of extensions that the headers of Debian 12 lack.
const NEWER: &str = "
extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value) CL_API_SUFFIX__VERSION_3_0;
extern CL_API_ENTRY cl_int CL_API_CALL clGetImageRequirementsInfoEXT(cl_context context, const cl_mem_properties * properties, cl_mem_flags flags, const cl_image_format * image_format, const cl_image_desc * image_desc, cl_image_requirements_info_ext param_name, size_t param_value_size, void * param_value, size_t * param_value_size_ret) CL_API_SUFFIX__VERSION_3_0;
extern CL_API_ENTRY void * CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_ulong * properties, size_t size, cl_uint alignment, cl_int * errcode_ret) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY void * CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_ulong * properties, size_t size, cl_uint alignment, cl_int * errcode_ret) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY void * CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_ulong * properties, size_t size, cl_uint alignment, cl_int * errcode_ret) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void * ptr) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void * ptr) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void * ptr, cl_uint param_name, size_t param_value_size, void * param_value, size_t * param_value_size_ret) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void * arg_value) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue, void * dst_ptr, const void * pattern, size_t pattern_size, size_t size, cl_uint num_events_in_wait_list, const cl_event * event_wait_list, cl_event * event) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemsetINTEL(cl_command_queue command_queue, void * dst_ptr, cl_int value, size_t size, cl_uint num_events_in_wait_list, const cl_event * event_wait_list, cl_event * event) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void * dst_ptr, const void * src_ptr, size_t size, cl_uint num_events_in_wait_list, const cl_event * event_wait_list, cl_event * event) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void * ptr, size_t size, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list, const cl_event * event_wait_list, cl_event * event) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void * ptr, size_t size, cl_uint advice, cl_uint num_events_in_wait_list, const cl_event * event_wait_list, cl_event * event) CL_API_SUFFIX__VERSION_1_0;
extern CL_API_ENTRY cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(cl_semaphore_khr sema_object,
cl_semaphore_reimport_properties_khr * reimport_props, cl_int fd) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues,
const cl_command_queue* queues, const cl_command_buffer_properties_khr* properties, cl_int*
errcode_ret) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr
command_buffer) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr
command_buffer) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr
command_buffer) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues,
cl_command_queue* queues, cl_command_buffer_khr command_buffer, cl_uint num_events_in_wait_list,
const cl_event* event_wait_list, cl_event* event) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size, cl_uint
num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr*
sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferRectKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin, const size_t* dst_origin, const
size_t* region, size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t
dst_slice_pitch, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr*
sync_point_wait_list, cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle)
CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferToImageKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_mem src_buffer, cl_mem dst_image, size_t src_offset, const size_t* dst_origin, const size_t*
region, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageKHR(cl_command_buffer_khr command_buffer,
cl_command_queue command_queue, const cl_command_properties_khr* properties, cl_mem src_image,
cl_mem dst_image, const size_t* src_origin, const size_t* dst_origin, const size_t* region,
cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageToBufferKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_mem src_image, cl_mem dst_buffer, const size_t* src_origin, const size_t* region, size_t
dst_offset, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list,
cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset, size_t size, cl_uint
num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr*
sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandFillImageKHR(cl_command_buffer_khr command_buffer,
cl_command_queue command_queue, const cl_command_properties_khr* properties, cl_mem image, const
void* fill_color, const size_t* origin, const size_t* region, cl_uint
num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr*
sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandNDRangeKernelKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties,
cl_kernel kernel, cl_uint work_dim, const size_t* global_work_offset, const size_t*
global_work_size, const size_t* local_work_size, cl_uint num_sync_points_in_wait_list, const
cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point, cl_mutable_command_khr*
mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemcpyKHR(cl_command_buffer_khr command_buffer,
cl_command_queue command_queue, const cl_command_properties_khr* properties, void* dst_ptr, const
void* src_ptr, size_t size, cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr*
sync_point_wait_list, cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle)
CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemFillKHR(cl_command_buffer_khr
command_buffer, cl_command_queue command_queue, const cl_command_properties_khr* properties, void*
svm_ptr, const void* pattern, size_t pattern_size, size_t size, cl_uint
num_sync_points_in_wait_list, const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr*
sync_point, cl_mutable_command_khr* mutable_handle) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr
command_buffer, cl_command_buffer_info_khr param_name, size_t param_value_size, void* param_value,
size_t* param_value_size_ret) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(cl_command_buffer_khr
command_buffer, cl_bool automatic, cl_uint num_queues, const cl_command_queue* queues, cl_uint
num_handles, const cl_mutable_command_khr* handles, cl_mutable_command_khr* handles_ret, cl_int*
errcode_ret) CL_API_SUFFIX__VERSION_3_0;
extern CL_API_ENTRY cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr
command_buffer, cl_uint num_configs, const cl_command_buffer_update_type_khr* config_types, const
void ** configs) CL_API_SUFFIX__VERSION_1_2;
extern CL_API_ENTRY cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
cl_mutable_command_info_khr param_name, size_t param_value_size, void* param_value, size_t*
param_value_size_ret) CL_API_SUFFIX__VERSION_1_2;
";

/// Loader entry points: exported from the library, without a slot in a dispatch table.
const ICD_FUNCTIONS: &[&str] = &[
    "clIcdGetPlatformIDsKHR",
    "clIcdGetFunctionAddressForPlatformKHR",
    "clIcdSetPlatformDispatchDataKHR",
];

/// Extension entry points that the driver implements and that `clGetExtensionFunctionAddress*`
/// finds. They are neither exported nor in the table.
const KHR_FUNCTIONS: &[&str] = &[
    "clCreateCommandQueueWithPropertiesKHR",
    "clCreateProgramWithILKHR",
    "clGetKernelSuggestedLocalWorkSizeKHR",
    "clSetKernelArgDevicePointerEXT",
    "clGetImageRequirementsInfoEXT",
    "clCreateSemaphoreWithPropertiesKHR",
    "clEnqueueWaitSemaphoresKHR",
    "clEnqueueSignalSemaphoresKHR",
    "clGetSemaphoreInfoKHR",
    "clRetainSemaphoreKHR",
    "clReleaseSemaphoreKHR",
    "clGetSemaphoreHandleForTypeKHR",
    "clReImportSemaphoreSyncFdKHR",
    "clEnqueueAcquireExternalMemObjectsKHR",
    "clEnqueueReleaseExternalMemObjectsKHR",
    "clTerminateContextKHR",
    "clHostMemAllocINTEL",
    "clDeviceMemAllocINTEL",
    "clSharedMemAllocINTEL",
    "clMemFreeINTEL",
    "clMemBlockingFreeINTEL",
    "clGetMemAllocInfoINTEL",
    "clSetKernelArgMemPointerINTEL",
    "clEnqueueMemFillINTEL",
    "clEnqueueMemsetINTEL",
    "clEnqueueMemcpyINTEL",
    "clEnqueueMigrateMemINTEL",
    "clEnqueueMemAdviseINTEL",
    "clCreateCommandBufferKHR",
    "clFinalizeCommandBufferKHR",
    "clRetainCommandBufferKHR",
    "clReleaseCommandBufferKHR",
    "clEnqueueCommandBufferKHR",
    "clCommandBarrierWithWaitListKHR",
    "clCommandCopyBufferKHR",
    "clCommandCopyBufferRectKHR",
    "clCommandCopyBufferToImageKHR",
    "clCommandCopyImageKHR",
    "clCommandCopyImageToBufferKHR",
    "clCommandFillBufferKHR",
    "clCommandFillImageKHR",
    "clCommandNDRangeKernelKHR",
    "clCommandSVMMemcpyKHR",
    "clCommandSVMMemFillKHR",
    "clGetCommandBufferInfoKHR",
    "clRemapCommandBufferKHR",
    "clUpdateMutableCommandsKHR",
    "clGetMutableCommandInfoKHR",
];

/// Extension entry points that the driver implements and that have a slot in the dispatch table.
/// They are also found by name.
const SLOT_FUNCTIONS: &[&str] = &["clGetKernelSubGroupInfoKHR"];

/// The two slots that a `cl_khr_icd` 2.0 driver fills with a tag.
const TAGGED: &[&str] = &["clGetPlatformIDs", "clUnloadCompiler"];

struct Param {
    name: String,
    ty: String,
}

struct Function {
    name: String,
    version: String,
    params: Vec<Param>,
    ret: String,
}

impl Function {
    fn kind(&self) -> &'static str {
        if self.params.last().is_some_and(|p| p.name == "errcode_ret") {
            "create"
        } else if self.ret == "$crate::cl_int" {
            "int"
        } else {
            "plain"
        }
    }
}

/// Writes (or with `check` compares) the generated source. `root` is the workspace, `headers` the
/// folder with `cl.h`.
pub(crate) fn run(root: &Path, headers: &Path, check: bool) -> Result<()> {
    let out = root.join("crates/cl-sys/src/generated.rs");
    let text = generate(headers)?;
    if check {
        let old = std::fs::read_to_string(&out).with_context(|| out.display().to_string())?;
        ensure!(old == text, "{} is stale: run `cargo xtask codegen`", out.display());
        return Ok(());
    }
    std::fs::write(&out, text).with_context(|| out.display().to_string())
}

/// The text of `generated.rs` for the headers in `dir`.
pub(crate) fn generate(dir: &Path) -> Result<String> {
    let read = |name: &str| -> Result<String> {
        let path = dir.join(name);
        std::fs::read_to_string(&path)
            .with_context(|| format!("{} (Debian package opencl-headers)", path.display()))
    };
    let (cl, ext, gl, egl, icd) =
        (read("cl.h")?, read("cl_ext.h")?, read("cl_gl.h")?, read("cl_egl.h")?, read("cl_icd.h")?);

    let types = typedefs(&cl)?;
    let mut out = String::from(HEADER);
    write_types(&mut out, &types)?;
    write_constants(&mut out, &constants(&cl, &types)?, "cl.h")?;
    write_constants(&mut out, &extension_constants(&ext, &types)?, "cl_ext.h: cl_khr_*")?;

    let (mut core, mut slots) = (functions(&cl)?, slots(&icd)?);
    for function in functions(OPENCL_3_1)? {
        if !slots.contains(&function.name) {
            slots.push(function.name.clone());
        }
        if core.iter().all(|f| f.name != function.name) {
            core.push(function);
        }
    }
    let mut others = BTreeMap::new();
    for text in [NEWER, ext.as_str(), gl.as_str(), egl.as_str(), ICD2] {
        for function in functions(text)? {
            others.entry(function.name.clone()).or_insert(function);
        }
    }
    write_table(&mut out, core, &mut others, &slots)?;
    Ok(out)
}

// ---- reading

fn strip(text: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        clean.push_str(&rest[..start]);
        clean.push(' ');
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    clean.push_str(rest);
    let mut lines = String::new();
    let mut continued = false;
    for line in clean.lines() {
        let directive = continued || line.trim_start().starts_with('#');
        continued = directive && line.trim_end().ends_with('\\');
        if !directive {
            lines.push_str(line.split("//").next().unwrap_or(""));
            lines.push('\n');
        }
    }
    lines
}

fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if !c.is_whitespace() {
            out.push(c.to_string());
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// Plain aliases and opaque handles of `cl.h`: name -> Rust type (`None` for a handle).
fn typedefs(text: &str) -> Result<BTreeMap<String, Option<String>>> {
    let mut types = BTreeMap::new();
    for statement in strip(text).split(';') {
        let words = tokens(statement);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some(start) = words.iter().rposition(|w| *w == "typedef") else { continue };
        match &words[start..] {
            ["typedef", "struct", tag, "*", name] if tag.starts_with("_cl_") => {
                types.insert((*name).to_owned(), None);
            }
            ["typedef", base, name] => {
                types.insert((*name).to_owned(), Some(scalar(base)?));
            }
            _ => {}
        }
    }
    ensure!(types.len() > 50, "cl.h: only {} typedefs found", types.len());
    Ok(types)
}

fn scalar(c: &str) -> Result<String> {
    Ok(match c {
        "intptr_t" => "isize".into(),
        name if name.starts_with("cl_") => name.into(),
        other => bail!("unknown C type {other}"),
    })
}

/// Constants that later versions of an extension have changed or removed.
const OUTDATED: &[&str] = &[
    "CL_COMMAND_BUFFER_STATE_PENDING_KHR",
    "CL_COMMAND_BUFFER_STATE_INVALID_KHR",
    "CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR",
    "CL_MUTABLE_DISPATCH_PROPERTIES_ARRAY_KHR",
    "CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR",
    "CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR",
];

/// Properties of extensions, whose type the headers do not state.
const CONTEXT_PROPERTIES: &[&str] =
    &["CL_CONTEXT_MEMORY_INITIALIZE_KHR", "CL_CONTEXT_TERMINATE_KHR"];

/// `(name, type, value)` of every numeric `#define CL_*`, typed by the comment above its group.
fn constants(
    text: &str,
    types: &BTreeMap<String, Option<String>>,
) -> Result<Vec<(String, String, String)>> {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let mut group: Option<String> = None;
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("/* ") {
            let word = comment.split_whitespace().next().unwrap_or("");
            group = if types.contains_key(word) {
                Some(word.to_owned())
            } else if comment.starts_with("command execution status")
                || comment.starts_with("Error")
            {
                Some("cl_int".to_owned())
            } else if comment.starts_with("reserved") || comment.starts_with("0x1") {
                group
            } else {
                None
            };
        }
        let Some((name, value)) = define(line) else { continue };
        if !seen.insert(name.clone()) {
            continue;
        }
        let ty = match (&group, value.as_str()) {
            (_, v) if v.starts_with('-') => "cl_int".to_owned(),
            (Some(g), _) => g.clone(),
            (None, _) if CONTEXT_PROPERTIES.contains(&name.as_str()) => {
                "cl_context_properties".to_owned()
            }
            (None, v) if v.contains("<<") => "cl_bitfield".to_owned(),
            (None, _) => "cl_uint".to_owned(),
        };
        out.push((name, ty, value));
    }
    Ok(out)
}

fn extension_constants(
    text: &str,
    types: &BTreeMap<String, Option<String>>,
) -> Result<Vec<(String, String, String)>> {
    let mut wanted = constants(text, types)?;
    wanted.retain(|(name, _, value)| {
        (name.ends_with("_KHR") || matches!(name.as_str(), "CL_DEVICE_HALF_FP_CONFIG"))
            && !value.contains("CL_")
            && !name.contains("EXTENSION_VERSION")
            && !OUTDATED.contains(&name.as_str())
    });
    Ok(wanted)
}

/// A `#define CL_NAME value` with a number as value.
fn define(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("#define ")?.trim();
    let (name, value) = rest.split_once(char::is_whitespace)?;
    if !name.starts_with("CL_") || name.contains('(') {
        return None;
    }
    let value = value.split("/*").next()?.trim();
    if value.starts_with("(1 << ") {
        return Some((
            name.to_owned(),
            value.trim_start_matches('(').trim_end_matches(')').to_owned(),
        ));
    }
    let digits = value.strip_prefix('-').unwrap_or(value);
    let number = digits.strip_prefix("0x").map_or_else(
        || digits.bytes().all(|b| b.is_ascii_digit()),
        |hex| hex.bytes().all(|b| b.is_ascii_hexdigit()),
    );
    (number && !digits.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

fn functions(text: &str) -> Result<Vec<Function>> {
    let mut out: Vec<Function> = Vec::new();
    for statement in strip(text).split(';') {
        let Some(start) = statement.find("extern CL_API_ENTRY") else { continue };
        let words = tokens(&statement[start..]);
        let mut version = "1.0".to_owned();
        let mut kept: Vec<String> = Vec::new();
        for word in words {
            if let Some(v) = word
                .strip_prefix("CL_API_SUFFIX__VERSION_")
                .or_else(|| word.strip_prefix("CL_EXT_SUFFIX__VERSION_"))
            {
                version = v.trim_end_matches("_DEPRECATED").replace('_', ".");
            } else if !matches!(word.as_str(), "extern" | "CL_CALLBACK")
                && !word.starts_with("CL_API_")
                && !word.starts_with("CL_EXT_")
            {
                kept.push(word);
            }
        }
        let open = kept
            .iter()
            .position(|w| w == "(")
            .with_context(|| format!("no parameters: {statement}"))?;
        let close = matching(&kept, open)?;
        let name = kept[open - 1].clone();
        let foreign =
            ["INTEL", "ARM", "IMG", "QCOM", "APPLE"].iter().any(|vendor| name.ends_with(vendor));
        if foreign && !KHR_FUNCTIONS.contains(&name.as_str()) {
            continue;
        }
        let unsupported = ["CommandBuffer", "clCommand", "Semaphore", "External"];
        if unsupported.iter().any(|part| name.contains(part))
            && !KHR_FUNCTIONS.contains(&name.as_str())
        {
            continue;
        }
        out.push(Function {
            version,
            params: params(&kept[open + 1..close]).with_context(|| name.clone())?,
            ret: rust_type(&kept[..open - 1]).with_context(|| name.clone())?,
            name,
        });
    }
    Ok(out)
}

fn matching(words: &[String], open: usize) -> Result<usize> {
    let mut depth = 0;
    for (i, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(i);
        }
    }
    bail!("unbalanced parentheses")
}

fn params(words: &[String]) -> Result<Vec<Param>> {
    let mut out = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for i in 0..=words.len() {
        match words.get(i).map(String::as_str) {
            Some("(") => depth += 1,
            Some(")") => depth -= 1,
            _ => {}
        }
        if i == words.len() || (depth == 0 && words[i] == ",") {
            if words[start..i] != ["void"] && start != i {
                out.push(param(&words[start..i])?);
            }
            start = i + 1;
        }
    }
    Ok(out)
}

fn param(words: &[String]) -> Result<Param> {
    if let Some(open) = words.iter().position(|w| w == "(") {
        // ret (* name)(params)
        let close = matching(words, open)?;
        let name = words[close - 1].clone();
        let inner: Vec<String> =
            params(&words[close + 2..words.len() - 1])?.into_iter().map(|p| p.ty).collect();
        let ret = rust_type(&words[..open])?;
        let arrow = if ret == "()" { String::new() } else { format!(" -> {ret}") };
        let name = if name == "*" { "user_func".to_owned() } else { name };
        return Ok(Param {
            name,
            ty: format!("Option<unsafe extern \"C\" fn({}){arrow}>", inner.join(", ")),
        });
    }
    if let [head @ .., name, open, _] = words
        && open == "["
    {
        // An array parameter is a pointer.
        let mut ty = head.to_vec();
        ty.push("*".to_owned());
        return Ok(Param { name: name.clone(), ty: rust_type(&ty)? });
    }
    let last = words.last().context("empty parameter")?;
    // A callback's parameter may have no name.
    let named = words.len() > 1 && last != "*" && last != "const";
    let (ty, name) =
        if named { (&words[..words.len() - 1], last.as_str()) } else { (words, "unnamed") };
    Ok(Param { name: name.to_owned(), ty: rust_type(ty)? })
}

fn rust_type(words: &[String]) -> Result<String> {
    let stars = words.iter().position(|w| w == "*").unwrap_or(words.len());
    let base: Vec<&str> = words[..stars]
        .iter()
        .map(String::as_str)
        .filter(|w| *w != "const" && *w != "struct")
        .collect();
    let mut constant = words[..stars].iter().any(|w| w == "const");
    let mut ty = match base.as_slice() {
        ["void"] => "()".to_owned(),
        ["char"] => "::core::ffi::c_char".to_owned(),
        ["unsigned", "char"] => "::core::ffi::c_uchar".to_owned(),
        ["size_t"] => "usize".to_owned(),
        [
            "cl_GLuint" | "cl_GLenum" | "cl_gl_object_type" | "cl_gl_texture_info"
            | "cl_gl_context_info",
        ] => "$crate::cl_uint".to_owned(),
        ["cl_GLint"] => "$crate::cl_int".to_owned(),
        ["cl_GLsync" | "CLeglImageKHR" | "CLeglDisplayKHR" | "CLeglSyncKHR"] => {
            "*mut ::core::ffi::c_void".to_owned()
        }
        [
            "cl_egl_image_properties_khr"
            | "cl_device_partition_property_ext"
            | "cl_queue_properties_khr",
        ] => {
            if base[0] == "cl_egl_image_properties_khr" {
                "isize".to_owned()
            } else {
                "$crate::cl_ulong".to_owned()
            }
        }
        [name] if name.starts_with("cl_") => format!("$crate::{name}"),
        other => bail!("unknown type {other:?}"),
    };
    for word in &words[stars..] {
        match word.as_str() {
            "*" => {
                let pointee = if ty == "()" { "::core::ffi::c_void" } else { ty.as_str() };
                ty = format!("*{} {pointee}", if constant { "const" } else { "mut" });
                constant = false;
            }
            "const" => constant = true,
            other => bail!("unexpected {other} in a type"),
        }
    }
    Ok(ty)
}

/// The members of `struct _cl_icd_dispatch`, in order.
fn slots(text: &str) -> Result<Vec<String>> {
    let clean = strip(text);
    let start =
        clean.find("typedef struct _cl_icd_dispatch").context("cl_icd.h: no dispatch table")?;
    let body = &clean[start..];
    let body = &body[body.find('{').context("cl_icd.h")? + 1
        ..body.find("} cl_icd_dispatch").context("cl_icd.h")?];
    let mut out: Vec<String> = Vec::new();
    for member in body.split(';') {
        if let Some(name) = tokens(member).into_iter().rev().find(|w| w.starts_with("cl"))
            && !name.ends_with("_icd2_tag")
            && !out.contains(&name)
        {
            out.push(name);
        }
    }
    ensure!(out.len() >= 120, "cl_icd.h: only {} slots", out.len());
    Ok(out)
}

// ---- writing

fn write_types(out: &mut String, types: &BTreeMap<String, Option<String>>) -> Result<()> {
    for (name, base) in types {
        match base {
            None => {
                writeln!(
                    out,
                    "/// The target of a [`{name}`], known to the driver only.\n#[repr(C)]\n#[derive(Debug)]\npub struct _{name} {{\n    _opaque: [u8; 0],\n}}"
                )?;
                writeln!(out, "/// `{name}`\npub type {name} = *mut _{name};")?;
            }
            Some(base) => writeln!(out, "/// `{name}`\npub type {name} = {base};")?,
        }
    }
    Ok(())
}

fn write_constants(
    out: &mut String,
    constants: &[(String, String, String)],
    from: &str,
) -> Result<()> {
    writeln!(out, "\n// Constants of {from}.")?;
    for (name, ty, value) in constants {
        writeln!(out, "/// `{name}`\npub const {name}: {ty} = {value};")?;
    }
    Ok(())
}

fn write_table(
    out: &mut String,
    core: Vec<Function>,
    others: &mut BTreeMap<String, Function>,
    slots: &[String],
) -> Result<()> {
    let mut core: BTreeMap<String, Function> =
        core.into_iter().map(|f| (f.name.clone(), f)).collect();
    let mut rows: Vec<(&str, Function)> = Vec::new();
    for slot in slots {
        if let Some(function) = core.remove(slot) {
            rows.push(("core", function));
        } else if let Some(function) = others.remove(slot) {
            let ours = SLOT_FUNCTIONS.contains(&slot.as_str());
            rows.push((if ours { "slot" } else { "absent" }, function));
        } else {
            rows.push((
                "null",
                Function {
                    name: slot.clone(),
                    version: String::new(),
                    params: Vec::new(),
                    ret: "()".into(),
                },
            ));
        }
    }
    ensure!(core.is_empty(), "functions of cl.h without a slot: {:?}", core.keys());
    for (group, names) in [("khr", KHR_FUNCTIONS), ("icd", ICD_FUNCTIONS)] {
        for name in names {
            rows.push((
                group,
                others.remove(*name).with_context(|| format!("{name} is not in the headers"))?,
            ));
        }
    }

    writeln!(out, "\n// Function pointer types.")?;
    for (_, f) in rows.iter().filter(|(group, _)| *group != "null") {
        let types: Vec<String> = f.params.iter().map(|p| p.ty.replace("$crate::", "")).collect();
        let ret = f.ret.replace("$crate::", "");
        let arrow = if ret == "()" { String::new() } else { format!(" -> {ret}") };
        writeln!(
            out,
            "/// `{}`\npub type {}_fn = unsafe extern \"C\" fn({}){arrow};",
            f.name,
            f.name,
            types.join(", ")
        )?;
    }

    writeln!(
        out,
        "\n/// The dispatch table of `cl_icd.h`. The first word of every handle points to it.\n#[repr(C)]\npub struct Dispatch {{"
    )?;
    for (group, f) in rows.iter().filter(|(group, _)| !matches!(*group, "khr" | "icd")) {
        let ty = match (*group, TAGGED.contains(&f.name.as_str())) {
            ("null", _) => "*const ::core::ffi::c_void".to_owned(),
            (_, true) => format!("crate::TaggedSlot<{}_fn>", f.name),
            _ => format!("Option<{}_fn>", f.name),
        };
        writeln!(out, "    /// `{}`\n    pub {}: {ty},", f.name, f.name)?;
    }
    writeln!(
        out,
        "    /// Slots of later versions: NULL, so that a newer loader does not read beyond the table.\n    pub later: [*const ::core::ffi::c_void; 16],\n}}"
    )?;

    out.push_str(TABLE_DOC);
    writeln!(
        out,
        "#[macro_export]\nmacro_rules! for_each_cl_function {{\n    ($callback:ident $(, $($extra:tt)*)?) => {{\n        $callback! {{ $($($extra)*)?"
    )?;
    for (group, f) in &rows {
        let params: Vec<String> =
            f.params.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
        writeln!(
            out,
            "            [{group} {} {} {:?} ({}) -> {}]",
            f.kind(),
            f.name,
            f.version,
            params.join(", "),
            f.ret
        )?;
    }
    writeln!(out, "        }}\n    }};\n}}")?;
    Ok(())
}

const HEADER: &str = "//! Generated by `cargo xtask codegen` from the Khronos headers in /usr/include/CL. Do not edit.
//!
//! Aliases, opaque handles, constants, function pointer types, the dispatch table and the one table
//! of entry points. Not here: structures, and the constants the headers of Debian 12 lack; those
//! are in `lib.rs`.

use crate::{cl_external_semaphore_handle_type_khr, cl_image_desc, cl_image_format, cl_image_requirements_info_ext, cl_int};
use crate::{cl_semaphore_info_khr, cl_semaphore_khr, cl_semaphore_payload_khr, cl_semaphore_properties_khr, cl_uint};
use crate::cl_semaphore_reimport_properties_khr;
use crate::cl_ulong;
use crate::{cl_command_buffer_info_khr, cl_command_buffer_khr};
use crate::{cl_command_buffer_properties_khr, cl_command_buffer_update_type_khr};
use crate::{cl_command_properties_khr, cl_mutable_command_info_khr};
use crate::{cl_mutable_command_khr, cl_sync_point_khr};

";

const TABLE_DOC: &str = "
/// The one table of entry points: `for_each_cl_function!(callback)` expands to `callback! { rows
/// }`, `for_each_cl_function!(callback, extra)` to `callback! { extra rows }`.
///
/// A row is `[group kind name \"version\" (parameter: type, ...) -> type]`. Groups: `core` has a
/// slot in the dispatch table and is exported; `slot` has a slot and is found by name; `absent` has
/// a slot, but belongs to an unsupported extension; `null` has a slot that is always NULL here;
/// `khr` is found only by `clGetExtensionFunctionAddress*`; `icd` is for the loader: exported and
/// found by name, without a slot. Kinds: `int` returns an error code; `create` has `errcode_ret`
/// last; `plain` returns anything else.
";
