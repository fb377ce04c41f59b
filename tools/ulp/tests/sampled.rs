//! A few functions on the driver that cargo built with this test stay within their bounds, and a
//! deliberately wrong function is detected.
#![cfg(feature = "mpfr")]
#![expect(clippy::unwrap_used, reason = "a test")]

use muxcl_client::{Platform, use_vendors};
use muxcl_ulp::bound::Freedom;
use muxcl_ulp::catalogue::{Function, find};
use muxcl_ulp::format::Format;
use muxcl_ulp::kernel::Session;
use muxcl_ulp::measure::{Plan, measure};
use muxcl_ulp::report::Row;

fn row(session: &Session, function: Function, format: Format) -> Row {
    let function: &'static Function = Box::leak(Box::new(function));
    let plan = Plan {
        function,
        format,
        bound: function.bound(format).unwrap(),
        freedom: Freedom::default(),
        options: "",
        samples: 300,
        threads: 1,
        full: false,
    };
    measure(session, &plan).unwrap()
}

/// The only test in this file: it changes the environment before another thread could read it.
#[test]
fn functions_keep_their_bounds_and_a_wrong_one_does_not() {
    let program = std::env::current_exe().unwrap();
    let library = program.ancestors().nth(2).unwrap().join("libmuxcl.so");
    assert!(
        library.exists(),
        "{}: `cargo build -p muxcl-icd -p muxcl-compiler-process`",
        library.display()
    );
    let vendors = tempfile::tempdir().unwrap();
    std::fs::write(vendors.path().join("muxcl.icd"), format!("{}\n", library.display())).unwrap();
    // SAFETY: this is the only test of the program, no thread has started, and no other code reads
    // the environment meanwhile.
    unsafe { use_vendors(vendors.path()) };
    let device = Platform::all().unwrap()[0].devices().unwrap()[0];
    let session = Session::new(device).unwrap();
    for name in ["exp", "sinpi", "divide", "fma", "pown", "nextafter", "ilogb", "mad"] {
        for format in Format::ALL {
            let found = row(&session, *find(name).unwrap(), format);
            assert!(found.bad == 0 && found.tried >= 300, "{}", found.line());
        }
    }
    let wrong = find("exp").unwrap().call("r = exp(x) * (T)(1 + 5 * FLT_EPSILON);");
    let found = row(&session, wrong, Format::Float);
    assert!(found.bad > 0 && found.worst > 4.4 && found.worst < 12.0, "{}", found.line());
    let wrong = find("fabs").unwrap().call("r = x == (T)0 ? x : fabs(x);");
    let found = row(&session, wrong, Format::Double);
    assert!(found.bad > 0, "a zero of the wrong sign: {}", found.line());
}
