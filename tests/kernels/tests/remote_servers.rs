//! Three servers of the remote HAL, one of which is killed while kernels run on all of them. Its
//! kernel fails; the other servers, and the application, go on. After a new start of the server,
//! a new context uses its device.
//!
//! Without arguments, this uses the loopback interface. With `--namespaces`, as root, each server
//! has a network namespace and a link of 100 Mbit/s, and the test measures the links
//! (`docs/remote.md`).
#![expect(clippy::print_stdout, reason = "a test harness reports on the terminal")]

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::sys::CL_MEM_READ_WRITE;
use muxcl_client::{Context, Device, Event, Platform, Program, Queue};
use muxcl_test_kernels::driver;
use muxcl_test_kernels::remote::{
    Link, RemoteServer, echo, make_keys, program, round_trip, shortest,
};

const SOURCE: &str = "
kernel void add(global uint *data, uint n) { data[get_global_id(0)] += n; }
kernel void spins(global uint *out, uint rounds) {
  uint x = 1;
  for (uint n = 0; n < rounds; n++) x = x * 1664525u + 1013904223u;
  out[get_global_id(0)] = x;
}";

/// Rounds of `spins` that take the simulator about a second.
const ROUNDS: u32 = 150_000_000;
/// The port of the servers in namespaces, and of an echo.
const PORT: u16 = 7117;
const ECHO_PORT: u16 = 7118;
/// The links' rate in bytes per second, and their delay in each direction.
const RATE: f64 = 12.5e6;
const DELAY: Duration = Duration::from_millis(1);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--echo", address] => {
            TcpListener::bind(address).map_err(Into::into).and_then(|socket| echo(&socket))
        }
        ["--namespaces"] => namespaces(),
        _ => loopback(),
    };
    match result {
        Ok(()) => {
            println!("test remote_servers ... ok");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("test remote_servers ... FAILED\n{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn loopback() -> Result<()> {
    let keys = tempfile::tempdir()?;
    make_keys(keys.path(), &[])?;
    let start = |listen: &str| RemoteServer::start(listen, keys.path(), None);
    let servers = (0..3).map(|_| start("127.0.0.1:0")).collect::<Result<Vec<_>>>()?;
    let addresses: Vec<SocketAddr> = servers.iter().map(|server| server.address).collect();
    choose(&addresses, keys.path())?;
    one_dies(servers, &|listen| start(&listen.to_string()))
}

/// Three network namespaces, each with a link to that of this program.
struct Namespaces;

impl Namespaces {
    fn name(n: usize) -> String {
        format!("muxcl-remote-{n}")
    }

    fn address(n: usize) -> String {
        format!("10.117.{n}.2")
    }

    fn create() -> Result<Self> {
        let this = Self;
        this.remove();
        for n in 0..3 {
            let (name, near, far) = (Self::name(n), format!("muxcl-n{n}"), format!("muxcl-f{n}"));
            ip(&["netns", "add", &name])?;
            ip(&["link", "add", &near, "type", "veth", "peer", "name", &far, "netns", &name])?;
            ip(&["address", "add", &format!("10.117.{n}.1/24"), "dev", &near])?;
            ip(&["link", "set", &near, "up"])?;
            let inside = |arguments: &[&str]| {
                let begin = ["netns", "exec", &name];
                ip(&[begin.as_slice(), arguments].concat())
            };
            inside(&["ip", "address", "add", &format!("{}/24", Self::address(n)), "dev", &far])?;
            inside(&["ip", "link", "set", &far, "up"])?;
            inside(&["ip", "link", "set", "lo", "up"])?;
            let limit = ["root", "tbf", "rate", "100mbit", "burst", "32kbit", "latency", "50ms"];
            let tc = |dev| [["tc", "qdisc", "add", "dev", dev].as_slice(), &limit].concat();
            inside(&tc(&far))?;
            command(&tc(&near))?;
        }
        Ok(this)
    }

    fn remove(&self) {
        for n in 0..3 {
            // Fails if an earlier run has left nothing.
            let quiet = || Stdio::null();
            let _ =
                Command::new("ip").args(["netns", "del", &Self::name(n)]).stderr(quiet()).status();
        }
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        self.remove();
    }
}

fn ip(arguments: &[&str]) -> Result<()> {
    command(&[["ip"].as_slice(), arguments].concat())
}

fn command(line: &[&str]) -> Result<()> {
    let (program, arguments) = line.split_first().context("a program")?;
    let status = Command::new(program).args(arguments).status();
    let status = status.with_context(|| (*program).to_owned())?;
    ensure!(status.success(), "{}: {status}; root makes namespaces", line.join(" "));
    Ok(())
}

fn namespaces() -> Result<()> {
    let _namespaces = Namespaces::create()?;
    let keys = tempfile::tempdir()?;
    let hosts: Vec<String> = (0..3).map(Namespaces::address).collect();
    let names: Vec<&str> = hosts.iter().map(String::as_str).chain(["127.0.0.1"]).collect();
    make_keys(keys.path(), &names)?;
    ensure!(program()?.exists(), "the server");
    let start = |listen: SocketAddr| {
        let n = hosts.iter().position(|host| *host == listen.ip().to_string());
        let name = Namespaces::name(n.context("a host")?);
        RemoteServer::start(&listen.to_string(), keys.path(), Some(&name))
    };
    let mut addresses = Vec::new();
    for host in &hosts {
        addresses.push(SocketAddr::new(host.parse()?, PORT));
    }
    let servers = addresses.iter().map(|to| start(*to)).collect::<Result<Vec<_>>>()?;
    // The first server is also behind a link with a delay, which this kernel of Linux may not have.
    let slow = Link::to(addresses[0], DELAY, f64::INFINITY)?;
    let listen = SocketAddr::new(addresses[0].ip(), ECHO_PORT);
    let _echo = Echo::start(listen)?;
    let slow_echo = Link::to(listen, DELAY, f64::INFINITY)?;
    let mut all = addresses.clone();
    all.push(slow.address);
    choose(&all, keys.path())?;
    measure(&devices()?[3], round_trip(slow_echo.address)?)?;
    one_dies(servers, &start)
}

/// An echo in the first namespace.
struct Echo(Child);

impl Echo {
    fn start(listen: SocketAddr) -> Result<Self> {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &Namespaces::name(0)]).arg(std::env::current_exe()?);
        let echo = Self(command.args(["--echo", &listen.to_string()]).spawn()?);
        std::thread::sleep(Duration::from_millis(500));
        Ok(echo)
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sets the environment for these servers.
fn choose(servers: &[SocketAddr], keys: &std::path::Path) -> Result<()> {
    let servers: Vec<String> = servers.iter().map(SocketAddr::to_string).collect();
    let variables = [
        ("MUXCL_DEVICES", "hal"),
        ("CA_HAL_DEVICE", "remote"),
        ("MUXCL_REMOTE", &servers.join(",")),
        ("MUXCL_REMOTE_KEYS", &keys.display().to_string()),
    ];
    for (name, value) in variables {
        // SAFETY: no thread uses the environment yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    unsafe { driver::choose()? };
    Ok(())
}

fn devices() -> Result<Vec<Device>> {
    Ok(Platform::all()?.first().context("no platform")?.devices()?)
}

/// A device in use.
struct Used {
    context: Context,
    program: Program,
    queue: Queue,
}

impl Used {
    fn new(device: Device) -> Result<Self> {
        let context = Context::new(device)?;
        let program = context.build(device, SOURCE, "")?;
        let queue = context.queue(device, 0)?;
        Ok(Self { context, program, queue })
    }

    /// Begins `spins`.
    fn spin(&self, rounds: u32) -> Result<Event> {
        let buffer = self.context.buffer(CL_MEM_READ_WRITE, 4)?;
        let mut kernel = self.program.kernel("spins")?;
        kernel.set_buffer(0, &buffer)?;
        kernel.set(1, rounds)?;
        let event = self.queue.run_event(&kernel, &[1], None)?;
        self.queue.flush()?;
        Ok(event)
    }

    /// Runs `add`, and checks what it does.
    fn add(&self) -> Result<()> {
        let buffer = self.context.buffer_with(&[5_u32; 100])?;
        let mut kernel = self.program.kernel("add")?;
        kernel.set_buffer(0, &buffer)?;
        kernel.set(1, 2_u32)?;
        for _ in 0..10 {
            self.queue.run(&kernel, &[100], None, None)?;
        }
        let mut found = [0_u32; 100];
        self.queue.read(&buffer, &mut found)?;
        ensure!(found == [25; 100], "{:?}", &found[..4]);
        Ok(())
    }
}

fn one_dies(
    mut servers: Vec<RemoteServer>,
    start: &dyn Fn(SocketAddr) -> Result<RemoteServer>,
) -> Result<()> {
    let devices = devices()?;
    for (device, server) in devices.iter().zip(&servers) {
        let name = device.name()?;
        ensure!(name.contains(&format!(" at {} ", server.address)), "{name}");
    }
    let used = devices.iter().take(3).map(|d| Used::new(*d)).collect::<Result<Vec<_>>>()?;
    for used in &used {
        used.add()?;
        used.spin(1)?.wait()?;
    }
    let events = used.iter().map(|used| used.spin(ROUNDS)).collect::<Result<Vec<_>>>()?;
    std::thread::sleep(Duration::from_millis(100));
    ensure!(events[1].status()? > 0, "the kernel still runs");
    let begin = Instant::now();
    servers[1].kill();
    ensure!(events[1].wait().is_err(), "the kernel of the server that died");
    ensure!(events[1].status()? < 0, "its event has an error");
    ensure!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    for living in [0, 2] {
        events[living].wait()?;
        ensure!(events[living].status()? == 0, "server {living} goes on");
        used[living].add()?;
    }
    ensure!(used[1].add().is_err(), "the server is away");
    // The objects of the server that died are gone with it; new ones are on the new server.
    servers[1] = start(servers[1].address)?;
    ensure!(used[1].add().is_err(), "the memory and the programs are lost");
    let [first, dead, last] = <[Used; 3]>::try_from(used).ok().context("three servers")?;
    drop((events, dead));
    std::thread::sleep(Duration::from_millis(1100));
    let dead = Used::new(devices[1])?;
    for used in [&first, &dead, &last] {
        used.add()?;
    }
    Ok(())
}

/// Measures a link of 100 Mbit/s with 1 ms in each direction.
fn measure(device: &Device, round_trip: Duration) -> Result<()> {
    let used = Used::new(*device)?;
    let mut bytes = vec![7_u8; 16 << 20];
    let buffer = used.context.buffer(CL_MEM_READ_WRITE, bytes.len())?;
    used.queue.write(&buffer, &bytes[..1])?;
    used.queue.finish()?;
    let part = |begin: Instant| f64::from(16 << 20) / begin.elapsed().as_secs_f64() / RATE;
    let begin = Instant::now();
    used.queue.write(&buffer, &bytes)?;
    used.queue.finish()?;
    let write = part(begin);
    let begin = Instant::now();
    used.queue.read(&buffer, &mut bytes)?;
    let read = part(begin);
    let mut kernel = used.program.kernel("add")?;
    kernel.set_buffer(0, &buffer)?;
    kernel.set(1, 1_u32)?;
    let launches = |count: usize| {
        shortest(|| {
            (0..count).try_for_each(|_| used.queue.run(&kernel, &[1], None, None))?;
            Ok(used.queue.finish()?)
        })
    };
    let (one, many) = (launches(1)?, launches(50)?);
    let trips = |time: Duration| time.as_secs_f64() / round_trip.as_secs_f64();
    println!("write {write:.3} and read {read:.3} of 100 Mbit/s");
    println!(
        "round trip {round_trip:?}; a launch {:.3}, 50 launches {:.3}",
        trips(one),
        trips(many)
    );
    ensure!(write >= 0.8 && read >= 0.8, "transfers use 80 % of the link");
    ensure!(trips(one) <= 1.2, "a launch takes 1.2 round trips");
    ensure!(trips(many) <= 10.0, "launches do not wait for each other");
    Ok(())
}
