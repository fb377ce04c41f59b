//! The sessions of all devices.
//!
//! Invariants: a session ends when its client says so, or when it has had no lane for the server's
//! bound. It is found by its secret number only. All its lanes belong to one connection.

use crate::device::SharedDevice;
use crate::programs::Programs;
use crate::session::{Peer, Session};
use bytes::Bytes;
use muxcl_hal::{Hal, HalError};
use muxcl_lock::{Condvar, Mutex, Rank};
use muxcl_remote_protocol::{Device, Open, Platform, VERSION};
use std::collections::BTreeMap;
use std::future::Future;
use std::io::Read as _;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The secret number of a session.
type Id = [u8; 16];

/// The devices of a HAL, and the sessions of their clients.
pub struct Server {
    hal: Arc<dyn Hal>,
    devices: Vec<Arc<SharedDevice>>,
    files: Arc<Programs>,
    sessions: Mutex<BTreeMap<Id, Arc<Entry>>>,
    keep: Duration,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("hal", &self.hal.name()).finish_non_exhaustive()
    }
}

/// A session and its lanes.
#[derive(Debug)]
struct Entry {
    session: Session,
    device: u32,
    lanes: Mutex<Lanes>,
    /// The lanes of an earlier connection have ended.
    changed: Condvar,
    /// Number of the connection; lanes of earlier ones end.
    connection: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Lanes {
    /// Number of open lanes.
    open: usize,
    /// Since when there is none.
    idle: Option<Instant>,
}

/// An open lane of a session.
#[derive(Debug)]
pub struct SessionUse {
    id: Id,
    entry: Arc<Entry>,
    /// Number of its connection.
    number: u64,
}

impl Server {
    /// Serves the devices of `hal`. A session without a lane ends after `keep`.
    #[must_use]
    pub fn new(hal: Arc<dyn Hal>, keep: Duration) -> Arc<Self> {
        let device = |index| Arc::new(SharedDevice::new(Arc::clone(&hal), index));
        let devices = (0..hal.device_count()).map(device).collect();
        let sessions = Mutex::new(Rank::Platform, BTreeMap::new());
        Arc::new(Self { devices, files: Arc::new(Programs::new()), sessions, keep, hal })
    }

    /// The description of the devices.
    #[must_use]
    pub fn platform(&self) -> Platform {
        let device =
            |device: &Arc<SharedDevice>| device.info.as_ref().map(Device::from).unwrap_or_default();
        let devices = self.devices.iter().map(device).collect();
        Platform { name: self.hal.name().to_owned(), devices }
    }

    /// Opens a lane. Waits for the end of calls on the session's earlier connection.
    ///
    /// # Errors
    /// If the device or the session does not exist, or the device cannot be created.
    pub fn open(&self, open: &Open) -> Result<SessionUse, HalError> {
        check_version(open.version)?;
        let (id, entry) = if open.session.is_empty() {
            self.begin(open.device)?
        } else {
            let id: Id = open.session.as_ref().try_into().map_err(|_| HalError::NoSession)?;
            let sessions = self.sessions.lock();
            let entry = sessions.get(&id).filter(|entry| entry.device == open.device);
            (id, Arc::clone(entry.ok_or(HalError::NoSession)?))
        };
        entry.enter(open.connection)?;
        Ok(SessionUse { id, entry, number: open.connection })
    }

    fn begin(&self, device: u32) -> Result<(Id, Arc<Entry>), HalError> {
        let shared = usize::try_from(device).ok().and_then(|index| self.devices.get(index));
        let shared = shared.ok_or(HalError::Argument("the number of a device"))?;
        let counters = shared.info.clone()?.counters;
        let session = Session::new(shared.share()?, counters, Arc::clone(&self.files));
        let lanes = Lanes { open: 0, idle: Some(Instant::now()) };
        let entry = Arc::new(Entry {
            session,
            device,
            lanes: Mutex::new(Rank::Leaf, lanes),
            changed: Condvar::new(),
            connection: watch::Sender::new(0),
        });
        let id = random()?;
        self.sessions.lock().insert(id, Arc::clone(&entry));
        Ok((id, entry))
    }

    /// Answers the calls of a lane until its end.
    pub fn run(&self, lane: &SessionUse, peer: &mut dyn Peer) {
        if lane.entry.session.serve(peer) {
            self.sessions.lock().remove(&lane.id);
        }
    }

    /// Ends sessions whose client has been away for too long.
    pub fn sweep(&self) {
        let away = |entry: &Entry| {
            entry.lanes.lock().idle.is_some_and(|since| since.elapsed() >= self.keep)
        };
        let ended: Vec<Arc<Entry>> = {
            let mut sessions = self.sessions.lock();
            let ids: Vec<Id> =
                sessions.iter().filter(|(_, entry)| away(entry)).map(|(id, _)| *id).collect();
            ids.iter().filter_map(|id| sessions.remove(id)).collect()
        };
        for entry in ended {
            tracing::info!(target: "hal", "a client did not come back: its session ends");
            entry.session.end();
        }
    }

    /// Number of sessions, and of their allocations and programs.
    #[must_use]
    pub fn objects(&self) -> (usize, usize) {
        let sessions = self.sessions.lock();
        (sessions.len(), sessions.values().map(|entry| entry.session.objects()).sum())
    }
}

impl Entry {
    /// Adds a lane of this connection, after the lanes of earlier ones have ended.
    fn enter(&self, connection: u64) -> Result<(), HalError> {
        let mut lanes = self.lanes.lock();
        let current = *self.connection.borrow();
        if connection < current {
            return Err(HalError::NoSession);
        }
        if connection > current {
            self.connection.send_replace(connection);
            while lanes.open != 0 {
                self.changed.wait(&mut lanes);
                if *self.connection.borrow() != connection {
                    return Err(HalError::NoSession);
                }
            }
        }
        lanes.open += 1;
        lanes.idle = None;
        Ok(())
    }
}

impl SessionUse {
    /// The secret number of the session, for the client.
    #[must_use]
    pub fn id(&self) -> Bytes {
        Bytes::copy_from_slice(&self.id)
    }

    /// Completes when a later connection has replaced that of this lane.
    pub(crate) fn replaced(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let (mut connection, number) = (self.entry.connection.subscribe(), self.number);
        Box::pin(async move {
            // An error means that the session no longer exists.
            let _ = connection.wait_for(|now| *now > number).await;
        })
    }
}

impl Drop for SessionUse {
    fn drop(&mut self) {
        let mut lanes = self.entry.lanes.lock();
        lanes.open -= 1;
        if lanes.open == 0 {
            lanes.idle = Some(Instant::now());
            self.entry.changed.notify_all();
        }
    }
}

/// Refuses messages of another version.
pub(crate) fn check_version(version: u32) -> Result<(), HalError> {
    if version == VERSION {
        return Ok(());
    }
    let call = "the connection";
    let text = format!("the server has version {VERSION} of the protocol, the client {version}");
    Err(HalError::Reported { call, text })
}

/// Random bytes of the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], HalError> {
    let mut bytes = [0; N];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| HalError::Start(format!("/dev/urandom: {error}")))?;
    Ok(bytes)
}
