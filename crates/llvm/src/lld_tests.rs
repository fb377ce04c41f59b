//! lld in process: images, errors and linker scripts, from objects that the tests make.

use muxcl_os::reserve::{Outcome, on_thread};

use crate::{Context, Module, OptLevel, TargetMachine, TargetOptions, link_elf};

fn object(text: &str) -> Vec<u8> {
    let context = Context::new();
    let mut module = Module::parse_text(&context, text).unwrap();
    let machine = TargetMachine::new(&TargetOptions {
        triple: "riscv64-unknown-elf".into(),
        cpu: "generic-rv64".into(),
        features: "+m,+a,+f,+d,+c".into(),
        level: OptLevel::Default,
        fast_fusion: false,
        pic: true,
        abi: "lp64d".into(),
        medium: true,
    })
    .unwrap();
    module.set_layout(&machine.layout());
    module.set_triple("riscv64-unknown-elf");
    machine.emit_object(&mut module).unwrap()
}

const MAIN: &str = "declare i32 @g(i32)\n@p = global ptr @f\n\
    define i32 @f(i32 %x) { %y = call i32 @g(i32 %x) ret i32 %y }";

#[test]
fn two_objects_become_one_image_and_errors_are_told() {
    let f = object(MAIN);
    let g = object("define i32 @g(i32 %x) { %y = add i32 %x, 1 ret i32 %y }");
    let image =
        link_elf(&["-pie", "--no-dynamic-linker", "-e", "0"], &[("f.o", &f), ("g.o", &g)]).unwrap();
    assert_eq!((&image[..4], image[16], image[18]), (&b"\x7fELF"[..], 3, 243)); // ET_DYN, EM_RISCV
    let error = link_elf(&["-pie", "--no-dynamic-linker"], &[("f.o", &f)]).unwrap_err().to_string();
    assert!(error.contains("undefined symbol: g"), "{error}");
    // Fatal to lld: the thread's work ends, and other threads can still link.
    for bad in [&f[..f.len() / 2], &f[..70], b"garbage {"] {
        let work = || link_elf(&["-pie"], &[("bad.o", bad)]).unwrap_err().to_string();
        match on_thread(std::thread::Builder::new(), work).unwrap() {
            Outcome::Returned(error) | Outcome::Abandoned(error) => {
                assert!(error.contains("bad.o"), "{error}");
            }
            Outcome::Panicked(_) => panic!("no error"),
        }
    }
    assert!(link_elf(&["-pie", "--no-such-option"], &[("f.o", &f)]).is_err());
    assert!(link_elf(&["-pie"], &[]).is_err());
    assert!(link_elf(&["-pie", "-T", "/etc/passwd"], &[("g.o", &g)]).is_err());
    let again =
        link_elf(&["-pie", "--no-dynamic-linker", "-e", "0"], &[("f.o", &f), ("g.o", &g)]).unwrap();
    assert!(again == image);
}

#[test]
fn a_script_places_the_image() {
    let g = object("define i32 @g(i32 %x) { %y = add i32 %x, 1 ret i32 %y }");
    let script = b"SECTIONS { . = 0x10000; .text : { *(.text*) } .data : { *(.data*) } }";
    let image = link_elf(&["-static", "-e", "g"], &[("script", script), ("g.o", &g)]).unwrap();
    assert_eq!(image[16], 2); // ET_EXEC
    let entry = u64::from_le_bytes(image[24..32].try_into().unwrap());
    assert!((0x10000..0x11000).contains(&entry), "{entry:#x}"); // unwind tables may lie in front
}
