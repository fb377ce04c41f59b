//! Random calls (`muxcl_test_api::api_fuzz`) for `MUXCL_TEST_SECONDS` seconds.

use std::time::{Duration, Instant};

use muxcl_config::{MUXCL_TEST_SECONDS, MUXCL_TEST_SEED};
use muxcl_test_api::api_fuzz::{ApiFuzz, Numbers, ProgramText};
use muxcl_test_api::{binary_of, kernels};
use muxcl_types::container::BinaryKind;

/// Calls in a run: enough for objects to age, few enough to repeat a failed run.
const CALLS: usize = 20_000;

#[test]
fn random_calls() {
    let binary = binary_of(kernels(), BinaryKind::Executable);
    let (start, mut seed) = (Instant::now(), MUXCL_TEST_SEED.parse::<u64>().unwrap_or(1));
    let length = Duration::from_secs(MUXCL_TEST_SECONDS.parse::<u64>().unwrap_or(2));
    let note = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("api-fuzz-seed");
    while start.elapsed() < length {
        // The file tells the seed after a crash; a panic message or core dump does not.
        std::fs::write(&note, seed.to_string()).unwrap();
        let mut fuzz = ApiFuzz::new(
            Numbers::Seed(fastrand::Rng::with_seed(seed)),
            ProgramText::Binary(&binary),
        );
        for _ in 0..CALLS {
            fuzz.step();
        }
        fuzz.finish();
        let (done, refused) = (fuzz.succeeded, fuzz.failed);
        assert!(
            done > CALLS / 4 && refused > CALLS / 4,
            "seed {seed}: {done} calls succeeded, {refused} were refused"
        );
        seed += 1;
    }
}
