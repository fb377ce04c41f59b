//! The HAL of devices on other machines, as `libhal_remote.so`. `MUXCL_REMOTE` lists the servers
//! (`muxcl-hal-server`); their devices appear as devices of this HAL. `docs/remote.md` describes
//! its use.
//!
//! * `server`: the address of a server, the thread for its sockets, and its connections.
//! * `lane`: a stream of calls and one of replies; calls are sent before earlier ones have ended.
//! * `session`: what a device has on its server, and the lanes to it; reconnects.
//! * `device`: the calls of the HAL's interface.
//!
//! Invariants: a call whose connection breaks fails, and no other one does. The next call connects
//! again; if the server still has the session, its memory and programs are there. All I/O runs on a
//! thread of this library, in which the application's signals are blocked. Not here: the protocol
//! (`remote-protocol`).

mod device;
mod lane;
mod server;
mod session;

use device::RemoteDevice;
use muxcl_hal::{Device, DeviceInfo, Hal, HalError};
use muxcl_remote_protocol::access::{Access, Side};
use server::Server;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The devices of several servers.
#[derive(Debug)]
pub struct RemoteHal {
    devices: Vec<RemoteInfo>,
}

/// A device of a server.
#[derive(Debug)]
struct RemoteInfo {
    server: Arc<Server>,
    /// Number of the device on the server.
    index: u32,
    info: DeviceInfo,
}

impl RemoteHal {
    /// Connects to the servers that `MUXCL_REMOTE` lists, with the files in `MUXCL_REMOTE_KEYS`.
    ///
    /// # Errors
    /// As [`Self::connect`], and if a variable is not set.
    pub fn from_environment() -> Result<Self, HalError> {
        let unset = |name: &str| HalError::Start(format!("{name} is not set"));
        let servers = muxcl_config::MUXCL_REMOTE.list();
        if servers.is_empty() {
            return Err(unset("MUXCL_REMOTE"));
        }
        let keys = muxcl_config::MUXCL_REMOTE_KEYS.get_os().map(PathBuf::from);
        Self::connect(&servers, &keys.ok_or_else(|| unset("MUXCL_REMOTE_KEYS"))?)
    }

    /// Connects to `servers`, each `host:port`, with the files of the client in the folder `keys`.
    /// Servers that do not answer are logged, and their devices are missing.
    ///
    /// # Errors
    /// If the files are not valid, or no server answers.
    pub fn connect(servers: &[String], keys: &Path) -> Result<Self, HalError> {
        let access = Access::read(keys, Side::Client)?;
        let servers: Vec<Arc<Server>> = servers
            .iter()
            .map(|address| Server::new(address, access.clone()).map(Arc::new))
            .collect::<Result<_, _>>()?;
        // All at the same time: a server that does not answer takes seconds.
        let answers: Vec<_> = std::thread::scope(|scope| {
            let ask = |server: &Arc<Server>| {
                let server = Arc::clone(server);
                scope.spawn(move || server.describe())
            };
            let asked: Vec<_> = servers.iter().map(ask).collect();
            let panicked = |_| Err(HalError::Failed("panic in the HAL"));
            asked.into_iter().map(|answer| answer.join().unwrap_or_else(panicked)).collect()
        });
        let (mut devices, mut reasons) = (Vec::new(), Vec::new());
        for (server, answer) in servers.iter().zip(answers) {
            match answer {
                Ok(infos) => devices.extend(infos.into_iter().map(|(index, info)| RemoteInfo {
                    server: Arc::clone(server),
                    index,
                    info,
                })),
                Err(error) => {
                    tracing::warn!(target: "hal", "{error}");
                    reasons.push(error.to_string());
                }
            }
        }
        if devices.is_empty() && !reasons.is_empty() {
            return Err(HalError::Start(reasons.join("; ")));
        }
        Ok(Self { devices })
    }

    fn device(&self, index: u32) -> Result<&RemoteInfo, HalError> {
        let device = usize::try_from(index).ok().and_then(|index| self.devices.get(index));
        device.ok_or(HalError::Argument("the number of a device"))
    }
}

impl Hal for RemoteHal {
    fn name(&self) -> &str {
        "muxcl remote"
    }

    fn device_count(&self) -> u32 {
        u32::try_from(self.devices.len()).unwrap_or(u32::MAX)
    }

    fn device_info(&self, index: u32) -> Result<DeviceInfo, HalError> {
        self.device(index).map(|device| device.info.clone())
    }

    fn create_device(&self, index: u32) -> Result<Box<dyn Device>, HalError> {
        let RemoteInfo { server, index, .. } = self.device(index)?;
        Ok(Box::new(RemoteDevice::create(Arc::clone(server), *index)?))
    }
}

muxcl_hal::export_hal!(RemoteHal::from_environment());
