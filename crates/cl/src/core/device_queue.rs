//! Device-side queues, into which kernels enqueue kernels. The application creates them, queries
//! them and passes them to kernels. Entry points that need a host queue refuse them.
//!
//! Not here: the limit and the default queue of a context (`device_queues`), the commands in them
//! (the targets).

use std::sync::Arc;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{cl_command_queue, cl_command_queue_properties, cl_queue_properties};
use muxcl_mux as mux;

use super::context::Context;
use super::device::Device;
use super::device_queues::ContextDeviceQueue;
use crate::error::{ClError, ClResult, allocation_error};
use crate::object::{self, ClObject, HandleHeader};

/// `cl_command_queue` made with `CL_QUEUE_ON_DEVICE`
#[derive(Debug)]
pub struct DeviceQueue {
    head: HandleHeader<Self>,
    context: Arc<Context>,
    device: Arc<Device>,
    mux: mux::DeviceQueue,
    properties: cl_command_queue_properties,
    /// `CL_QUEUE_PROPERTIES_ARRAY`: as passed, with the final zero.
    property_list: Vec<cl_queue_properties>,
    size: u32,
}

impl ClObject for DeviceQueue {
    type Raw = sys::_cl_command_queue;
    const TAG: u32 = u32::from_le_bytes(*b"dqeu");
    const INVALID: ClError = ClError::INVALID_COMMAND_QUEUE;
    const REACHABLE: bool = true;
    fn header(&self) -> &HandleHeader<Self> {
        &self.head
    }
}

impl ContextDeviceQueue for DeviceQueue {
    fn queue_handle(&self) -> cl_command_queue {
        self.handle()
    }

    fn device(&self) -> &Device {
        &self.device
    }

    fn mux(&self) -> &mux::DeviceQueue {
        &self.mux
    }
}

impl DeviceQueue {
    /// Creates a queue, or returns the existing default queue with one more application reference.
    /// `properties` and `size` are checked.
    ///
    /// # Errors
    /// `CL_INVALID_QUEUE_PROPERTIES` if the device has no device-side queues, `CL_OUT_OF_RESOURCES`
    /// if it already has the maximum number, `CL_OUT_OF_HOST_MEMORY`.
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
            object::retain::<Self>(known.queue_handle())?;
            return Ok(known.queue_handle());
        }
        let mux =
            device.mux().create_device_queue(size).map_err(|error| allocation_error(&error))?;
        let made = object::create(|head| {
            Ok(Self { head, context, device, mux, properties, property_list, size })
        })?;
        let queues = made.context.device_queues();
        let entered = queues.enter(made.clone(), limits.max_queues);
        let entered = entered
            .and_then(|()| if default { queues.set_default(index, made.clone()) } else { Ok(()) });
        match entered {
            Ok(()) => Ok(made.handle()),
            Err(error) => {
                object::release::<Self>(made.handle())?;
                Err(error)
            }
        }
    }

    /// The context of the queue.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// The device of the queue.
    #[must_use]
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The Mux queue.
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
