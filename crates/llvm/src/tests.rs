//! The facade against LLVM itself: text and bitcode round trips, lazy loading, diagnostics,
//! cloning, emission.

use super::{
    Builder, Context, LinkMode, Module, OptLevel, PipelineOptions, TargetMachine, TargetOptions,
    ValueMap, host_cpu, host_features, host_triple, run_pipeline,
};

const IR: &str = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\ndefine i32 @g() {\n  %r = call i32 @f(i32 41)\n  ret i32 %r\n}\n";

#[test]
fn bitcode_round_trip_and_lazy_loading() {
    let c = Context::new();
    let m = Module::parse_text(&c, IR).unwrap();
    m.verify().unwrap();
    let bits = m.to_bitcode();
    drop(m);
    let c2 = Context::new();
    let lazy = Module::parse_lazy(&c2, &bits).unwrap();
    let f = lazy.function("f").unwrap();
    assert!(!f.is_declaration());
    assert_eq!(f.blocks().len(), 0, "the body is not read yet");
    f.materialize().unwrap();
    assert_eq!(f.blocks().len(), 1);
    assert_eq!(f.direct_calls().len(), 0);
}

#[test]
fn damaged_bitcode_is_an_error() {
    let c = Context::new();
    let mut bits = Module::parse_text(&c, IR).unwrap().to_bitcode();
    assert!(Module::parse(&c, &bits[..bits.len() / 2]).is_err());
    bits[0] ^= 0xff;
    assert!(Module::parse(&c, &bits).is_err());
    assert!(Module::parse(&c, b"").is_err());
}

#[test]
fn duplicate_definitions_are_reported_not_printed() {
    let c = Context::new();
    let a = Module::parse_text(&c, IR).unwrap();
    let b = Module::parse_text(&c, IR).unwrap();
    assert!(a.link(b, LinkMode::All).is_err());
    let texts = c.take_diagnostics();
    assert!(texts.iter().any(|d| d.text.contains("multiply defined")), "{texts:?}");
}

#[test]
fn inline_and_clone() {
    let c = Context::new();
    let m = Module::parse_text(&c, IR).unwrap();
    let g = m.function("g").unwrap();
    assert!(m.function("f").unwrap().direct_calls()[0].inline_call());
    assert_eq!(m.function("f").unwrap().direct_calls().len(), 0);
    let map = ValueMap::new();
    let copy = map.clone_block(g.entry(), ".copy", g);
    map.remap(copy);
    m.verify().unwrap();
    drop(map);
    let h = g.duplicate("h");
    assert_eq!(h.name(), "h");
    let b = Builder::before(h.entry().terminator().unwrap());
    let slot = b.alloca(c.i32(), "slot");
    b.store(c.u32(1), slot, 4);
    m.verify().unwrap();
}

#[test]
fn a_fatal_error_of_llvm_is_an_error_and_no_exit() {
    // On a thread of its own: what LLVM held is leaked, and the thread is marked for it.
    let error = std::thread::spawn(|| {
        let c = Context::new();
        let ir =
            "define void @f() {\n  call void asm sideeffect \"bogus\", \"\"()\n  ret void\n}\n";
        let m = Module::parse_text(&c, ir).unwrap();
        let tm = machine();
        m.set_triple(&host_triple());
        m.set_layout(&tm.layout());
        tm.emit_object(&m).unwrap_err().to_string()
    });
    let error = error.join().unwrap();
    assert!(error.contains("asm"), "{error}");
    emits_an_object_for_this_machine();
}

fn machine() -> TargetMachine {
    let options = TargetOptions {
        triple: host_triple(),
        cpu: host_cpu(),
        features: host_features(),
        level: OptLevel::Aggressive,
        fast_fusion: false,
        pic: true,
        abi: String::new(),
        medium: false,
    };
    TargetMachine::new(&options).unwrap()
}

#[test]
fn emits_an_object_for_this_machine() {
    let c = Context::new();
    let m = Module::parse_text(&c, IR).unwrap();
    let tm = machine();
    m.set_triple(&host_triple());
    m.set_layout(&tm.layout());
    run_pipeline(&m, "default<O3>", Some(&tm), PipelineOptions::default()).unwrap();
    let object = tm.emit_object(&m).unwrap();
    assert_eq!(&object[..4], b"\x7fELF");
    assert!(run_pipeline(&m, "no-such-pass", None, PipelineOptions::default()).is_err());
}

#[test]
fn an_emission_prepared_before_writes_the_same_object() {
    let emit = |tm: &TargetMachine| {
        let c = Context::new();
        let m = Module::parse_text(&c, IR).unwrap();
        m.set_triple(&host_triple());
        m.set_layout(&tm.layout());
        tm.emit_object(&m).unwrap()
    };
    let plain = emit(&machine());
    let (one, two) = (machine(), machine());
    one.prepare_emission().unwrap();
    one.prepare_emission().unwrap();
    assert_eq!(emit(&one), plain);
    assert_eq!(emit(&one), plain, "it is for one module");
    two.prepare_emission().unwrap();
    drop(two);
    assert_eq!(emit(&one), plain, "with the passes of the idle one");
    assert_eq!(emit(&machine()), plain);
}
