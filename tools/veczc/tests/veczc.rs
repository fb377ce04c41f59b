//! The program's output, for OpenCL C and for IR.

use std::fs;
use std::io;
use std::process::{Command, Output};

const KERNEL: &str = "kernel void k(global int *a, int n) {
  int x = get_global_id(0), sum = 0;
  for (int i = 0; i < x % n; i++)
    sum += a[i];
  a[x] = sum;
}
kernel void other(global int *a) { a[get_global_id(0)] = 1; }
";

fn veczc(arguments: &[&str], name: &str, text: &str) -> io::Result<Output> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join(name);
    fs::write(&file, text)?;
    Command::new(env!("CARGO_BIN_EXE_veczc")).args(arguments).arg(file).output()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The end of the report about `k`: the local size is not known, so `int x` may wrap.
const SCATTER: &str = "muxcl: vecz: k: <program source>:5: an address for each lane: a store\n";

const V3: [&str; 2] = ["--cpu", "x86-64-v3"];

#[test]
fn lanes_become_vectors_and_the_report_says_so() -> io::Result<()> {
    let found = veczc(&[&V3[..], &["--kernel", "k", "--lanes", "8"]].concat(), "k.cl", KERNEL)?;
    let (ir, report) = (text(&found.stdout), text(&found.stderr));
    assert!(found.status.success(), "{report}");
    assert!(ir.contains("define void @muxcl.kernel.k(") && ir.contains("<8 x i32>"), "{ir}");
    assert!(!ir.contains("muxcl.kernel.other"), "{ir}");
    assert_eq!(report, format!("muxcl: vecz: k: 8 lanes along x\n{SCATTER}"));
    Ok(())
}

const SLOW: &str = "kernel void gather(global int *a, global int *b) {
  int i = get_global_id(0);
  a[i] += b[a[i]];
  atomic_xchg(&b[a[i]], 3);
}
kernel void lock(global volatile int *l, global int *b) {
  while (atomic_cmpxchg(l, 0, 1)) {}
  b[get_global_id(0) & 3] += 1;
  atomic_xchg(l, 0);
}
";

#[test]
fn the_report_names_the_lines_of_what_is_not_a_vector_instruction() -> io::Result<()> {
    let found = veczc(&[&V3[..], &["--local", "64", "--lanes", "8"]].concat(), "k.cl", SLOW)?;
    let (ir, report) = (text(&found.stdout), text(&found.stderr));
    let lines = [
        "gather: 8 lanes along x",
        "gather: <program source>:3: an address for each lane: a load",
        "gather: <program source>:4: lane by lane: an atomic operation",
        "lock: scalar: a loop may wait for another work-item: an atomic compare and exchange at \
         <program source>:7",
    ];
    let expected: String = lines.iter().map(|line| format!("muxcl: vecz: {line}\n")).collect();
    assert_eq!(report, expected);
    assert!(!ir.contains("!dbg"), "the source lines are for the report only: {ir}");
    let found = veczc(&[&V3[..], &["--options", "-g"]].concat(), "k.cl", KERNEL)?;
    assert!(text(&found.stdout).contains("!dbg"), "{}", text(&found.stderr));
    Ok(())
}

#[test]
fn scalar_code_has_no_vectors_of_work_items() -> io::Result<()> {
    let arguments = [&V3[..], &["--scalar", "--pass", "kernel-abi"]].concat();
    let found = veczc(&arguments, "k.cl", KERNEL)?;
    let ir = text(&found.stdout);
    assert!(found.status.success(), "{}", text(&found.stderr));
    assert!(ir.contains("@muxcl.kernel.k(") && ir.contains("@muxcl.kernel.other("), "{ir}");
    assert!(!ir.contains(" x i32>"), "{ir}");
    Ok(())
}

#[test]
fn a_list_of_passes_a_wrong_pass_and_a_wrong_kernel() -> io::Result<()> {
    let found = veczc(&["--pass", "list"], "k.cl", KERNEL)?;
    let names = text(&found.stdout);
    for name in ["work-item-loops", "kernel-abi", "vecz"] {
        assert!(names.lines().any(|line| line == name), "{names}");
    }
    let refused = |arguments: &[&str], source: &str| {
        let found = veczc(arguments, "k.cl", source)?;
        assert!(!found.status.success());
        io::Result::Ok(text(&found.stderr))
    };
    assert!(refused(&["--pass", "nothing"], KERNEL)?.contains("no pass is named nothing"));
    let message = refused(&["--kernel", "l"], KERNEL)?;
    assert!(message.contains("no kernel is named l; the program has k, other"), "{message}");
    assert!(refused(&[], "kernel void k() { x }")?.contains("k.cl does not compile"));
    assert!(refused(&["--local", "8,0"], KERNEL)?.contains("0 is not a number of work-items"));
    assert!(refused(&["--lanes", "3"], KERNEL)?.contains("not a power of two"));
    Ok(())
}

#[test]
fn risc_v_has_vectors_of_a_known_length_or_of_any() -> io::Result<()> {
    for (arguments, known, lanes) in [
        (&["--isa", "RV64GCV", "--vlen", "512"][..], true, "32 lanes"),
        (&["--isa", "RV64GCV"], false, "4 lanes times vscale"),
    ] {
        let found = veczc(&[arguments, &["--kernel", "k"]].concat(), "k.cl", KERNEL)?;
        let (ir, report) = (text(&found.stdout), text(&found.stderr));
        assert!(found.status.success() && ir.contains("<vscale x 4 x i32>"), "{report}{ir}");
        assert_eq!(ir.contains("vscale_range(8,8)"), known, "{ir}");
        assert_eq!(report, format!("muxcl: vecz: k: {lanes} along x\n{SCATTER}"));
    }
    let refused = veczc(&["--isa", "x86-64"], "k.cl", KERNEL)?;
    assert!(!refused.status.success());
    Ok(())
}

#[test]
fn ir_of_the_front_end_is_an_input() -> io::Result<()> {
    let ir = "target triple = \"spir64-unknown-unknown\"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %a) !kernel_arg_addr_space !0 {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %x
  store i64 %x, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 1}
";
    let found = veczc(&[&V3[..], &["--lanes", "4", "--local", "64,2"]].concat(), "k.ll", ir)?;
    let report = text(&found.stderr);
    assert!(found.status.success(), "{report}");
    assert!(text(&found.stdout).contains("add <4 x i64>"), "{}", text(&found.stdout));
    assert_eq!(report, "muxcl: vecz: k: 4 lanes along x\n");
    Ok(())
}
