//! How both sides prove who they are: a folder of files that `muxcl-hal-server keys` makes.
//!
//! With `ca.pem`, a connection uses TLS and each side shows a certificate that this authority has
//! signed. Without it, a connection has no encryption; it stays on the loopback interface, and the
//! client sends the secret in `token`.
//!
//! Invariant: no secret is part of an error or of a `Debug` output.

use muxcl_hal::HalError;
use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};

/// The certificate of the authority.
pub const AUTHORITY: &str = "ca.pem";
/// The secret for connections on the loopback interface.
pub const TOKEN: &str = "token";
/// Bytes that a token has at least.
const SHORTEST_TOKEN: usize = 32;

/// A side of a connection. Its files are `NAME.pem`, a chain of certificates, and `NAME.key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `client.pem` and `client.key`.
    Client,
    /// `server.pem` and `server.key`.
    Server,
}

impl Side {
    /// The beginning of the names of the files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// What a side has to prove who it is.
#[derive(Clone)]
pub enum Access {
    /// Certificates.
    Certificates {
        /// That of the authority, as PEM.
        authority: Vec<u8>,
        /// The side's own, as PEM.
        own: Vec<u8>,
        /// The key of the side's own, as PEM.
        key: Vec<u8>,
    },
    /// A secret of at least 32 printable characters, for the loopback interface.
    Token(String),
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Certificates { .. } => "Certificates",
            Self::Token(_) => "Token",
        })
    }
}

impl Access {
    /// Reads the files of `side` in `folder`.
    ///
    /// # Errors
    /// If a file cannot be read, or the token is no token.
    pub fn read(folder: &Path, side: Side) -> Result<Self, HalError> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path)
                .map_err(|error| HalError::Start(format!("{}: {error}", path.display())))
        };
        if folder.join(AUTHORITY).exists() {
            return Ok(Self::Certificates {
                authority: read(AUTHORITY)?,
                own: read(&format!("{}.pem", side.name()))?,
                key: read(&format!("{}.key", side.name()))?,
            });
        }
        let token = String::from_utf8(read(TOKEN)?).unwrap_or_default().trim().to_owned();
        if token.len() < SHORTEST_TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let path = folder.join(TOKEN);
            let text = "a token has at least 32 printable characters; `muxcl-hal-server keys` \
                        makes one";
            return Err(HalError::Start(format!("{}: {text}", path.display())));
        }
        Ok(Self::Token(token))
    }

    /// Refuses a connection without encryption at an address of another machine.
    ///
    /// # Errors
    /// If this is a token and `address` is not on the loopback interface.
    pub fn allows(&self, address: SocketAddr) -> Result<(), HalError> {
        match self {
            Self::Token(_) if !address.ip().to_canonical().is_loopback() => {
                let text = "only certificates give access beyond the loopback interface; \
                            `muxcl-hal-server keys` makes them";
                Err(HalError::Start(format!("{address}: {text}")))
            }
            _ => Ok(()),
        }
    }

    /// Settings of the client's TLS for a server with this name or address in its certificate.
    #[must_use]
    pub fn client_tls(&self, server: &str) -> Option<ClientTlsConfig> {
        let Self::Certificates { authority, own, key } = self else { return None };
        let tls = ClientTlsConfig::new()
            .ca_certificate(Certificate::from_pem(authority))
            .identity(Identity::from_pem(own, key));
        Some(tls.domain_name(server))
    }

    /// Settings of the server's TLS: a client without a certificate is refused.
    #[must_use]
    pub fn server_tls(&self) -> Option<ServerTlsConfig> {
        let Self::Certificates { authority, own, key } = self else { return None };
        let tls = ServerTlsConfig::new()
            .client_ca_root(Certificate::from_pem(authority))
            .identity(Identity::from_pem(own, key));
        Some(tls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stays_on_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let read = || Access::read(folder.path(), Side::Client);
        assert!(matches!(read(), Err(HalError::Start(text)) if text.contains("token")));
        std::fs::write(folder.path().join(TOKEN), "short\n").unwrap();
        assert!(matches!(read(), Err(HalError::Start(text)) if text.contains("32")));
        std::fs::write(folder.path().join(TOKEN), format!("{}\n", "x".repeat(32))).unwrap();
        let token = read().unwrap();
        assert_eq!(format!("{token:?}"), "Token");
        for (address, allowed) in [
            ("127.0.0.1:7117", true),
            ("[::1]:7117", true),
            ("[::ffff:127.0.0.1]:7117", true),
            ("0.0.0.0:7117", false),
            ("[::]:7117", false),
            ("10.0.0.1:7117", false),
        ] {
            assert_eq!(token.allows(address.parse().unwrap()).is_ok(), allowed, "{address}");
        }
        assert!(token.client_tls("localhost").is_none() && token.server_tls().is_none());
        // The files of certificates take precedence; an incomplete set is no token.
        std::fs::write(folder.path().join(AUTHORITY), "").unwrap();
        assert!(matches!(read(), Err(HalError::Start(text)) if text.contains("client.pem")));
    }
}
