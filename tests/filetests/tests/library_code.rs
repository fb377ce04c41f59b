//! The code of library functions whose cost matters more than their size suggests.

use muxcl_llvm::{Context, Module};

/// `clamp` with bounds that the compiler does not know is `fmin(fmax(x, low), high)`: one
/// instruction each on RISC-V, three on x86-64, of which one needs the bound only.
#[test]
fn clamp_is_a_maximum_and_a_minimum() {
    for (symbol, suffix) in
        [("_Z5clampfff", "f32"), ("_Z5clampDv4_fS_S_", "v4f32"), ("_Z5clampDv2_ddd", "v2f64")]
    {
        let member = muxcl_builtins::find(symbol).unwrap();
        let context = Context::new();
        let module = Module::parse(&context, muxcl_builtins::member(member)).unwrap();
        let code = module.function(symbol).unwrap().instructions();
        let calls: Vec<String> = code.iter().filter_map(|i| Some(i.callee()?.name())).collect();
        assert_eq!(calls, ["maxnum", "minnum"].map(|name| format!("llvm.{name}.{suffix}")));
        // A scalar bound of a vector is an insertion and a shuffle.
        let scalars = if symbol.ends_with("ddd") { 4 } else { 0 };
        assert_eq!(code.len(), calls.len() + scalars + 1, "{module}");
    }
}
