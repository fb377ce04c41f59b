//! Tests of the facade against LLVM: text and bitcode round trips, lazy loading, diagnostics,
//! cloning, emission.

use muxcl_os::reserve::{Outcome, on_thread};

use super::{
    Builder, Context, LinkMode, LlvmError, Module, Opcode, OptLevel, PipelineOptions,
    TargetMachine, TargetOptions, ValueMap, host_cpu, host_features, host_triple, run_pipeline,
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
    let mut a = Module::parse_text(&c, IR).unwrap();
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
    let slot = b.alloca(c.cx().i32(), "slot");
    b.store(c.cx().u32(1), slot, 4);
    m.verify().unwrap();
}

/// Emits a module that makes LLVM report a fatal error: its inline assembly needs an assembler,
/// which is absent.
fn emit_inline_assembly() -> Result<Vec<u8>, LlvmError> {
    let c = Context::new();
    let ir = "define void @f() {\n  call void asm sideeffect \"bogus\", \"\"()\n  ret void\n}\n";
    let mut m = Module::parse_text(&c, ir)?;
    let tm = machine();
    m.set_triple(&host_triple());
    m.set_layout(&tm.layout());
    tm.emit_object(&mut m)
}

#[test]
fn a_fatal_error_of_llvm_ends_the_work_and_not_the_process() {
    for _ in 0..3 {
        match on_thread(std::thread::Builder::new(), emit_inline_assembly).unwrap() {
            Outcome::Abandoned(reason) => assert!(reason.contains("asm"), "{reason}"),
            other => panic!("{other:?}"),
        }
        // LLVM's locks are free: other threads can still compile.
        let next = on_thread(std::thread::Builder::new(), emits_an_object_for_this_machine);
        assert!(matches!(next.unwrap(), Outcome::Returned(())));
    }
    emits_an_object_for_this_machine();
}

#[test]
fn erased_instructions_blocks_and_functions_keep_their_handles() {
    let c = Context::new();
    let ir = "define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %one, label %two
one:
  %b = add i32 %a, 1
  br label %two
two:
  %p = phi i32 [ 0, %entry ], [ %b, %one ]
  ret i32 %p
}
define internal i32 @g() {
  %r = call i32 @f(i1 true, i32 1)
  ret i32 %r
}
";
    let m = Module::parse_text(&c, ir).unwrap();
    let (f, g) = (m.function("f").unwrap(), m.function("g").unwrap());
    let [entry, one, two] = f.blocks()[..] else { panic!() };
    let (add, phi) = (one.first().unwrap(), two.first().unwrap());
    let builder = Builder::before(add);
    // Removing an unreachable block erases its instructions; a PHI with one entry left becomes its
    // value.
    entry.terminator().unwrap().erase();
    Builder::at_end(entry).br(two);
    f.remove_unreachable();
    m.verify().unwrap();
    assert_eq!((f.blocks(), phi.is_placed(), add.is_placed()), (vec![entry, two], false, false));
    assert_eq!((add.opcode(), add.operands(), add.users()), (Opcode::Add, vec![], vec![]));
    let here = std::panic::AssertUnwindSafe(|| builder.add(f.param(1), f.param(1)));
    assert!(std::panic::catch_unwind(here).is_err(), "there is no place to build at");
    assert!(std::panic::catch_unwind(|| one.function()).is_err());
    // Erasing a function erases its body and drops the uses in it.
    let call = g.entry().first().unwrap();
    g.erase();
    m.verify().unwrap();
    assert!(m.function("g").is_none() && f.direct_calls().is_empty() && !call.is_placed());
    assert!(std::panic::catch_unwind(|| g.erase()).is_err());
    f.delete_body();
    assert!(f.is_declaration() && f.blocks().is_empty());
    m.verify().unwrap();
}

#[test]
fn an_inlined_call_keeps_its_handle() {
    let c = Context::new();
    let m = Module::parse_text(&c, IR).unwrap();
    let call = m.function("f").unwrap().direct_calls()[0];
    let (before, builder) = (call.name(), Builder::before(call));
    assert!(call.inline_call() && !call.is_placed() && call.operands().is_empty());
    assert_eq!(before, "r");
    assert!(std::panic::catch_unwind(|| call.block()).is_err());
    drop(builder);
    // A call that LLVM cannot inline stays unchanged.
    let ir = "declare void @x()\ndefine void @y() {\n  call void @x()\n  ret void\n}\n";
    let m = Module::parse_text(&c, ir).unwrap();
    let text = m.to_string();
    let call = m.function("x").unwrap().direct_calls()[0];
    assert!(!call.inline_call() && call.is_placed());
    assert_eq!(m.to_string(), text);
}

#[test]
fn wrong_kinds_are_panics_and_not_undefined() {
    let c = Context::new();
    let m = Module::parse_text(&c, IR).unwrap();
    let f = m.function("f").unwrap();
    let add = f.entry().first().unwrap();
    let cx = c.cx();
    let b = Builder::before(add);
    let wrong: [&dyn Fn(); 12] = [
        &|| _ = add.incoming(),
        &|| _ = add.args(),
        &|| _ = add.successors(),
        &|| _ = add.operand(2),
        &|| _ = f.param(1),
        &|| _ = add.allocated_type(),
        &|| _ = cx.i32().element(),
        &|| _ = cx.float().int_width(),
        &|| _ = cx.void().null(),
        &|| add.replace_all_uses(cx.u64(1)),
        &|| add.set_operand(0, cx.u64(1)),
        &|| _ = b.add(cx.u32(1), cx.u64(1)),
    ];
    for (n, what) in wrong.iter().enumerate() {
        let what = std::panic::AssertUnwindSafe(what);
        assert!(std::panic::catch_unwind(what).is_err(), "question {n}");
    }
    m.verify().unwrap();
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
    let mut m = Module::parse_text(&c, IR).unwrap();
    let tm = machine();
    m.set_triple(&host_triple());
    m.set_layout(&tm.layout());
    run_pipeline(&mut m, "default<O3>", Some(&tm), PipelineOptions::default()).unwrap();
    let object = tm.emit_object(&mut m).unwrap();
    assert_eq!(&object[..4], b"\x7fELF");
    assert!(run_pipeline(&mut m, "no-such-pass", None, PipelineOptions::default()).is_err());
}

#[test]
fn an_emission_prepared_before_writes_the_same_object() {
    let emit = |tm: &TargetMachine| {
        let c = Context::new();
        let mut m = Module::parse_text(&c, IR).unwrap();
        m.set_triple(&host_triple());
        m.set_layout(&tm.layout());
        tm.emit_object(&mut m).unwrap()
    };
    let plain = emit(&machine());
    let (one, two) = (machine(), machine());
    one.prepare_emission();
    one.prepare_emission();
    assert_eq!(emit(&one), plain);
    assert_eq!(emit(&one), plain, "it is for one module");
    two.prepare_emission();
    drop(two);
    assert_eq!(emit(&one), plain, "with the passes of the idle one");
    assert_eq!(emit(&machine()), plain);
}
