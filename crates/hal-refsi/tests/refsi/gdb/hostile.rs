//! Bytes that no client sends: the device answers or closes the connection, and goes on.

use super::client::{Client, packet};
use super::{Debugged, ended, options};
use crate::common::run;
use crate::common::{global, range};
use hal_refsi::Soc;
use muxcl_hal::Argument;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// Beginnings of packets, which random bytes follow or change.
const PACKETS: [&str; 30] = [
    "g",
    "G00",
    "p20",
    "P20=00",
    "m1000,4",
    "M1000,4:00",
    "X40000000,4:abcd",
    "Z0,1000,4",
    "Z2,40000000,8",
    "z0,1000,4",
    "vCont;c",
    "vCont;s:p1.1;c",
    "vCont;r1000,2000:p1.1;c",
    "vCont;s",
    "vCont?",
    "Hgp1.1",
    "Hc-1",
    "T1",
    "qRcmd,6861",
    "qXfer:features:read:target.xml:0,fff",
    "qXfer:libraries:read::0,fff",
    "vFile:open:2f72,0,0",
    "vFile:pread:0,ffff,0",
    "vFile:pread:ffffffff,ffffffffffff,ffffffffffffffff",
    "vFile:fstat:0",
    "vFile:setfs:0",
    "?",
    "c",
    "s",
    "qThreadExtraInfo,p1.ff",
];

fn session(random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    if random.bool() {
        bytes.push([b'+', b'$', 3][random.usize(..3)]);
    }
    for _ in 0..random.usize(..30) {
        match random.u32(..8) {
            0 => bytes.extend((0..random.usize(..64)).map(|_| random.u8(..))),
            1 => bytes.push([b'+', b'-', b'$', b'#', 3, b'}', b'*'][random.usize(..7)]),
            2 => {
                // Longer than any packet.
                bytes.push(b'$');
                bytes.extend(vec![b'a'; random.usize(..100_000)]);
            }
            kind => {
                let mut content = PACKETS[random.usize(..PACKETS.len())].as_bytes().to_vec();
                if kind < 6 {
                    let at = random.usize(..=content.len());
                    match random.u32(..3) {
                        0 => content.truncate(at),
                        1 => content.insert(at, random.u8(..)),
                        _ => content.extend((0..random.usize(..9)).map(|_| random.u8(32..127))),
                    }
                }
                bytes.extend(packet(&content));
            }
        }
    }
    bytes
}

/// Number of panics on threads of debuggers, which the device would hide.
static PANICS: AtomicU32 = AtomicU32::new(0);

fn count_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() == Some("refsi-gdb") {
            PANICS.fetch_add(1, Ordering::Relaxed);
        }
        usual(info);
    }));
}

#[test]
fn any_bytes_leave_the_device_usable() {
    count_panics();
    for target in ["RV64GCV", "RV32GCV"] {
        let d = Debugged::new(&options(Soc::G1, target));
        let (device, program, out) = (d.device.clone(), d.program, d.out);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let launches = scope.spawn(|| {
                let mut count = 0;
                while !stop.load(Ordering::Relaxed) {
                    let times = 100u64.to_le_bytes();
                    let word = if target == "RV32GCV" { 4 } else { 8 };
                    let arguments = [global(out), Argument::Value(&times[..word])];
                    // A client may have changed code or registers, so it may fail.
                    let _ = run(&*device, program, "sum", &range(20, 1), &arguments);
                    count += 1;
                }
                count
            });
            let mut random = fastrand::Rng::with_seed(17);
            for _ in 0..300 {
                let bytes = session(&mut random);
                let address = d.device.debugger_address().expect("a port");
                let mut stream = TcpStream::connect(address).expect("the device listens");
                stream.set_read_timeout(Some(Duration::from_millis(1))).expect("a timeout");
                stream.set_write_timeout(Some(Duration::from_secs(60))).expect("a timeout");
                stream.set_nodelay(true).expect("an option");
                for part in bytes.chunks(random.usize(500..50_000)) {
                    // The device may close the connection at any time.
                    if stream.write_all(part).is_err() {
                        break;
                    }
                }
                // The device gets the last bytes before the end of the connection, or not.
                let _ = stream.read(&mut [0; 4096]);
            }
            stop.store(true, Ordering::Relaxed);
            // The device goes on after the last client, too.
            assert!(launches.join().expect("no panic") > 0);
        });
        // Every program is as the host loaded it, once it is loaded again.
        let fresh = Debugged::new(&options(Soc::G1, target));
        let launch = fresh.launch("sum", 10, &[1]);
        let client: Client = fresh.connect();
        client.detach();
        ended(launch).expect("it runs");
        assert_eq!(fresh.sum(), 55);
    }
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
}

#[test]
fn a_request_of_a_browser_stops_nothing() {
    let d = Debugged::new(&options(Soc::G1, "RV64GCV"));
    d.connect().detach();
    let address = d.device.debugger_address().expect("a port");
    let mut browser = TcpStream::connect(address).expect("the device listens");
    let request = [b"POST / HTTP/1.1\r\n\r\n".to_vec(), packet(b"M40000000,1:00")].concat();
    browser.write_all(&request).expect("sent");
    assert!(Client { stream: browser }.is_closed());
    // A silent connection does not stop anything either.
    let silent = TcpStream::connect(address).expect("the device listens");
    ended(d.launch("sum", 10, &[1])).expect("it runs");
    drop(silent);
    assert_eq!(d.sum(), 55);
}
