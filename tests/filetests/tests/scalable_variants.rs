//! Scalable vector variants of library functions. The pass can make each of them, and on a RISC-V
//! machine with V each gives the same bits as the scalar function in every lane.
//!
//! The test compiles and runs a sample of the functions, each with one number of lanes.
//! `MUXCL_SCALABLE_VARIANTS=all` selects every function with every number of lanes (minutes).
//! All NaNs count as equal.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::fmt::Write as _;

use muxcl_builtins::variants::{Lanes, VectorVariant, variant};
use muxcl_compiler::Library;
use muxcl_filetests::riscv::{Arg, Machine, Range, device};
use muxcl_llvm::{Context, Module, Type, TypeKind};
use muxcl_passes::link_builtins::BuiltinLibrary as _;
use muxcl_passes::{Options, Runner, scalable_variants};
use muxcl_target_riscv::{CodeTarget as _, Settings, Target};

/// Factors of `vscale`: the minimum numbers of lanes.
const COUNTS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
/// Number of functions in one compilation.
const BATCH: usize = 12;
/// The sample contains one in this number of functions.
const SAMPLE: usize = 31;
/// Functions that are in every sample: loops over the lanes, calls of other functions, second
/// results, vectors on the stack.
const ALWAYS: &[&str] =
    &["_Z3sin", "_Z4fmod", "_Z6remquo", "_Z6sincos", "_Z8half_sin", "_Z8lgamma_r"];
/// Number of argument sets per function: a multiple of `vscale` times every lane count, for
/// registers of up to 256 bits.
const ARGUMENTS: usize = 256;

const HEADER: &str =
    "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1\"
target triple = \"spir64-unknown-unknown\"
declare i64 @llvm.vscale.i64()
!0 = !{i32 1, i32 1, i32 1, i32 1, i32 1}
";

/// A scalar function with a scalable variant.
struct Function {
    symbol: String,
    variant: VectorVariant,
    count: u32,
    result: String,
    params: Vec<String>,
    /// The type of its pointer parameter, and of the element behind it.
    second: Option<(String, String)>,
}

fn scalar(ty: Type<'_>) -> String {
    ty.to_string()
}

/// All scalar functions that have variants, without the variants, with their LLVM types.
fn functions() -> Vec<(String, String, Vec<String>)> {
    let mut list = Vec::new();
    for id in (0..muxcl_builtins::member_count()).filter_map(muxcl_builtins::MemberId::from_index) {
        let context = Context::new();
        let module = Module::parse_lazy(&context, muxcl_builtins::member(id)).unwrap();
        let mut names: Vec<String> = module.functions().into_iter().map(|f| f.name()).collect();
        names.retain(|name| {
            muxcl_builtins::find(name) == Some(id) && variant(name, Lanes::Scalable(1)).is_some()
        });
        names.sort();
        for name in names {
            let ty = module.function(&name).unwrap().ty();
            list.push((name, scalar(ty.ret()), ty.params().into_iter().map(scalar).collect()));
        }
    }
    list
}

impl Function {
    fn new((symbol, result, params): &(String, String, Vec<String>), count: u32) -> Option<Self> {
        let variant = variant(symbol, Lanes::Scalable(count))?;
        let mut params = params.clone();
        let second = params.last().filter(|p| p.starts_with("ptr")).cloned();
        let second = second.map(|pointer| {
            params.pop();
            let integer = ["frexp", "remquo", "lgamma_r"].iter().any(|name| symbol.contains(name));
            (pointer, if integer { "i32".to_owned() } else { result.clone() })
        });
        Some(Self {
            symbol: symbol.clone(),
            variant,
            count,
            result: result.clone(),
            params,
            second,
        })
    }

    /// The LLVM type `element`, or a scalable vector of it.
    fn ty(&self, element: &str, wide: bool) -> String {
        if wide { format!("<vscale x {} x {element}>", self.count) } else { element.to_owned() }
    }

    /// A kernel that calls the scalar function or the variant for all arguments.
    fn kernel(&self, nth: usize, wide: bool, out: &mut String) {
        let callee = if wide { &self.variant.symbol } else { &self.symbol };
        let result = self.ty(&self.result, wide);
        let mut types: Vec<String> = self.params.iter().map(|p| self.ty(p, wide)).collect();
        types.extend(self.second.iter().map(|s| s.0.clone()));
        let _ = writeln!(out, "declare spir_func {result} @{callee}({})", types.join(", "));
        let _ = writeln!(out, "define spir_kernel void @{}{nth}(", if wide { "v" } else { "s" });
        let pointers = ["r", "q", "a0", "a1", "a2"];
        let _ = writeln!(
            out,
            "  {}) !kernel_arg_addr_space !0 {{",
            pointers.map(|p| format!("ptr addrspace(1) %{p}")).join(", ")
        );
        let step = if wide { "%step" } else { "1" };
        if wide {
            let _ = writeln!(
                out,
                "  %vscale = call i64 @llvm.vscale.i64()\n  %step = mul i64 %vscale, {}",
                self.count
            );
        }
        let _ = writeln!(out, "  br label %loop\nloop:\n  %i = phi i64 [ 0, %0 ], [ %j, %loop ]");
        let mut args = Vec::new();
        for (n, (element, ty)) in self.params.iter().zip(&types).enumerate() {
            let _ =
                writeln!(out, "  %p{n} = getelementptr {element}, ptr addrspace(1) %a{n}, i64 %i");
            let _ = writeln!(
                out,
                "  %x{n} = load {ty}, ptr addrspace(1) %p{n}, align {}",
                bytes(element)
            );
            args.push(format!("{ty} %x{n}"));
        }
        if let Some((pointer, element)) = &self.second {
            let _ = writeln!(out, "  %pq = getelementptr {element}, ptr addrspace(1) %q, i64 %i");
            let mut at = "%pq";
            if pointer != "ptr addrspace(1)" {
                let _ = writeln!(out, "  %cq = addrspacecast ptr addrspace(1) %pq to {pointer}");
                at = "%cq";
            }
            args.push(format!("{pointer} {at}"));
        }
        let _ = writeln!(out, "  %y = call spir_func {result} @{callee}({})", args.join(", "));
        let _ = writeln!(out, "  %pr = getelementptr {}, ptr addrspace(1) %r, i64 %i", self.result);
        let _ = writeln!(
            out,
            "  store {result} %y, ptr addrspace(1) %pr, align {}",
            bytes(&self.result)
        );
        let _ = writeln!(out, "  %j = add i64 %i, {step}\n  %more = icmp ult i64 %j, {ARGUMENTS}");
        let _ = writeln!(out, "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}}");
    }
}

fn bytes(element: &str) -> usize {
    match element {
        "i8" => 1,
        "i16" | "half" => 2,
        "i32" | "float" => 4,
        _ => 8,
    }
}

/// Format of a floating-point type: exponent bits and fraction bits.
fn float(element: &str) -> Option<(u32, u32)> {
    match element {
        "half" => Some((5, 10)),
        "float" => Some((8, 23)),
        "double" => Some((11, 52)),
        _ => None,
    }
}

/// Arguments of a type: special values, values near one, and random bits. The order differs between
/// first, second and third arguments, so that the combinations vary.
fn arguments(element: &str, nth: usize) -> Vec<u8> {
    let size = bytes(element);
    let mask = u64::MAX >> (64 - 8 * size);
    let mut generator = fastrand::Rng::with_seed(nth as u64);
    let mut random = || generator.u64(..);
    let mut out = Vec::new();
    for _ in 0..ARGUMENTS {
        let (any, how) = (random(), random());
        let special = (how >> 8) as usize;
        let value = match float(element) {
            Some((exponent, fraction)) => {
                let bias = (1u64 << (exponent - 1)) - 1;
                let power = |e: i64| (bias.wrapping_add_signed(e) & (2 * bias + 1)) << fraction;
                let sign = (any >> 63) << (exponent + fraction);
                let part = any & ((1 << fraction) - 1);
                let b = i64::try_from(bias).unwrap();
                let specials = [
                    0,
                    1,
                    (1 << fraction) - 1,
                    1 << fraction,
                    power(0),
                    power(0) + 1,
                    power(0) - 1,
                    power(1),
                    power(-1),
                    power(b + 1),
                    power(b + 1) - 1,
                    power(b + 1) | 1 << (fraction - 1),
                    power(2) | 1 << (fraction - 1),
                    power(1) | 1 << (fraction - 1),
                    power(b - 1),
                    power(1 - b),
                    power(b / 2),
                    power(-b / 2),
                    power(i64::from(fraction)),
                    power(i64::from(fraction) + 1) | 1,
                    power(1) | 0x10_0000 & part,
                    power(4),
                ];
                match how % 4 {
                    0 => any & mask,
                    1 => sign | specials[special % specials.len()],
                    _ => {
                        sign | power(i64::try_from(special % 21).unwrap() - 10)
                            & !(1 << (exponent + fraction))
                            | part
                    }
                }
            }
            None => {
                let top = 1u64 << (8 * size - 1);
                let specials = [
                    0,
                    1,
                    2,
                    3,
                    mask,
                    mask - 1,
                    top,
                    top - 1,
                    top + 1,
                    7,
                    8,
                    15,
                    16,
                    31,
                    32,
                    63,
                    64,
                    mask - 6,
                ];
                if how % 2 == 0 { any & mask } else { specials[special % specials.len()] }
            }
        };
        out.extend(&value.to_le_bytes()[..size]);
    }
    out
}

fn is_nan(element: &str, bytes: &[u8]) -> bool {
    let Some((exponent, fraction)) = float(element) else { return false };
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let infinity = ((1u64 << exponent) - 1) << fraction;
    u64::from_le_bytes(all) & (infinity | ((1 << fraction) - 1)) > infinity
}

/// The first difference between the results of the scalar function and of the variant.
fn difference(
    element: &str,
    args: &[(String, Vec<u8>)],
    scalar: &[u8],
    variant: &[u8],
) -> Option<String> {
    let size = bytes(element);
    let at = |list: &[u8], size: usize, n: usize| list[n * size..(n + 1) * size].to_vec();
    (0..ARGUMENTS).find_map(|n| {
        let (s, f) = (at(scalar, size, n), at(variant, size, n));
        if s == f || (is_nan(element, &s) && is_nan(element, &f)) {
            return None;
        }
        let hex =
            |v: &[u8]| v.iter().rev().fold(String::new(), |text, b| text + &format!("{b:02x}"));
        let list: Vec<String> = args.iter().map(|(ty, all)| hex(&at(all, bytes(ty), n))).collect();
        Some(format!(
            "of ({}) the scalar gives {}, the variant {}",
            list.join(", "),
            hex(&s),
            hex(&f)
        ))
    })
}

/// Makes, compiles and runs the variants. Returns the failures.
fn run(isa: &str, vlen: u32, batch: &[Function]) -> Vec<String> {
    match try_run(isa, vlen, batch) {
        Ok(wrong) => wrong,
        Err(e) if batch.len() == 1 => {
            vec![format!("{} on {isa}, {vlen} bits: {e:#}", batch[0].variant.symbol)]
        }
        Err(_) => batch.chunks(1).flat_map(|one| run(isa, vlen, one)).collect(),
    }
}

fn try_run(isa: &str, vlen: u32, batch: &[Function]) -> anyhow::Result<Vec<String>> {
    let mut ir = String::from(HEADER);
    let mut scalars: Vec<&str> = Vec::new();
    for (nth, f) in batch.iter().enumerate() {
        if !scalars.contains(&f.symbol.as_str()) {
            f.kernel(scalars.len(), false, &mut ir);
            scalars.push(&f.symbol);
        }
        f.kernel(nth, true, &mut ir);
    }
    let device = device(isa, vlen);
    let target = Target::new(device.hal.as_ref().unwrap())?;
    let context = Context::new();
    let mut module = Module::parse_text(&context, &ir)?;
    let (library, settings) = (Library::new(64, None), Settings::default());
    let options = Options { verify: true, ..Options::default() };
    let run = &mut Runner::new(&options);
    let done = target.finalise(&context, &mut module, &library, &settings, run)?;
    let image = target.generic(&done.program(&library), &settings, run)?;
    let info = done.info;
    let mut machine = Machine::new(&device, &image, |_| Ok(()))?;
    let mut wrong = Vec::new();
    for (nth, f) in batch.iter().enumerate() {
        let args: Vec<(String, Vec<u8>)> =
            f.params.iter().enumerate().map(|(n, p)| (p.clone(), arguments(p, n))).collect();
        let mut call = |kernel: String| {
            let mut buffers = vec![vec![0xaa; 8 * ARGUMENTS], vec![0xaa; 8 * ARGUMENTS]];
            buffers.extend(args.iter().map(|a| a.1.clone()));
            buffers.resize(5, vec![0; 8]);
            let mut list: Vec<Arg<'_>> = buffers.iter_mut().map(Arg::Buffer).collect();
            machine.run(&info, &kernel, &mut list, &Range::line(1, 1))?;
            anyhow::Ok(buffers)
        };
        let scalar = call(format!("s{}", scalars.iter().position(|s| *s == f.symbol).unwrap()))?;
        let variant = call(format!("v{nth}"))?;
        let mut say = |what: Option<String>| {
            wrong.extend(what.map(|w| format!("{} on {isa}, {vlen} bits: {w}", f.variant.symbol)));
        };
        say(difference(&f.result, &args, &scalar[0], &variant[0]));
        say(f.second.as_ref().and_then(|s| difference(&s.1, &args, &scalar[1], &variant[1])));
    }
    Ok(wrong)
}

#[expect(clippy::disallowed_methods, reason = "the environment controls the test")]
fn every() -> bool {
    std::env::var("MUXCL_SCALABLE_VARIANTS").is_ok_and(|v| v == "all")
}

/// Checks the functions that have all types of `these` and no type of `none`.
fn check(isa: &str, vlen: u32, these: &[&str], none: &[&str]) {
    let mut all = functions();
    let has =
        |f: &(String, String, Vec<String>), ty: &str| f.1 == ty || f.2.iter().any(|p| p == ty);
    all.retain(|f| these.iter().all(|ty| has(f, ty)) && !none.iter().any(|ty| has(f, ty)));
    assert!(all.len() > 90, "{}", all.len());
    let mut list = Vec::new();
    for (nth, f) in all.iter().enumerate() {
        let counts = COUNTS.iter().filter_map(|count| Function::new(f, *count));
        if every() {
            list.extend(counts);
        } else if nth % SAMPLE == 0
            || ALWAYS.iter().any(|name| f.0.starts_with(name) && !f.0.contains("U3AS"))
        {
            let counts: Vec<Function> = counts.collect();
            let many = counts.len();
            list.extend(counts.into_iter().nth((nth + nth / SAMPLE) % many));
        }
    }
    let wrong: Vec<String> = list.chunks(BATCH).flat_map(|batch| run(isa, vlen, batch)).collect();
    assert!(wrong.is_empty(), "{} of {} variants:\n{}", wrong.len(), list.len(), wrong.join("\n"));
}

#[test]
fn variants_of_floats_and_integers_give_the_scalars_bits() {
    check("RV64GCV", 128, &[], &["half", "double"]);
}

#[test]
fn variants_of_doubles_give_the_scalars_bits() {
    check("RV64GCV_Zba_Zbb", 256, &["double"], &[]);
}

#[test]
fn variants_of_halves_give_the_scalars_bits_where_vectors_hold_halves() {
    check("RV64GCV_Zfh_Zvfh", 128, &["half"], &[]);
}

/// `scalable-variants` makes a scalable variant of every function with a fixed-length one. The
/// variant's name tells the number of registers.
#[test]
fn every_function_with_fixed_variants_has_one_on_scalable_vectors() {
    let library = Library::new(64, None);
    let all = functions();
    assert_eq!(all.len(), 467, "builtins/README.md says how many there are");
    let mut wrong = Vec::new();
    for (nth, f) in all.iter().enumerate() {
        let counts: Vec<Function> =
            COUNTS.iter().filter_map(|count| Function::new(f, *count)).collect();
        let Some(f) = counts.get(nth % counts.len()) else { continue };
        let mut ir = String::from(HEADER);
        f.kernel(0, true, &mut ir);
        let context = Context::new();
        let mut module = Module::parse_text(&context, &ir).unwrap_or_else(|e| panic!("{e}\n{ir}"));
        let options = Options { verify: true, ..Options::default() };
        let mut runner = Runner::new(&options);
        if let Err(e) = runner.run_whole("scalable-variants", &mut module, |module| {
            scalable_variants::run(&context, module, &library)
        }) {
            wrong.push(e.to_string());
            continue;
        }
        let made = module.function(&f.variant.symbol).unwrap();
        let mut widest = 0;
        for ty in made
            .ty()
            .params()
            .into_iter()
            .chain([made.ty().ret()])
            .filter(|t| t.is_scalable_vector())
        {
            widest = widest.max(u64::from(ty.vector_len()) * module.size_of(ty.element()) * 8);
        }
        let registers = ["e", "q", "h", "1", "2", "4", "8"][widest.ilog2() as usize - 3];
        if made.is_declaration() || !f.variant.symbol.starts_with(&format!("_ZGVr{registers}Nx")) {
            wrong.push(format!("{} is {}", f.variant.symbol, made.ty()));
        }
        // The body contains no fixed vector.
        let fixed = |ty: Type<'_>| ty.kind() == TypeKind::Vector;
        for i in made.instructions() {
            if fixed(i.ty()) || i.operands().into_iter().any(|v| fixed(v.ty())) {
                wrong.push(format!("{}: {i}", f.variant.symbol));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

/// The pass's message for a fixed-length variant of `sin` with this body.
fn refusal(body: &str, variant: &str) -> String {
    let ir = format!(
        "declare void @other(<4 x float>)\ndeclare <4 x float> @llvm.sin.v4f32(<4 x float>)\n{variant}\n\
         define spir_func <4 x float> @_Z3sinDv4_f(<4 x float> %x) {{\n{body}\n}}\n"
    );
    let context = Context::new();
    let mut module = Module::parse_text(&context, &ir).unwrap_or_else(|e| panic!("{e}\n{ir}"));
    scalable_variants::run(&context, &mut module, &Library::new(64, None))
        .map_or_else(|e| e.to_string(), |()| module.to_string())
}

#[test]
fn what_is_not_lane_by_lane_is_refused_with_the_reason() {
    const FORM: &str =
        "declare spir_func <vscale x 4 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 4 x float>)";
    let lane_loop = |start: &str, test: &str, use_of: &str| {
        format!(
            "br label %l\nl:\n %r = phi <4 x float> [ %x, %0 ], [ %s, %l ]\n %n = phi i32 [ {start}, %0 ], [ %m, %l ]\n\
             %e = extractelement <4 x float> %x, i32 %n\n {use_of}\n %s = insertelement <4 x float> %r, float %f, i32 %n\n\
             %m = add i32 %n, 1\n {test}\n br i1 %c, label %l, label %e1\ne1:\n ret <4 x float> %s"
        )
    };
    let plain = "%f = fneg float %e";
    let good = lane_loop("0", "%c = icmp ne i32 %m, 4", plain);
    assert!(refusal(&good, FORM).contains("mul i32"), "{}", refusal(&good, FORM));
    let cases: &[(&str, &str)] = &[
        (
            "%y = fadd <4 x float> %x, <float 0.0, float 1.0, float 2.0, float 3.0>\nret <4 x float> %y",
            "not lane by lane",
        ),
        (
            "%e = extractelement <4 x float> %x, i64 1\n%y = insertelement <4 x float> %x, float %e, i64 2\nret <4 x float> %y",
            "not lane by lane",
        ),
        (
            "%y = shufflevector <4 x float> %x, <4 x float> poison, <4 x i32> zeroinitializer\nret <4 x float> %y",
            "not lane by lane",
        ),
        (
            "%h = shufflevector <4 x float> %x, <4 x float> poison, <2 x i32> <i32 0, i32 1>\n%s = fneg <2 x float> %h\nret <4 x float> %x",
            "a vector of other lanes",
        ),
        (
            "%y = call <4 x float> @llvm.sin.v4f32(<4 x float> %x)\nret <4 x float> %y",
            "not lane by lane",
        ),
        (
            "call void @other(<4 x float> %x)\nret <4 x float> %x",
            "it calls other, which cannot be inlined",
        ),
        (
            "%b = bitcast <4 x float> %x to i128\n%c = icmp eq i128 %b, 7\n%y = select i1 %c, <4 x float> %x, <4 x float> zeroinitializer\n\
          ret <4 x float> %y",
            "it looks at a mask's bits",
        ),
        (
            "%g = fcmp oeq <4 x float> %x, zeroinitializer\n%b = bitcast <4 x i1> %g to i4\n%c = icmp eq i4 %b, 5\n\
          %y = select i1 %c, <4 x float> %x, <4 x float> zeroinitializer\nret <4 x float> %y",
            "it looks at a mask's bits",
        ),
        (&lane_loop("1", "%c = icmp ne i32 %m, 4", plain), "a loop over the lanes is not simple"),
        (&lane_loop("0", "%c = icmp ne i32 %m, 3", plain), "a loop over the lanes is not simple"),
        (
            &lane_loop(
                "0",
                "%c = icmp ne i32 %m, 4",
                "%k = sitofp i32 %n to float\n %f = fadd float %e, %k",
            ),
            "a loop over the lanes is not simple",
        ),
    ];
    for (body, why) in cases {
        let said = refusal(body, FORM);
        assert!(said.contains("'_ZGVr2Nxv__Z3sinf': ") && said.contains(why), "{body}\n{said}");
    }
    let other = "declare spir_func <vscale x 2 x float> @_ZGVr2Nxv__Z3sinf(<vscale x 2 x float>)";
    let said = refusal("ret <4 x float> %x", other);
    assert!(said.contains("but its type is <vscale x 4 x float> (<vscale x 4 x float>)"), "{said}");
}

/// `muxcl-vecz` calls a scalable variant of any function that has variants of a fixed length, so
/// all of them must exist.
#[test]
fn functions_with_fixed_variants_have_scalable_ones() {
    let library = Library::new(64, None);
    let mut count = 0;
    for (symbol, ..) in functions() {
        if library.lanes(&symbol).is_some() {
            count += 1;
            for factor in [2, 4, 8] {
                assert!(variant(&symbol, Lanes::Scalable(factor)).is_some(), "{symbol} x{factor}");
            }
        }
    }
    assert!(count > 200, "{count} functions");
}
