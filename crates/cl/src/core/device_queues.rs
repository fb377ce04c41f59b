//! The device-side queues of a context: their limit, and the default queue of each device.
//!
//! Invariant: a context has at most one default queue for each device. The application owns the
//! queue; the context holds a weak reference. Not here: the queues (`device_queue`).

use std::sync::{Arc, Weak};

use muxcl_cl_sys::cl_command_queue;
use muxcl_lock::{Mutex, Rank};
use muxcl_mux as mux;

use super::device::Device;
use crate::error::{ClError, ClResult};

/// The interface of a context to a device-side queue.
pub trait ContextDeviceQueue: std::fmt::Debug + Send + Sync {
    /// The application's handle.
    fn queue_handle(&self) -> cl_command_queue;
    /// The device of the queue.
    fn device(&self) -> &Device;
    /// The Mux queue.
    fn mux(&self) -> &mux::DeviceQueue;
}

/// The device-side queues of a context.
#[derive(Debug)]
pub struct DeviceQueues {
    lists: Mutex<Lists>,
}

#[derive(Debug, Default)]
struct Lists {
    /// Queues of the context. Some may have been released.
    all: Vec<Weak<dyn ContextDeviceQueue>>,
    /// By index of the device in the context; may be shorter.
    defaults: Vec<Option<Weak<dyn ContextDeviceQueue>>>,
}

impl Default for DeviceQueues {
    fn default() -> Self {
        Self { lists: Mutex::new(Rank::Context, Lists::default()) }
    }
}

impl DeviceQueues {
    /// The default queue of the device at `index` in the context.
    #[must_use]
    pub fn default_of(&self, index: usize) -> Option<Arc<dyn ContextDeviceQueue>> {
        self.lists.lock().defaults.get(index)?.as_ref()?.upgrade()
    }

    /// `clSetDefaultDeviceCommandQueue`
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn set_default(&self, index: usize, queue: Arc<dyn ContextDeviceQueue>) -> ClResult<()> {
        let mut lists = self.lists.lock();
        let missing = (index + 1).saturating_sub(lists.defaults.len());
        lists.defaults.try_reserve(missing)?;
        while lists.defaults.len() <= index {
            lists.defaults.push(None);
        }
        lists.defaults[index] = Some(Arc::downgrade(&queue));
        Ok(())
    }

    /// Adds a new queue unless its device already has `most` queues in this context beside its
    /// first, which is usually the default queue. The CTS makes the default queue and
    /// `CL_DEVICE_MAX_ON_DEVICE_QUEUES` others.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES`.
    pub(super) fn enter(&self, queue: Arc<dyn ContextDeviceQueue>, most: u32) -> ClResult<()> {
        let mut lists = self.lists.lock();
        lists.all.retain(|q| q.strong_count() != 0);
        let others = lists.all.iter().filter_map(Weak::upgrade).collect::<Vec<_>>();
        let count = others.iter().filter(|q| q.device().is(queue.device())).count();
        let room = count <= most as usize && lists.all.try_reserve(1).is_ok();
        if room {
            lists.all.push(Arc::downgrade(&queue));
        }
        // Unlock first: dropping the last reference of a queue takes this lock.
        drop(lists);
        drop(others);
        if room { Ok(()) } else { Err(ClError::OUT_OF_RESOURCES) }
    }
}
