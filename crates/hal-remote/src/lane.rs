//! A lane: calls to the server, and its replies. Invariants: the calls of a lane take effect in the
//! order in which they were sent, and are answered in that order. A lane whose peer breaks the
//! protocol, or whose connection breaks, is not used again. While calls wait to be sent, replies
//! are taken, so that neither side waits for the other one for ever.

use crate::server::{Connection, cause};
use bytes::Bytes;
use muxcl_hal::HalError;
use muxcl_remote_protocol::{
    Call, Copy, Execute, Fill, Launch, METHOD, Outcome, PIECE, Range, Reply, Request, hal_error,
};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;

/// Messages that wait to be sent.
const WAITING: usize = 8;

/// A lane.
pub(crate) struct Lane {
    to: mpsc::Sender<Request>,
    from: Streaming<Reply>,
    io: Handle,
}

/// Why a lane cannot be used any more.
#[derive(Debug)]
pub(crate) struct Broken(String);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn broken(reason: &str) -> Broken {
    Broken(reason.to_owned())
}

/// Receives each reply's counters.
pub(crate) type Counters<'a> = &'a mut dyn FnMut(&Reply);
/// Receives the result of a call, by its number.
pub(crate) type Ended<'a> = &'a mut dyn FnMut(usize, Result<(), HalError>);

impl Lane {
    /// Starts a lane.
    pub(crate) fn start(connection: &Connection) -> Result<Self, Broken> {
        let (to, requests) = mpsc::channel(WAITING);
        let mut request = tonic::Request::new(ReceiverStream::new(requests));
        if let Some(token) = &connection.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        let mut grpc = tonic::client::Grpc::new(connection.channel.clone());
        let path = http_path()?;
        let from = connection.io.block_on(async {
            let ready = grpc.ready().await;
            ready.map_err(|error| Broken(cause(&error)))?;
            let started = grpc.streaming(request, path, tonic_prost::ProstCodec::default()).await;
            started.map_err(|status| Broken(reason(&status)))
        })?;
        Ok(Self { to, from: from.into_inner(), io: connection.io.clone() })
    }

    /// Makes a call with one reply. No other call is under way.
    pub(crate) fn call(&mut self, call: Call) -> Result<Reply, Broken> {
        self.send(call)?;
        self.receive()
    }

    /// Sends a call. Only for lanes on which no large replies are under way.
    pub(crate) fn send(&mut self, call: Call) -> Result<(), Broken> {
        match self.to.try_send(Request { call: Some(call) }) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Full(request)) => {
                let sent = self.io.block_on(self.to.send(request));
                sent.map_err(|_| self.end())
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(self.end()),
        }
    }

    /// The next reply.
    pub(crate) fn receive(&mut self) -> Result<Reply, Broken> {
        let from = &mut self.from;
        let reply = self.io.block_on(from.message());
        received(reply)
    }

    /// Why the server has ended the lane.
    fn end(&mut self) -> Broken {
        match self.receive() {
            Ok(_) => broken("the server does not follow the protocol"),
            Err(reason) => reason,
        }
    }

    /// Makes calls without waiting for the ends of earlier ones. `ended` is called once for each,
    /// in order. If the lane breaks, `unreachable` makes the error of those without an answer.
    pub(crate) fn run(
        &mut self,
        calls: &mut [muxcl_hal::Call<'_>],
        counters: Counters<'_>,
        ended: Ended<'_>,
        unreachable: &dyn Fn(&Broken) -> HalError,
    ) -> Result<(), Broken> {
        let mut flight = Flight { calls, oldest: 0, filled: 0 };
        let result = self.exchange(&mut flight, counters, ended);
        if let Err(reason) = &result {
            for number in flight.oldest..flight.calls.len() {
                ended(number, Err(unreachable(reason)));
            }
        }
        result
    }

    fn exchange(
        &mut self,
        flight: &mut Flight<'_, '_>,
        counters: Counters<'_>,
        ended: Ended<'_>,
    ) -> Result<(), Broken> {
        for number in 0..flight.calls.len() {
            self.transmit(first(&flight.calls[number]), flight, counters, ended)?;
            let mut sent = 0;
            while let Some(piece) = piece(&flight.calls[number], sent) {
                sent += piece.len();
                self.transmit(Call::Data(piece), flight, counters, ended)?;
            }
        }
        while flight.oldest < flight.calls.len() {
            let reply = self.receive()?;
            flight.reply(reply, counters, ended)?;
        }
        Ok(())
    }

    /// Sends a message, and takes replies while there is no room for it.
    fn transmit(
        &mut self,
        call: Call,
        flight: &mut Flight<'_, '_>,
        counters: Counters<'_>,
        ended: Ended<'_>,
    ) -> Result<(), Broken> {
        let mut request = Request { call: Some(call) };
        while let Err(error) = self.to.try_send(request) {
            request = match error {
                mpsc::error::TrySendError::Full(request) => request,
                mpsc::error::TrySendError::Closed(_) => return Err(self.end()),
            };
            if let Some(reply) = self.room_or_reply()? {
                flight.reply(reply, counters, ended)?;
            }
        }
        Ok(())
    }

    /// Waits until a message can be sent or a reply has arrived.
    fn room_or_reply(&mut self) -> Result<Option<Reply>, Broken> {
        let (to, from) = (&self.to, &mut self.from);
        self.io.block_on(async {
            tokio::select! {
                biased;
                _ = to.reserve() => Ok(None),
                reply = from.message() => received(reply).map(Some),
            }
        })
    }
}

fn received(reply: Result<Option<Reply>, tonic::Status>) -> Result<Reply, Broken> {
    match reply {
        Ok(Some(reply)) => Ok(reply),
        Ok(None) => Err(broken("the server has ended the session")),
        Err(status) => Err(Broken(reason(&status))),
    }
}

/// Why a stream ended.
fn reason(status: &tonic::Status) -> String {
    let source = std::error::Error::source(status);
    source.map_or_else(|| status.message().to_owned(), cause)
}

fn http_path() -> Result<http::uri::PathAndQuery, Broken> {
    METHOD.parse().map_err(|_| broken("the method is no path"))
}

/// Calls that have been sent, or will be.
struct Flight<'a, 'b> {
    calls: &'a mut [muxcl_hal::Call<'b>],
    /// Number of the first call without an outcome.
    oldest: usize,
    /// Bytes that have arrived for this call.
    filled: usize,
}

impl Flight<'_, '_> {
    fn reply(
        &mut self,
        reply: Reply,
        counters: Counters<'_>,
        ended: Ended<'_>,
    ) -> Result<(), Broken> {
        let violated = || broken("the server does not follow the protocol");
        let call = self.calls.get_mut(self.oldest).ok_or_else(violated)?;
        counters(&reply);
        let result = match (reply.outcome, &mut *call) {
            (Some(Outcome::Data(bytes)), muxcl_hal::Call::Read { into, .. }) => {
                let end = self.filled.saturating_add(bytes.len());
                let place = into.get_mut(self.filled..end).ok_or_else(violated)?;
                place.copy_from_slice(&bytes);
                self.filled = end;
                return Ok(());
            }
            (Some(Outcome::Done(())), muxcl_hal::Call::Read { into, .. }) => {
                if self.filled != into.len() {
                    return Err(violated());
                }
                Ok(())
            }
            (Some(Outcome::Done(())), _) => Ok(()),
            (Some(Outcome::Failure(failure)), call) => Err(hal_error(call.name(), failure)),
            _ => return Err(violated()),
        };
        let number = self.oldest;
        (self.oldest, self.filled) = (number + 1, 0);
        ended(number, result);
        Ok(())
    }
}

/// The bytes of a write that follow the first `sent` ones, at most a piece; `None` after the last
/// one, and for other calls.
fn piece(call: &muxcl_hal::Call<'_>, sent: usize) -> Option<Bytes> {
    let muxcl_hal::Call::Write { from, .. } = call else { return None };
    from[sent..].chunks(PIECE).next().map(Bytes::copy_from_slice)
}

/// The message that begins a call. The bytes of a write follow in pieces.
fn first(call: &muxcl_hal::Call<'_>) -> Call {
    match call {
        muxcl_hal::Call::Read { from, into } => {
            Call::Read(Range { address: *from, size: into.len() as u64 })
        }
        muxcl_hal::Call::Write { to, from } => {
            Call::Write(Range { address: *to, size: from.len() as u64 })
        }
        muxcl_hal::Call::Copy { to, from, size } => {
            Call::Copy(Copy { to: *to, from: *from, size: *size })
        }
        muxcl_hal::Call::Fill { to, pattern, size } => {
            Call::Fill(Fill { to: *to, pattern: Bytes::copy_from_slice(pattern), size: *size })
        }
        muxcl_hal::Call::Execute { program, kernel, range, arguments, dimensions } => {
            Call::Execute(Execute::new(&Launch {
                program: *program,
                kernel: *kernel,
                range: *range,
                arguments: arguments.to_vec(),
                dimensions: *dimensions,
            }))
        }
    }
}
