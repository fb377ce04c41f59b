//! The remote HAL against a server in this process: memory, programs, sessions, lost connections,
//! access, and launches over a link with a delay.
#![expect(clippy::cast_possible_truncation, reason = "small numbers")]

mod common;

use common::{client, start, token, wait_until};
use muxcl_hal::{Argument, Call, Device, Hal, HalError, Kernel, NdRange, Program};
use muxcl_hal_server::keys;
use muxcl_test_kernels::remote::Link;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a session is kept without a connection.
const KEEP: Duration = Duration::from_secs(60);
const ONE: NdRange = NdRange { offset: [0; 3], global: [1; 3], local: [1; 3] };
/// A rate that limits nothing, in bytes per second.
const FAST: f64 = f64::INFINITY;

fn execute(
    device: &dyn Device,
    program: Program,
    kernel: Kernel,
    arguments: &[Argument<'_>],
) -> Result<(), HalError> {
    device.execute(program, kernel, &ONE, arguments, 1)
}

#[test]
fn memory_and_kernels() {
    let keys = token();
    let (server, address) = start(keys.path(), KEEP);
    let hal = client(address, keys.path()).unwrap();
    assert_eq!(hal.device_count(), 2);
    let info = hal.device_info(1).unwrap();
    assert_eq!(info.target_name, format!("Chip 1 at {address}"));
    assert!(info.properties.concurrent_calls && info.counters.len() == 1);
    let device = hal.create_device(1).unwrap();
    let size = 3_000_001;
    let (a, b) = (device.alloc(size, 64).unwrap(), device.alloc(size, 4096).unwrap());
    assert!(a.is_multiple_of(64) && b.is_multiple_of(4096));
    let sent: Vec<u8> = (0..size).map(|i| ((i * i) >> 5) as u8).collect();
    device.write(a, &sent).unwrap();
    device.copy(b, a, size).unwrap();
    device.fill(b + 8, b"abc", 10).unwrap();
    let mut expected = sent.clone();
    expected[8..17].copy_from_slice(b"abcabcabc");
    let mut found = vec![0; size as usize];
    device.read(b, &mut found).unwrap();
    assert!(found == expected);
    device.read(a + size, &mut []).unwrap();

    let program = device.load(b"a program").unwrap();
    let [add, fault] = [c"add", c"fault"].map(|name| device.find(program, name).unwrap());
    let none = device.find(program, c"none");
    assert_eq!(none, Err(HalError::NoKernel("none".into())));
    device.enable_counters(true);
    device.write(a, &5_u64.to_le_bytes()).unwrap();
    let value = 37_u64.to_le_bytes();
    let arguments = [Argument::Global { address: a, size: 8 }, Argument::Value(&value)];
    execute(&*device, program, add, &arguments).unwrap();
    assert_eq!((device.read_counter(5, 0), device.read_counter(5, 0)), (Some(1), None));
    let mut number = [0; 8];
    device.read(a, &mut number).unwrap();
    assert_eq!(u64::from_le_bytes(number), 42);
    let failed = execute(&*device, program, fault, &[]);
    assert_eq!(failed, Err(HalError::Fault("at 0x1234".into())));
    let full = device.alloc(1 << 40, 8);
    assert_eq!(full, Err(HalError::OutOfMemory { size: 1 << 40, alignment: 8 }));
    assert_eq!(server.objects(), (1, 3));
    device.unload(program).unwrap();
    device.free(a).unwrap();
    assert!(device.free(a).is_err() && device.unload(program).is_err());
    drop(device);
    wait_until(|| server.objects() == (0, 0));
}

#[test]
fn clients_do_not_reach_each_other() {
    let keys = token();
    let (server, address) = start(keys.path(), KEEP);
    let hals = [(); 2].map(|()| client(address, keys.path()).unwrap());
    let [one, two] = hals.each_ref().map(|hal| hal.create_device(0).unwrap());
    let (a, b) = (one.alloc(64, 64).unwrap(), two.alloc(64, 64).unwrap());
    assert_ne!(a, b, "both have the one device");
    one.write(a, &[1; 64]).unwrap();
    for refused in [
        two.read(a, &mut [0; 8]),
        two.write(a, &[0; 8]),
        two.write(b, &[0; 65]),
        two.copy(b, a, 8),
        two.fill(a, b"x", 8),
        two.free(a),
    ] {
        assert!(matches!(refused, Err(HalError::Reported { .. })), "{refused:?}");
    }
    let program = one.load(b"a program").unwrap();
    assert!(two.find(program, c"add").is_err() && two.unload(program).is_err());
    let add = one.find(program, c"add").unwrap();
    assert!(execute(&*two, program, add, &[]).is_err());
    let own = two.load(b"a program").unwrap();
    assert!(execute(&*two, own, Kernel(3), &[]).is_err(), "a kernel that it has not found");
    let mut found = [0; 64];
    one.read(a, &mut found).unwrap();
    assert_eq!(found, [1; 64]);
    drop(one);
    wait_until(|| server.objects() == (1, 2));
    two.write(b, &[2; 64]).unwrap();
}

#[test]
fn a_program_is_sent_once() {
    let keys = token();
    let (_, address) = start(keys.path(), KEEP);
    let link = Link::to(address, Duration::ZERO, FAST).unwrap();
    let elf: Vec<u8> = (0..1 << 20).map(|i: u32| (i ^ i >> 8) as u8).collect();
    let load = || {
        let hal = client(link.address, keys.path()).unwrap();
        hal.create_device(0).unwrap().load(&elf).unwrap();
    };
    load();
    let first = link.sent();
    load();
    let second = link.sent() - first;
    assert!(first > 1 << 20 && second < 1 << 14, "{first} and {second} bytes");
}

/// The calls on a broken connection fail. The next ones find memory and programs again.
#[test]
fn a_connection_that_breaks() {
    let keys = token();
    let (server, address) = start(keys.path(), KEEP);
    let link = Link::to(address, Duration::ZERO, FAST).unwrap();
    let hal = client(link.address, keys.path()).unwrap();
    let device = hal.create_device(0).unwrap();
    let (kept, freed) = (device.alloc(8, 8).unwrap(), device.alloc(8, 8).unwrap());
    device.write(kept, &[7; 8]).unwrap();
    let program = device.load(b"a program").unwrap();
    let sleep = device.find(program, c"sleep").unwrap();
    let time = 300_u64.to_le_bytes();
    std::thread::scope(|scope| {
        let long = scope.spawn(|| execute(&*device, program, sleep, &[Argument::Value(&time)]));
        std::thread::sleep(Duration::from_millis(100));
        link.cut();
        let failed = long.join().unwrap();
        assert!(matches!(failed, Err(HalError::Unreachable(_))), "{failed:?}");
    });
    let mut found = [0; 8];
    device.read(kept, &mut found).unwrap();
    assert_eq!(found, [7; 8]);
    link.cut();
    // It is freed when there is a connection again.
    device.free(freed).unwrap();
    let time = 0_u64.to_le_bytes();
    execute(&*device, program, sleep, &[Argument::Value(&time)]).unwrap();
    assert_eq!(server.objects(), (1, 2));
}

/// A client that disappears: what it has is freed after a while, and if it comes back too late, its
/// device is lost until it is created again.
#[test]
fn a_client_that_dies() {
    let keys = token();
    let (server, address) = start(keys.path(), Duration::from_millis(100));
    let link = Link::to(address, Duration::ZERO, FAST).unwrap();
    let hal = client(link.address, keys.path()).unwrap();
    let device = hal.create_device(0).unwrap();
    let memory = device.alloc(8, 8).unwrap();
    device.load(b"a program").unwrap();
    server.sweep();
    assert_eq!(server.objects(), (1, 2));
    link.cut();
    wait_until(|| {
        server.sweep();
        server.objects() == (0, 0)
    });
    // The first call may still find that the connection is broken.
    let _ = device.write(memory, &[0; 8]);
    assert_eq!(device.write(memory, &[0; 8]), Err(HalError::NoSession));
    drop(device);
    hal.create_device(0).unwrap().alloc(8, 8).unwrap();
}

#[test]
fn access_is_checked() {
    let (keys, other) = (token(), token());
    let (_, address) = start(keys.path(), KEEP);
    let refused = |keys: &Path| match client(address, keys) {
        Err(HalError::Start(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(refused(other.path()).contains("token"), "{}", refused(other.path()));

    let servers = ["127.0.0.1".to_owned()];
    let made = [(); 2].map(|()| {
        let folder = tempfile::tempdir().unwrap();
        keys::make_certificates(folder.path(), &servers).unwrap();
        assert!(keys::make_certificates(folder.path(), &servers).is_err(), "nothing is replaced");
        folder
    });
    let [ours, theirs] = made.each_ref().map(tempfile::TempDir::path);
    let (_, address) = start(ours, KEEP);
    let hal = client(address, ours).unwrap();
    let device = hal.create_device(0).unwrap();
    let memory = device.alloc(1 << 20, 8).unwrap();
    device.write(memory, &vec![3; 1 << 20]).unwrap();
    // No certificate of the authority; a certificate of another one; no encryption.
    assert!(client(address, theirs).is_err());
    std::fs::copy(ours.join("ca.pem"), theirs.join("ca.pem")).unwrap();
    assert!(client(address, theirs).is_err());
    assert!(client(address, keys.path()).is_err());
    // A server's certificate does not make a client, and names its server.
    for file in ["pem", "key"] {
        let (from, to) = (format!("server.{file}"), format!("client.{file}"));
        std::fs::copy(ours.join(from), theirs.join(to)).unwrap();
    }
    assert!(client(address, theirs).is_err());
    let wrong_name = [format!("localhost:{}", address.port())];
    assert!(hal_remote::RemoteHal::connect(&wrong_name, ours).is_err());
    // A token is sent to no other machine.
    let far = client("192.0.2.1:7117".parse().unwrap(), keys.path());
    assert!(matches!(far, Err(HalError::Start(text)) if text.contains("certificates")));
}

/// Launches in flight: many take little more time than one. One takes one round trip.
#[test]
fn launches_do_not_wait_for_each_other() {
    let keys = token();
    let (_, address) = start(keys.path(), KEEP);
    let delay = Duration::from_millis(20);
    let link = Link::to(address, delay, FAST).unwrap();
    let hal = client(link.address, keys.path()).unwrap();
    let device = hal.create_device(0).unwrap();
    let memory = device.alloc(8, 8).unwrap();
    let program = device.load(b"a program").unwrap();
    let add = device.find(program, c"add").unwrap();
    let fault = device.find(program, c"fault").unwrap();
    let value = 1_u64.to_le_bytes();
    let arguments = [Argument::Global { address: memory, size: 8 }, Argument::Value(&value)];
    let launch = |kernel| Call::Execute {
        program,
        kernel,
        range: ONE,
        arguments: &arguments,
        dimensions: 1,
    };
    let mut found = [0; 8];
    let mut calls = vec![Call::Write { to: memory, from: &[0; 8] }];
    calls.extend((0..100).map(|_| launch(add)));
    calls.extend([launch(fault), launch(add)]);
    calls.push(Call::Read { from: memory, into: &mut found });
    let begin = Instant::now();
    let mut results = Vec::new();
    device.run(&mut calls, &mut |number, result| {
        assert_eq!(number, results.len());
        results.push(result);
    });
    let took = begin.elapsed();
    drop(calls);
    assert_eq!(u64::from_le_bytes(found), 101);
    assert_eq!(results.len(), 104);
    let failed: Vec<usize> = (0..104).filter(|n| results[*n].is_err()).collect();
    assert_eq!(failed, [101]);
    // 104 round trips would take 4 s.
    assert!(took < Duration::from_secs(1), "{took:?}");
}

/// Large transfers in both directions, in one list: neither side waits for the other for ever.
#[test]
fn large_transfers_in_both_directions() {
    let keys = token();
    let (_, address) = start(keys.path(), KEEP);
    let hal = client(address, keys.path()).unwrap();
    let device = hal.create_device(0).unwrap();
    let size = 20 << 20;
    let memory = device.alloc(size, 8).unwrap();
    let (sent, mut one, mut two) =
        (vec![9; size as usize], vec![0; size as usize], vec![0; size as usize]);
    let mut calls = [
        Call::Read { from: memory, into: &mut one },
        Call::Write { to: memory, from: &sent },
        Call::Read { from: memory, into: &mut two },
        Call::Write { to: memory, from: &sent },
    ];
    device.run(&mut calls, &mut |_, result| result.unwrap());
    assert!(one.iter().all(|byte| *byte == 0) && two == sent);
}
