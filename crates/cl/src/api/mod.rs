//! The C entry points, one file per chapter of the specification. They check raw pointers and
//! handles.
//!
//! Invariant: every function here goes through `#[cl_entry]`, and each check has the sentence of
//! the specification that it implements: in its error (`explain::violated`), or in a comment above
//! it. Not here: the objects (`core`).

mod build;
mod command_buffer;
mod command_buffer_record;
mod command_buffer_remap;
mod command_buffer_update;
mod context;
mod device;
mod device_info;
mod enqueue;
mod enqueue_buffer;
mod enqueue_image;
mod enqueue_kernel;
mod enqueue_map;
mod enqueue_sync;
mod event;
mod external_memory;
mod icd;
mod image;
mod image_requirements;
mod kernel;
mod kernel_info;
mod memory;
mod partition;
mod pipe;
mod platform;
mod program;
mod queue;
mod sampler;
mod semaphore;
mod svm;
mod usm;

pub use build::{clBuildProgram, clCompileProgram, clLinkProgram};
pub use command_buffer::{
    clCreateCommandBufferKHR, clEnqueueCommandBufferKHR, clFinalizeCommandBufferKHR,
    clGetCommandBufferInfoKHR, clReleaseCommandBufferKHR, clRetainCommandBufferKHR,
};
pub use command_buffer_record::{
    clCommandBarrierWithWaitListKHR, clCommandCopyBufferKHR, clCommandCopyBufferRectKHR,
    clCommandCopyBufferToImageKHR, clCommandCopyImageKHR, clCommandCopyImageToBufferKHR,
    clCommandFillBufferKHR, clCommandFillImageKHR, clCommandNDRangeKernelKHR,
    clCommandSVMMemFillKHR, clCommandSVMMemcpyKHR,
};
pub use command_buffer_remap::clRemapCommandBufferKHR;
pub use command_buffer_update::{clGetMutableCommandInfoKHR, clUpdateMutableCommandsKHR};
pub use context::{
    clCreateContext, clCreateContextFromType, clGetContextInfo, clReleaseContext, clRetainContext,
    clSetContextDestructorCallback, clTerminateContextKHR,
};
pub use device::{
    clGetDeviceAndHostTimer, clGetDeviceIDs, clGetDeviceInfo, clGetHostTimer, clReleaseDevice,
    clRetainDevice,
};
pub use enqueue_buffer::{
    clEnqueueCopyBuffer, clEnqueueCopyBufferRect, clEnqueueFillBuffer, clEnqueueReadBuffer,
    clEnqueueReadBufferRect, clEnqueueWriteBuffer, clEnqueueWriteBufferRect,
};
pub use enqueue_image::{
    clEnqueueCopyBufferToImage, clEnqueueCopyImage, clEnqueueCopyImageToBuffer, clEnqueueFillImage,
    clEnqueueMapImage, clEnqueueReadImage, clEnqueueWriteImage,
};
pub use enqueue_kernel::{
    clEnqueueNDRangeKernel, clEnqueueNativeKernel, clEnqueueTask,
    clGetKernelSuggestedLocalWorkSize, clGetKernelSuggestedLocalWorkSizeKHR,
};
pub use enqueue_map::{clEnqueueMapBuffer, clEnqueueUnmapMemObject};
pub use enqueue_sync::{
    clEnqueueBarrier, clEnqueueBarrierWithWaitList, clEnqueueMarker, clEnqueueMarkerWithWaitList,
    clEnqueueMigrateMemObjects, clEnqueueWaitForEvents,
};
pub use event::{
    clCreateUserEvent, clGetEventInfo, clGetEventProfilingInfo, clReleaseEvent, clRetainEvent,
    clSetEventCallback, clSetUserEventStatus, clWaitForEvents,
};
pub use external_memory::{
    clEnqueueAcquireExternalMemObjectsKHR, clEnqueueReleaseExternalMemObjectsKHR,
};
pub use icd::{
    clGetExtensionFunctionAddress, clGetExtensionFunctionAddressForPlatform,
    clIcdGetFunctionAddressForPlatformKHR, clIcdGetPlatformIDsKHR, clIcdSetPlatformDispatchDataKHR,
};
pub use image::{
    clCreateImage, clCreateImage2D, clCreateImage3D, clCreateImageWithProperties, clGetImageInfo,
    clGetSupportedImageFormats,
};
pub use image_requirements::clGetImageRequirementsInfoEXT;
pub use kernel::{
    clCloneKernel, clCreateKernel, clCreateKernelsInProgram, clReleaseKernel, clRetainKernel,
    clSetKernelArg, clSetKernelArgDevicePointerEXT, clSetKernelArgSVMPointer, clSetKernelExecInfo,
};
pub use kernel_info::{
    clGetKernelArgInfo, clGetKernelInfo, clGetKernelSubGroupInfo, clGetKernelSubGroupInfoKHR,
    clGetKernelWorkGroupInfo,
};
pub use memory::{
    clCreateBuffer, clCreateBufferWithProperties, clCreateSubBuffer, clGetMemObjectInfo,
    clReleaseMemObject, clRetainMemObject, clSetMemObjectDestructorCallback,
};
pub use partition::clCreateSubDevices;
pub use pipe::{clCreatePipe, clGetPipeInfo};
pub use platform::{clGetPlatformIDs, clGetPlatformInfo};
pub use program::{
    clCreateProgramWithBinary, clCreateProgramWithBuiltInKernels, clCreateProgramWithIL,
    clCreateProgramWithILKHR, clCreateProgramWithSource, clGetProgramBuildInfo, clGetProgramInfo,
    clReleaseProgram, clRetainProgram, clSetProgramReleaseCallback,
    clSetProgramSpecializationConstant, clUnloadCompiler, clUnloadPlatformCompiler,
};
pub use queue::{
    clCreateCommandQueue, clCreateCommandQueueWithProperties,
    clCreateCommandQueueWithPropertiesKHR, clFinish, clFlush, clGetCommandQueueInfo,
    clReleaseCommandQueue, clRetainCommandQueue, clSetCommandQueueProperty,
    clSetDefaultDeviceCommandQueue,
};
pub use sampler::{
    clCreateSampler, clCreateSamplerWithProperties, clGetSamplerInfo, clReleaseSampler,
    clRetainSampler,
};
pub use semaphore::{
    clCreateSemaphoreWithPropertiesKHR, clEnqueueSignalSemaphoresKHR, clEnqueueWaitSemaphoresKHR,
    clGetSemaphoreHandleForTypeKHR, clGetSemaphoreInfoKHR, clReImportSemaphoreSyncFdKHR,
    clReleaseSemaphoreKHR, clRetainSemaphoreKHR,
};
pub use svm::{
    clEnqueueSVMFree, clEnqueueSVMMap, clEnqueueSVMMemFill, clEnqueueSVMMemcpy,
    clEnqueueSVMMigrateMem, clEnqueueSVMUnmap, clSVMAlloc, clSVMFree,
};
pub use usm::{
    clDeviceMemAllocINTEL, clEnqueueMemAdviseINTEL, clEnqueueMemFillINTEL, clEnqueueMemcpyINTEL,
    clEnqueueMemsetINTEL, clEnqueueMigrateMemINTEL, clGetMemAllocInfoINTEL, clHostMemAllocINTEL,
    clMemBlockingFreeINTEL, clMemFreeINTEL, clSetKernelArgMemPointerINTEL, clSharedMemAllocINTEL,
};
