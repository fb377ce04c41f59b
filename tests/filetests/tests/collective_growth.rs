//! Barriers and sub-group collectives in branches: code size grows linearly with the branches.
#![expect(clippy::unwrap_used, reason = "a test")]

use muxcl_filetests::compile;
use muxcl_frontend_clang::STACK_BYTES;
use muxcl_llvm::{Context, Module};
use muxcl_passes::{Options, Runner};
use muxcl_target_host::{CodeTarget as _, Settings, Target};
use muxcl_types::variant::SpecializationKey;
use std::fmt::Write as _;

/// A kernel with `branches` conditional collectives.
fn branches(branches: u32) -> String {
    let mut source = "kernel void k(global int *p) { int x = p[get_global_id(0)];".to_owned();
    for n in 0..branches {
        write!(
            source,
            "if ((x >> {n}) & 1) x += sub_group_reduce_add(x); else x ^= 5; p[{n}] = x;"
        )
        .unwrap();
    }
    source + "}"
}

/// A divergent loop in which long blocks follow ten conditional collectives.
fn long_blocks() -> String {
    let mut source = "kernel void k(global int *p) { int x = p[get_global_id(0)];
        for (int i = 0; i < (x & 3); ++i) {"
        .to_owned();
    for n in 0..10 {
        write!(source, "if ((x >> {n}) & 1) x += sub_group_reduce_add(x);").unwrap();
        for m in 0..30 {
            write!(source, "x = x * {} + p[{}];", m + 3, m + 30 * n).unwrap();
        }
    }
    source + "} p[get_global_id(0)] = x; }"
}

/// A kernel with `branches` barriers in branches that all work-items take or skip together.
fn barriers(branches: u32) -> String {
    let mut source = "kernel void k(global int *p, int c) { int l = get_local_id(0);".to_owned();
    for n in 0..branches {
        write!(source, "if ((c >> {n}) & 1) {{ p[l] += p[l ^ 1] + {n}; barrier(1); }}").unwrap();
    }
    source + "}"
}

/// Divergent collectives between `steps` work-group barriers.
fn collectives_between_barriers(steps: u32) -> String {
    let mut source = "kernel void k(global int *p) { int x = p[get_global_id(0)];".to_owned();
    for n in 0..steps {
        write!(source, "if ((x >> {n}) & 1) x += sub_group_reduce_add(x); p[{n}] = x; barrier(1);")
            .unwrap();
    }
    source + "}"
}

/// Instructions of a kernel before and after its loops over work-items are made.
fn sizes(source: &str) -> [usize; 2] {
    let device = compile::device();
    let context = Context::new();
    let mut module = compile::source(&context, source, "-cl-std=CL3.0", &device).unwrap();
    let target = Target::new("x86-64-v3", "");
    let (settings, options) = (Settings::default(), Options::default());
    let library = compile::library(&device);
    let run = &mut Runner::new(&options);
    let done = target.finalise(&context, &mut module, &library, &settings, run).unwrap();
    let mut sizes = [0; 2];
    let count = |module: &Module<'_>| {
        let functions = module.definitions().into_iter();
        functions.map(|f| f.instructions().len()).sum::<usize>()
    };
    let mut observe = |pass: &str, module: &Module<'_>| match pass {
        "work-item-params" => sizes[0] = count(module),
        "work-item-loops" => sizes[1] = count(module),
        _ => {}
    };
    let mut run = Runner::with_observer(&options, &mut observe);
    let key = SpecializationKey { local_size: Some([64, 1, 1]), ..SpecializationKey::default() };
    target.specialise(&done.program(&library), "k", &key, &settings, &mut run).unwrap();
    drop(run);
    sizes
}

#[test]
fn code_grows_with_the_number_of_branches() {
    let work = || {
        let sources = [
            branches(16),
            branches(32),
            branches(64),
            long_blocks(),
            barriers(32),
            barriers(128),
            collectives_between_barriers(32),
            collectives_between_barriers(128),
        ];
        for source in sources {
            let [before, after] = sizes(&source);
            assert!(after < 4 * before, "{before} become {after}: {source}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap();
    thread.join().unwrap();
}
