//! The monotonic clock. Invariant: [`now_ns`] never goes backwards and costs one vDSO call. Not
//! here: wall-clock time.

/// Nanoseconds of the monotonic clock since an arbitrary fixed point (the boot on Linux).
#[must_use]
pub fn now_ns() -> u64 {
    read(|ts| {
        // SAFETY: `ts` is a valid, writable timespec for the length of the call.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, ts) };
    })
}

/// Nanoseconds of the clock that also counts while the machine sleeps, since the boot.
#[must_use]
pub fn boot_ns() -> u64 {
    read(|ts| {
        // SAFETY: `ts` is a valid, writable timespec for the length of the call.
        unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, ts) };
    })
}

/// The resolution of [`now_ns`] in nanoseconds, at least 1.
#[must_use]
pub fn resolution_ns() -> u64 {
    read(|ts| {
        // SAFETY: `ts` is a valid, writable timespec for the length of the call.
        unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC, ts) };
    })
    .max(1)
}

fn read(call: impl FnOnce(&mut libc::timespec)) -> u64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    call(&mut ts);
    ts.tv_sec.unsigned_abs().wrapping_mul(1_000_000_000).wrapping_add(ts.tv_nsec.unsigned_abs())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_clock_goes_forward() {
        let start = super::now_ns();
        std::thread::sleep(std::time::Duration::from_millis(2));
        let passed = super::now_ns() - start;
        assert!((1_000_000..5_000_000_000).contains(&passed), "{passed}");
        assert!(super::boot_ns() >= super::now_ns() - passed, "it counts at least as much");
        assert!((1..=10_000_000).contains(&super::resolution_ns()));
    }
}
