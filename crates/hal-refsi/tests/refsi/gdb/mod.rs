//! The debugger's protocol, spoken by a client in the test: RV64 and RV32, M1 and G1, work-groups
//! and work-items. Not here: gdb itself and source lines (`muxcl-test-kernels`, test `gdb`).

mod client;
mod hostile;

use crate::common::{Linking, buffer, build, global, range, run, words};
use client::{Client, bytes, hex, number};
use hal_refsi::{Options, RefsiDevice, Soc, ThreadMode};
use muxcl_hal::{Argument, Device, HalError, Program};
use std::sync::Arc;
use std::thread::JoinHandle;

/// A device that waits for a client, and its program.
struct Debugged {
    device: Arc<RefsiDevice>,
    program: Program,
    out: u64,
    /// Size of a word in bytes.
    word: usize,
    elf: Vec<u8>,
}

fn options(soc: Soc, target: &str) -> Options {
    Options {
        target: target.parse().expect("an instruction set"),
        gdb: Some(0),
        max_instructions: 50_000_000,
        ..Options::new(soc)
    }
}

/// The devices that a test covers.
fn all() -> [Options; 3] {
    [options(Soc::G1, "RV64GCV"), options(Soc::G1, "RV32GCV"), options(Soc::M1, "RV64GCV_Zbc")]
}

impl Debugged {
    fn new(options: &Options) -> Self {
        let device = Arc::new(RefsiDevice::new(options).expect("a device"));
        let source = if options.mode == ThreadMode::WorkItem { "items.c" } else { "kernels.c" };
        let elf = build(source, options.word_size(), Linking::Pie);
        let program = device.load(&elf).expect("a program");
        let out = buffer(&*device, 64);
        let word = options.word_size() as usize / 8;
        Self { device, program, out, word, elf }
    }

    fn connect(&self) -> Client {
        Client::connect(self.device.debugger_address().expect("a port"))
    }

    /// Launches a kernel of `groups` groups on a thread of its own. The arguments are the buffer
    /// and words.
    fn launch(
        &self,
        kernel: &'static str,
        groups: u64,
        values: &[u64],
    ) -> JoinHandle<Result<(), HalError>> {
        let (device, program, out) = (self.device.clone(), self.program, self.out);
        let word = self.word;
        let values: Vec<Vec<u8>> = values.iter().map(|v| v.to_le_bytes().to_vec()).collect();
        std::thread::spawn(move || {
            let mut arguments = Vec::new();
            if kernel != "fault" {
                arguments.push(global(out));
            }
            arguments.extend(values.iter().map(|v| Argument::Value(&v[..word])));
            run(&*device, program, kernel, &range(groups, 1), &arguments)
        })
    }

    /// The first sum that the kernel `sum` computes.
    fn sum(&self) -> u64 {
        let mut bytes = vec![0; self.word];
        self.device.read(self.out, &mut bytes).expect("read");
        number(&bytes)
    }
}

fn ended(launch: JoinHandle<Result<(), HalError>>) -> Result<(), HalError> {
    launch.join().expect("no panic")
}

#[test]
fn a_client_sees_registers_memory_breakpoints_and_steps() {
    for options in all() {
        let d = Debugged::new(&options);
        let word = d.word;
        let launch = d.launch("sum", 10, &[3]);
        let mut c = d.connect();
        // The harts are at the loader's entry.
        assert!(c.ask("?").starts_with("T05thread:p01.01;"));
        let kernel = c.kernel("sum");
        while !c.monitor("harts").starts_with("hart 0, work-group (0, 0, 0), pc 0x") {}
        assert_eq!(c.ask("qfThreadInfo").matches("p01.").count(), options.harts as usize);
        c.select(0);
        let general = bytes(&c.ask("g"));
        assert_eq!(general.len(), 33 * word + 32 * 8 + 3 * 4);
        let entry = c.pc();
        assert_eq!(number(&general[32 * word..33 * word]), entry);
        let code = c.memory(entry, 8);
        let mut real = [0; 8];
        d.device.read(entry, &mut real).expect("read");
        assert_eq!(code, real);
        // A part of memory that ends in a hole, and a hole.
        let end = 0xc000_0000_u64 - 4;
        assert_eq!(c.ask(&format!("m{end:x},10")).len(), 8);
        assert!(c.ask("mc0000000,4").starts_with('E'));
        assert!(c.ask("mffffffffffffffff,4").starts_with('E'));
        assert!(c.ask(&format!("M{entry:x},1:00")).starts_with('E'), "ROM");
        assert!(c.ask("Z0,c0000000,4").starts_with('E'));
        c.order(&format!("M{:x},2:abcd", d.out + 128));
        assert_eq!(c.memory(d.out + 128, 2), [0xab, 0xcd]);
        // A breakpoint at the kernel: the first hart that comes there.
        c.order(&format!("Z0,{kernel:x},4"));
        let stop = c.ask("vCont;c");
        assert!(stop.starts_with("T05thread:p01.01;swbreak:;"), "{stop}");
        assert_eq!(c.pc(), kernel);
        // The first argument is the address of the packed arguments.
        let arguments = number(&c.register(10));
        assert_eq!(number(&c.memory(arguments, word)), d.out);
        let text = c.monitor(&format!("disassemble {kernel:#x} 3"));
        assert!(text.starts_with(&format!("{kernel:#x} ")) && text.lines().count() == 3, "{text}");
        assert!(c.monitor("disassemble 0xc0000000").ends_with("no memory\n"));
        assert!(c.monitor("disassemble").contains("monitor programs"));
        // Steps go on to the next instruction, whether or not a breakpoint is there.
        let stop = c.ask("vCont;s:p1.1;c");
        assert!(stop.starts_with("T05thread:p01.01;"), "{stop}");
        let second = c.pc();
        assert!(second == kernel + 2 || second == kernel + 4);
        let stop = c.ask("vCont;s:p1.1");
        assert!(stop.starts_with("T05thread:p01.01;") && c.pc() != second);
        // Registers can be changed: the kernel counts from there, so both are restored.
        let old = c.register(18);
        let new: Vec<u8> = (1..=word).map(|k| u8::try_from(k).expect("small")).collect();
        c.order(&format!("P12={}", hex(&new)));
        assert_eq!(c.register(18), new);
        c.order(&format!("P12={}", hex(&old)));
        assert!(c.ask("p1000").starts_with('E') && c.ask("P1000=00").starts_with('E'));
        let v0 = c.register(33 + 35 + 10);
        assert_eq!(v0.len(), options.vlen as usize / 8);
        // Each group is one call of the kernel, so nine more calls follow.
        let mut calls = 1;
        loop {
            c.send("vCont;c");
            if calls == 10 {
                break;
            }
            let stop = c.reply();
            assert!(stop.contains("swbreak:;"), "{stop}");
            calls += 1;
            let thread = stop.split_once("p01.").and_then(|(_, t)| t.split_once(';'));
            let thread = thread.expect("a thread").0;
            // Real clients step over the breakpoint where they stand.
            c.send(&format!("vCont;s:p1.{thread}"));
            assert!(c.reply().starts_with("T05"));
        }
        ended(launch).expect("it runs");
        assert_eq!(d.sum(), 3 * 55);
        // Between launches the client can interrupt, and detach.
        c.interrupt();
        assert!(c.reply().starts_with("T02thread:p01."));
        assert!(c.monitor("harts").contains("hart 0, idle"));
        // A step of an idle hart is over at once.
        assert!(c.ask("vCont;s:p1.1;c").starts_with("T05thread:p01.01;"));
        c.order(&format!("z0,{kernel:x},4"));
        c.detach();
        ended(d.launch("sum", 10, &[1])).expect("it runs");
        assert_eq!(d.sum(), 4 * 55);
    }
}

#[test]
fn a_client_that_is_gone_lets_execution_go_on() {
    for options in all() {
        let d = Debugged::new(&options);
        // While harts run, while they are stopped, before the first byte, and with `k`.
        let launch = d.launch("sum", 100, &[1000]);
        let mut c = d.connect();
        c.send("vCont;c");
        drop(c);
        ended(launch).expect("it runs");
        let mut c = d.connect();
        let kernel = c.kernel("sum");
        c.order(&format!("Z1,{kernel:x},4"));
        let launch = d.launch("sum", 100, &[1000]);
        assert!(c.ask("vCont;c").contains("swbreak:;"));
        drop(c);
        ended(launch).expect("it runs");
        drop(std::net::TcpStream::connect(d.device.debugger_address().expect("a port")));
        ended(d.launch("sum", 100, &[1000])).expect("it runs");
        let mut c = d.connect();
        let launch = d.launch("sum", 100, &[1000]);
        c.send("k");
        ended(launch).expect("it runs");
        assert_eq!(d.sum(), 4 * 1000 * 5050);
    }
}

#[test]
fn a_second_client_is_turned_away() {
    let d = Debugged::new(&options(Soc::G1, "RV64GCV"));
    let launch = d.launch("sum", 10, &[1]);
    let mut first = d.connect();
    let address = d.device.debugger_address().expect("a port");
    assert!(address.ip().is_loopback());
    for _ in 0..3 {
        let second = std::net::TcpStream::connect(address).expect("a connection");
        assert!(Client { stream: second }.is_closed());
        assert!(first.ask("?").starts_with("T05"));
    }
    first.send("vCont;c");
    let second = std::net::TcpStream::connect(address).expect("a connection");
    assert!(Client { stream: second }.is_closed());
    ended(launch).expect("it runs");
    drop(first);
    let third = d.connect();
    third.detach();
}

#[test]
fn an_endless_kernel_can_be_looked_at() {
    for options in all() {
        let d = Debugged::new(&Options { max_instructions: 2_000_000_000, ..options });
        let launch = d.launch("fault", 4, &[3, 0]);
        d.connect().detach();
        // The kernel runs on several threads now. The group with the loop is the last one.
        let mut c = d.connect();
        let kernel = c.kernel("fault");
        let mut pcs = std::collections::BTreeSet::new();
        while pcs.is_empty() {
            c.send("vCont;c");
            std::thread::sleep(std::time::Duration::from_millis(1));
            c.interrupt();
            let stop = c.reply();
            assert!(stop.starts_with("T02thread:p01."), "{stop}");
            let harts = c.monitor("harts");
            // The hart with the last group is in the loader before it is in the kernel.
            let pc = harts.lines().find(|l| l.contains("work-group (3, 0, 0)")).map(|line| {
                let (_, pc) = line.split_once("pc 0x").expect("a pc");
                u64::from_str_radix(pc, 16).expect("a number")
            });
            pcs.extend(pc.filter(|pc| *pc > 0x4000_0000));
        }
        assert!(pcs.iter().all(|pc| (kernel..kernel + 4096).contains(pc)), "{kernel:#x} {pcs:x?}");
        // A pc without memory ends the loop with a fault.
        let harts = c.monitor("harts");
        let hart = harts.lines().position(|l| l.contains("work-group (3, 0, 0)"));
        let hart = u32::try_from(hart.expect("a hart")).expect("small");
        c.select(hart);
        let nowhere = 0x7000_0000_u64 + (8 << 28);
        c.order(&format!("P20={}", hex(&nowhere.to_le_bytes()[..d.word])));
        assert!(c.ask("vCont;c").starts_with(&format!("T0bthread:p01.{:02x};", hart + 1)));
        assert_eq!(c.pc(), nowhere);
        c.send("vCont;c");
        let error = ended(launch).expect_err("a fault").to_string();
        assert!(error.contains("instruction fetch from 0xf0000000"), "{error}");
    }
}

#[test]
fn faults_stop_with_a_signal_and_fail_the_launch() {
    for options in all() {
        let d = Debugged::new(&Options { strict_alignment: true, ..options });
        let mut c: Option<Client> = None;
        for (what, at, signal) in [
            (0, 0x3000_0000, "0b"),
            (1, 0x3000_0000, "0b"),
            (2, 0, "04"),
            (3, 0, "18"),
            (4, 0x3000_0000, "0b"),
            (5, 0, "05"),
            (6, 0, "06"),
            (7, 0, "06"),
            (8, d.out, "0a"),
        ] {
            let launch = d.launch("fault", 2, &[what, at]);
            let c = c.get_or_insert_with(|| {
                let mut c = d.connect();
                c.send("vCont;c");
                c
            });
            let stop = c.reply();
            assert!(stop.starts_with(&format!("T{signal}thread:p01.")), "{what}: {stop}");
            assert!(!launch.is_finished());
            c.send("vCont;c");
            assert!(ended(launch).is_err(), "{what}");
        }
        c.expect("a client").stream.shutdown(std::net::Shutdown::Both).expect("closed");
        ended(d.launch("sum", 10, &[1])).expect("it runs");
        assert_eq!(d.sum(), 55);
    }
}

#[test]
fn programs_are_listed_and_read() {
    let d = Debugged::new(&options(Soc::G1, "RV64GCV"));
    let mut c = d.connect();
    let xml = c.object("features", "target.xml");
    assert!(xml.contains("<architecture>riscv:rv64</architecture>") && xml.ends_with("</target>"));
    assert!(c.ask("qXfer:features:read:other.xml:0,100").starts_with('E'));
    assert_eq!(c.object("exec-file", ""), "/refsi/loader.elf");
    let list = c.object("libraries", "");
    let name = "/refsi/program-1.elf";
    assert!(list.contains(&format!("<library name=\"{name}\"><segment address=\"0x")), "{list}");
    let open =
        |c: &mut Client, name: &str| c.ask(&format!("vFile:open:{},0,0", hex(name.as_bytes())));
    assert_eq!(open(&mut c, name), "F00");
    assert_eq!(open(&mut c, "/refsi/loader.elf"), "F01");
    let mut file = Vec::<u8>::new();
    loop {
        c.send(&format!("vFile:pread:0,1000,{:x}", file.len()));
        let reply = c.reply_bytes();
        let at = reply.iter().position(|b| *b == b';').expect("a length") + 1;
        if reply.len() == at {
            break;
        }
        file.extend(&reply[at..]);
    }
    assert!(file == d.elf, "{} of {} bytes", file.len(), d.elf.len());
    c.send("vFile:fstat:0");
    assert!(c.reply_bytes().starts_with(b"F40;"));
    assert_eq!(c.ask("vFile:close:0"), "F0");
    for wrong in ["/etc/passwd", "/refsi/../etc/passwd", "/refsi/program-2.elf", "", "\u{ff}"] {
        assert_eq!(open(&mut c, wrong), "F-1,02", "{wrong}");
    }
    assert_eq!(c.ask("vFile:close:0"), "F-1,09");
    assert_eq!(c.ask(&format!("vFile:open:{},1,0", hex(name.as_bytes()))), "F-1,1e");
    // A program is loaded: the client gets to know before anything of it can run.
    c.send("vCont;c");
    let (device, elf) = (d.device.clone(), d.elf.clone());
    let load = std::thread::spawn(move || device.load(&elf));
    assert_eq!(c.reply(), "T05thread:p01.01;library:;");
    assert!(!load.is_finished());
    assert!(c.object("libraries", "").contains("program-2.elf"));
    c.send("vCont;c");
    let second = load.join().expect("no panic").expect("a program");
    let device = d.device.clone();
    let unload = std::thread::spawn(move || device.unload(second));
    assert_eq!(c.reply(), "T05thread:p01.01;library:;");
    assert!(!c.object("libraries", "").contains("program-2.elf"));
    c.send("vCont;c");
    unload.join().expect("no panic").expect("unloaded");
    // The device ends: the client is told.
    drop(d);
    assert_eq!(c.reply(), "W00");
    assert!(c.is_closed());
}

#[test]
fn changed_bytes_stop_at_a_watchpoint() {
    for options in all() {
        let d = Debugged::new(&options);
        let launch = d.launch("sum", 4, &[2]);
        let mut c = d.connect();
        let word = d.word;
        // Reads are not watched: gdb uses another way, or tells its user.
        for kind in [3, 4] {
            assert!(c.ask(&format!("Z{kind},{:x},4", d.out)).starts_with('E'));
        }
        assert!(c.ask("Z2,c0000000,4").starts_with('E'));
        assert!(c.ask(&format!("Z2,{:x},ffffffff", d.out)).starts_with('E'));
        c.order(&format!("Z2,{:x},{word:x}", d.out));
        let mut seen = Vec::new();
        for _ in 0..8 {
            let stop = c.ask("vCont;c");
            assert!(stop.ends_with(&format!(";watch:{:02x};", d.out)) || stop.contains("watch:"));
            seen.push(number(&c.memory(d.out, word)));
        }
        assert!(seen.is_sorted() && seen[7] == 20, "{seen:?}");
        c.order(&format!("z2,{:x},{word:x}", d.out));
        c.send("vCont;c");
        ended(launch).expect("it runs");
        c.interrupt();
        assert!(c.reply().starts_with("T02"));
        c.detach();
    }
}

/// Launches `ids` on a device whose harts execute a work-item each, with a client that has set a
/// breakpoint at the kernel.
fn launch_group() -> (Debugged, JoinHandle<Result<(), HalError>>, Client) {
    let options = Options { mode: ThreadMode::WorkItem, harts: 8, ..options(Soc::G1, "RV64GCV") };
    let d = Debugged::new(&options);
    let (device, program, out) = (d.device.clone(), d.program, d.out);
    let launch =
        std::thread::spawn(move || run(&*device, program, "ids", &range(16, 8), &[global(out)]));
    let mut c = d.connect();
    while !c.monitor("harts").starts_with("hart 0, work-group") {}
    let kernel = c.kernel("ids");
    c.order(&format!("Z0,{kernel:x},4"));
    (d, launch, c)
}

/// Waits for the launch and checks what the kernel wrote.
fn end_group(d: &Debugged, launch: JoinHandle<Result<(), HalError>>) {
    launch.join().expect("no panic").expect("it runs");
    for (n, pair) in words(&*d.device, d.out, 32).chunks(2).enumerate() {
        assert_eq!(pair[1] >> 32, n as u64 % 8);
    }
}

#[test]
fn work_items_are_threads() {
    let (d, launch, mut c) = launch_group();
    let mut stops = Vec::new();
    for _ in 0..16 {
        let stop = c.ask("vCont;c");
        assert!(stop.contains("swbreak:;"), "{stop}");
        let hart = stop.split_once("p01.").expect("a thread").1[..2].to_owned();
        // The others keep still during a step over the breakpoint.
        let step = c.ask(&format!("vCont;s:p1.{hart}"));
        assert!(step.starts_with(&format!("T05thread:p01.{hart};")), "{step}");
        stops.push(hart);
    }
    let expected: Vec<String> = (1..=8).chain(1..=8).map(|k| format!("{k:02x}")).collect();
    assert_eq!(stops, expected);
    c.send("vCont;c");
    end_group(&d, launch);
}

/// The other work-items of the group do not stop at breakpoints of a client that is gone.
#[test]
fn a_group_goes_on_after_a_client_is_gone() {
    let (d, launch, mut c) = launch_group();
    // Each hart that executes has the breakpoint.
    for _ in 0..4 {
        let stop = c.ask("vCont;c");
        assert!(stop.contains("swbreak:;"), "{stop}");
    }
    c.order("D;1");
    end_group(&d, launch);
}
