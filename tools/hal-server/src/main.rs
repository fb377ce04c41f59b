//! muxcl-hal-server: serves the devices of a HAL library to other machines. `docs/remote.md` is its
//! page. Invariant: it listens only where its files give access (`muxcl_hal_server::serve`).
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line tool talks to its user"
)]

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use muxcl_hal::Hal;
use muxcl_hal::search::{Options, load};
use muxcl_hal_server::{Listener, Server, keys, serve};
use muxcl_remote_protocol::access::{Access, Side};
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Stack size in bytes of the thread that ends sessions: the HAL's calls run on it.
const STACK: usize = 4 << 20;

#[derive(Parser)]
#[command(name = "muxcl-hal-server", version)]
#[command(about = "Serves the devices of a HAL library to the remote HAL of other machines")]
struct Cli {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Serve a HAL library until the process is ended.
    Serve(Serve),
    /// Make the files that give access. No file is replaced.
    Keys(Keys),
}

#[derive(Args)]
struct Serve {
    /// The HAL: a name (`refsi` is `libhal_refsi.so`) or the absolute path of a library; default
    /// that of `CA_HAL_DEVICE`.
    #[arg(long)]
    hal: Option<String>,
    /// Address and port. Port 0 chooses a free one.
    #[arg(long, default_value = "127.0.0.1:7117")]
    listen: SocketAddr,
    /// Folder with the files of the command `keys`.
    #[arg(long)]
    keys: PathBuf,
    /// Seconds for which a client that has lost its connection finds its memory and its programs.
    #[arg(long, default_value_t = 60.0)]
    keep: f64,
}

#[derive(Args)]
struct Keys {
    /// The folder.
    folder: PathBuf,
    /// Names and addresses of servers, as clients write them. Without any, the command makes a
    /// token for the loopback interface.
    #[arg(long = "server")]
    servers: Vec<String>,
}

fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let result = match Cli::parse().command {
        Verb::Serve(serve) => run(&serve),
        Verb::Keys(keys) if keys.servers.is_empty() => keys::make_token(&keys.folder),
        Verb::Keys(keys) => keys::make_certificates(&keys.folder, &keys.servers),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("muxcl-hal-server: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Serve) -> Result<()> {
    let access = Access::read(&args.keys, Side::Server)?;
    let keep = Duration::try_from_secs_f64(args.keep).context("--keep")?;
    let mut options = Options::from_environment();
    if args.hal.is_some() {
        options.device.clone_from(&args.hal);
    }
    // SAFETY: the library that the user names, or that of this build, is a HAL library.
    let hal: Arc<dyn Hal> = Arc::from(unsafe { load(&options) }?);
    let server = Server::new(hal, keep);
    let sweeper = Arc::clone(&server);
    muxcl_os::spawn_detached("muxcl-sweep", STACK, move || {
        loop {
            std::thread::sleep(keep.div_f64(4.0).clamp(SHORTEST, LONGEST));
            sweeper.sweep();
        }
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = Listener::bind(args.listen, access).await?;
        let devices = server.platform().devices.len();
        println!("{devices} devices at {}", listener.address()?);
        std::io::stdout().flush()?;
        serve(server, listener).await?;
        Ok(())
    })
}

/// Bounds of the time between two looks at the sessions.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(1);
