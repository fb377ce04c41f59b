//! The HTTP/2 connections. Invariant: a request reaches the server only from a client that has
//! shown a certificate, or the token. Each lane has a thread, because a HAL's calls block.

use crate::server::{Server, check_version};
use crate::session::Peer;
use http::{Request, Response, StatusCode};
use muxcl_hal::HalError;
use muxcl_remote_protocol::access::Access;
use muxcl_remote_protocol::{
    CONNECTION_WINDOW, Call, FRAME, LANE_WINDOW, METHOD, Outcome, PING_SECONDS,
    PING_TIMEOUT_SECONDS, Reply, failure,
};
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::body::Body;
use tonic::{Status, Streaming};

/// Stack size of a lane's thread in bytes. It is large because a HAL may run kernels on the calling
/// thread.
const STACK: usize = 16 << 20;
/// Replies of a lane that wait to be sent.
const REPLIES: usize = 8;
/// Lanes of one connection. A client has one for each of its threads that call a device.
const LANES: u32 = 256;

/// A socket that accepts connections.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    access: Access,
}

impl Listener {
    /// Listens at `address`. Port 0 chooses a free one.
    ///
    /// # Errors
    /// If `access` does not allow the address, or the system refuses it.
    pub async fn bind(address: SocketAddr, access: Access) -> Result<Self, HalError> {
        access.allows(address)?;
        let socket = TcpListener::bind(address).await;
        let socket = socket.map_err(|error| HalError::Start(format!("{address}: {error}")))?;
        Ok(Self { socket, access })
    }

    /// The address, with the port.
    ///
    /// # Errors
    /// If the system does not tell it.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.socket.local_addr()
    }
}

/// Accepts connections for ever.
///
/// # Errors
/// If the files of the certificates are invalid, or the socket fails.
pub async fn serve(server: Arc<Server>, listener: Listener) -> Result<(), tonic::transport::Error> {
    let mut http = tonic::transport::Server::builder()
        .tcp_nodelay(true)
        .initial_stream_window_size(LANE_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_frame_size(FRAME)
        .max_concurrent_streams(LANES)
        .http2_keepalive_interval(Some(Duration::from_secs(PING_SECONDS)))
        .http2_keepalive_timeout(Some(Duration::from_secs(PING_TIMEOUT_SECONDS)));
    if let Some(tls) = listener.access.server_tls() {
        http = http.tls_config(tls)?;
    }
    let token = match &listener.access {
        Access::Token(token) => Some(blake3::hash(format!("Bearer {token}").as_bytes())),
        Access::Certificates { .. } => None,
    };
    let service = Service { server, token };
    http.serve_with_incoming(service, TcpListenerStream::new(listener.socket)).await
}

/// Answers HTTP requests.
#[derive(Clone, Debug)]
struct Service {
    server: Arc<Server>,
    /// Hash of the header that a client must send. Hashes are compared in constant time.
    token: Option<blake3::Hash>,
}

type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl tower_service::Service<Request<Body>> for Service {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answer {
        let server = Arc::clone(&self.server);
        let shown = request.headers().get(http::header::AUTHORIZATION);
        let shown = blake3::hash(shown.map_or(&[], |value| value.as_bytes()));
        let allowed = self.token.is_none_or(|token| token == shown);
        Box::pin(async move {
            if !allowed {
                return Ok(Status::unauthenticated("the token is wrong").into_http());
            }
            if request.uri().path() != METHOD {
                let mut response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::NOT_FOUND;
                return Ok(response);
            }
            let codec = tonic_prost::ProstCodec::default();
            Ok(tonic::server::Grpc::new(codec).streaming(Lanes(server), request).await)
        })
    }
}

/// Starts a lane for each request.
struct Lanes(Arc<Server>);

type Replies = ReceiverStream<Result<Reply, Status>>;
type Started = Pin<Box<dyn Future<Output = Result<tonic::Response<Replies>, Status>> + Send>>;

impl tower_service::Service<tonic::Request<Streaming<muxcl_remote_protocol::Request>>> for Lanes {
    type Response = tonic::Response<Replies>;
    type Error = Status;
    type Future = Started;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(
        &mut self,
        request: tonic::Request<Streaming<muxcl_remote_protocol::Request>>,
    ) -> Started {
        let (to, replies) = mpsc::channel(REPLIES);
        let lane = Lane { from: request.into_inner(), to, io: Handle::current(), replaced: None };
        let server = Arc::clone(&self.0);
        let started = muxcl_os::spawn_detached("muxcl-lane", STACK, move || lane.run(&server));
        Box::pin(async move {
            started.map_err(|error| Status::resource_exhausted(error.to_string()))?;
            Ok(tonic::Response::new(ReceiverStream::new(replies)))
        })
    }
}

/// The server's end of a lane.
struct Lane {
    from: Streaming<muxcl_remote_protocol::Request>,
    to: mpsc::Sender<Result<Reply, Status>>,
    io: Handle,
    /// Completes when a later connection of the session has replaced that of this lane.
    replaced: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Lane {
    fn run(mut self, server: &Server) {
        while let Some(call) = self.next() {
            let outcome = match call {
                Call::Describe(describe) => {
                    check_version(describe.version).map(|()| Outcome::Platform(server.platform()))
                }
                Call::Open(open) => match server.open(&open) {
                    Ok(session) => {
                        let opened = Outcome::Session(session.id());
                        let reply = Reply { outcome: Some(opened), counters: Vec::new() };
                        if self.send(reply) {
                            self.replaced = Some(session.replaced());
                            server.run(&session, &mut self);
                        }
                        return;
                    }
                    Err(error) => Err(error),
                },
                _ => Err(HalError::Argument("a lane that has been opened")),
            };
            let outcome = outcome.unwrap_or_else(|error| Outcome::Failure(failure(&error)));
            if !self.send(Reply { outcome: Some(outcome), counters: Vec::new() }) {
                return;
            }
        }
    }
}

impl Peer for Lane {
    fn next(&mut self) -> Option<Call> {
        let (from, replaced) = (&mut self.from, &mut self.replaced);
        let request = self.io.block_on(async {
            match replaced {
                None => from.message().await,
                Some(replaced) => tokio::select! {
                    biased;
                    () = replaced => Ok(None),
                    request = from.message() => request,
                },
            }
        });
        // A request without a call is from a newer client, whose version was refused.
        request.ok().flatten().and_then(|request| request.call)
    }

    fn send(&mut self, reply: Reply) -> bool {
        match self.to.try_send(Ok(reply)) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(reply)) => {
                self.io.block_on(self.to.send(reply)).is_ok()
            }
        }
    }
}
