//! A server: its address, the thread for its sockets, and its connections. Invariant: the thread
//! belongs to the process that started it; a child of `fork` starts its own.

use crate::lane::Lane;
use muxcl_hal::{DeviceInfo, HalError};
use muxcl_lock::{Mutex, Rank};
use muxcl_remote_protocol::access::Access;
use muxcl_remote_protocol::{
    CONNECTION_WINDOW, Call, Describe, FRAME, LANE_WINDOW, Outcome, PING_SECONDS,
    PING_TIMEOUT_SECONDS, VERSION, device_info, hal_error,
};
use std::net::ToSocketAddrs as _;
use std::time::Duration;
use tokio::runtime::Handle;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};

/// Maximum time for a connection, and for the list of devices.
const PATIENCE: Duration = Duration::from_secs(5);
/// Stack size of the thread for sockets in bytes.
const STACK: usize = 1 << 20;

/// A server.
#[derive(Debug)]
pub(crate) struct Server {
    /// `host:port`, as the user wrote it.
    pub(crate) address: String,
    access: Access,
    token: Option<MetadataValue<Ascii>>,
    /// The thread for sockets, with the number of its process.
    io: Mutex<Option<(u32, Handle)>>,
}

/// A connection to a server.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub(crate) channel: Channel,
    pub(crate) token: Option<MetadataValue<Ascii>>,
    pub(crate) io: Handle,
}

impl Server {
    pub(crate) fn new(address: &str, access: Access) -> Result<Self, HalError> {
        let port = address.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        if port.is_none_or(|(_, port)| port.parse::<u16>().is_err()) {
            let text = format!("`{address}` in MUXCL_REMOTE is not `host:port`");
            return Err(HalError::Start(text));
        }
        let token = match &access {
            Access::Token(token) => MetadataValue::try_from(format!("Bearer {token}")).ok(),
            Access::Certificates { .. } => None,
        };
        Ok(Self { address: address.to_owned(), access, token, io: Mutex::new(Rank::Leaf, None) })
    }

    pub(crate) fn unreachable(&self, reason: impl std::fmt::Display) -> HalError {
        HalError::Unreachable(format!("{}: {reason}", self.address))
    }

    /// Connects.
    pub(crate) fn connect(&self) -> Result<Connection, HalError> {
        // A name with several addresses is checked as a whole, because any of them may be used.
        let addresses = self.address.to_socket_addrs().map_err(|e| self.unreachable(e))?;
        for address in addresses {
            self.access.allows(address)?;
        }
        let endpoint = self.endpoint().map_err(|error| self.unreachable(cause(&error)))?;
        let io = self.io()?;
        let connect = async { tokio::time::timeout(PATIENCE, endpoint.connect()).await };
        let channel = io.block_on(connect).map_err(|_| self.unreachable("it does not answer"))?;
        let channel = channel.map_err(|error| self.unreachable(cause(&error)))?;
        Ok(Connection { channel, token: self.token.clone(), io })
    }

    fn endpoint(&self) -> Result<Endpoint, tonic::transport::Error> {
        let host = self.address.rsplit_once(':').map_or("", |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let tls = self.access.client_tls(host);
        let scheme = if tls.is_some() { "https" } else { "http" };
        let endpoint = Endpoint::from_shared(format!("{scheme}://{}", self.address))?
            .tcp_nodelay(true)
            .initial_stream_window_size(LANE_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_frame_size(FRAME)
            .http2_keep_alive_interval(Duration::from_secs(PING_SECONDS))
            .keep_alive_timeout(Duration::from_secs(PING_TIMEOUT_SECONDS))
            .keep_alive_while_idle(true);
        match tls {
            Some(tls) => endpoint.tls_config(tls),
            None => Ok(endpoint),
        }
    }

    /// The thread for sockets.
    fn io(&self) -> Result<Handle, HalError> {
        let process = muxcl_os::fork_generation();
        let mut io = self.io.lock();
        if let Some((owner, handle)) = &*io
            && *owner == process
        {
            return Ok(handle.clone());
        }
        let failed = |error: String| HalError::Start(format!("{}: {error}", self.address));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failed(error.to_string()))?;
        let handle = runtime.handle().clone();
        let drive = move || runtime.block_on(std::future::pending::<()>());
        muxcl_os::spawn_detached("muxcl-remote", STACK, drive)
            .map_err(|error| failed(error.to_string()))?;
        if let Some(parents) = io.replace((process, handle.clone())) {
            // Its sockets are those of the parent.
            std::mem::forget(parents);
        }
        Ok(handle)
    }

    /// The devices that the server can describe, with their numbers. Their names get the server's
    /// address.
    pub(crate) fn describe(&self) -> Result<Vec<(u32, DeviceInfo)>, HalError> {
        let mut lane = Lane::start(&self.connect()?).map_err(|e| self.unreachable(e))?;
        let describe = Call::Describe(Describe { version: VERSION });
        let platform = match lane.call(describe).map_err(|error| self.unreachable(error))?.outcome {
            Some(Outcome::Platform(platform)) => platform,
            Some(Outcome::Failure(failure)) => return Err(hal_error("the connection", failure)),
            _ => return Err(self.unreachable("it sends no list of devices")),
        };
        let mut devices = Vec::new();
        for (index, device) in (0..).zip(platform.devices) {
            if device.target_name.is_empty() {
                continue;
            }
            let mut info = device_info(device)?;
            info.properties.calls_in_flight = true;
            // The server makes one call at a time on a device that needs it.
            info.properties.concurrent_calls = true;
            info.target_name = format!("{} at {}", info.target_name, self.address);
            devices.push((index, info));
        }
        Ok(devices)
    }
}

/// The innermost reason of an error.
pub(crate) fn cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
