//! Random trees of kernels that enqueue kernels, compared with a model. Every member runs as often
//! as the model says, and only after the commands in its wait list have ended with all their
//! descendants.
//!
//! One kernel reads the tree from a table. A member has a number, and its descendants have the
//! numbers after it. It enqueues its children in order, with or without an event. A child waits for
//! some of the earlier children, for a user event that will complete, or for one that will fail;
//! some children are markers. A command that waits for a failed event does not run, and its own
//! event fails.
//!
//! `MUXCL_TEST_SEED` is the first tree's number, `MUXCL_TEST_SECONDS` the duration of the test.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use muxcl_client::{Context, Device};
use muxcl_config::{MUXCL_TEST_SECONDS, MUXCL_TEST_SEED};

use crate::images::Random;
use crate::shared::Test;

pub(crate) const ALL: [(&str, Test); 1] = [("families", families)];

/// Number of trees without `MUXCL_TEST_SECONDS`.
const FAMILIES: u64 = 60;
/// Maximum number of members of a tree.
const MEMBERS: usize = 200;
const CHILDREN: usize = 6;
/// Words of a member in the table: the number of its children, the number of its last descendant
/// plus 1, the number of times it runs, and three words for each child.
const WORDS: usize = 3 + 3 * CHILDREN;
/// The user event in a child's wait list: the one that completes, or the one that fails.
const GOOD: u32 = 1 << 8;
const BAD: u32 = 1 << 9;
/// Flags of a child: a marker, and a command without an event.
const MARKER: u32 = 1 << 10;
const SILENT: u32 = 1 << 11;

const SOURCE: &str = "
void member(global const uint *t, global uint *done, int n);
void look(global const uint *t, global uint *done, int parent, uint how) {
    for (uint k = 0; k < 6; k++) {
        if (!(how >> k & 1)) continue;
        uint of = t[parent * WORDS + 3 + 3 * k];
        if (t[parent * WORDS + 4 + 3 * k] & MARKER) continue;
        for (uint m = of; m < t[of * WORDS + 1]; m++)
            if (done[m] != t[m * WORDS + 2]) atomic_inc((volatile global int *)done + MEMBERS);
    }
}
void member(global const uint *t, global uint *done, int n) {
    atomic_inc((volatile global int *)done + n);
    if (get_global_id(0) != 0) return;
    clk_event_t events[6], waits[8], good = create_user_event(), bad = create_user_event();
    uint count = t[n * WORDS];
    for (uint k = 0; k < count; k++) {
        int child = t[n * WORDS + 3 + 3 * k], items = t[n * WORDS + 5 + 3 * k];
        uint how = t[n * WORDS + 4 + 3 * k], many = 0;
        for (uint j = 0; j < k; j++) if (how >> j & 1) waits[many++] = events[j];
        if (how & GOOD) waits[many++] = good;
        if (how & BAD) waits[many++] = bad;
        clk_event_t *event = how & SILENT ? 0 : &events[k];
        int status;
        if (how & MARKER)
            status = enqueue_marker(get_default_queue(), many, waits, event);
        else
            status = enqueue_kernel(get_default_queue(), how >> 6 & 3, ndrange_1D(items), many, many ? waits : 0, event, ^{
                look(t, done, n, how);
                member(t, done, child);
            });
        if (status != CLK_SUCCESS) atomic_add((volatile global int *)done + MEMBERS, 1000000);
        if (k == 2) set_user_event_status(bad, -5);
    }
    for (uint k = 0; k < count; k++)
        if (!(t[n * WORDS + 4 + 3 * k] & SILENT)) release_event(events[k]);
    set_user_event_status(good, 0);
    set_user_event_status(bad, -7);
    release_event(good);
    release_event(bad);
}
kernel void family(global const uint *t, global uint *done) { member(t, done, 0); }";

/// A tree as a table, and the number of its members.
struct Family {
    table: Vec<u32>,
    members: usize,
}

impl Family {
    fn random(random: &mut Random) -> Self {
        let mut family = Self { table: vec![0; MEMBERS * WORDS], members: 0 };
        family.member(random, 0, 1, true);
        family
    }

    /// Adds the next member, with `items` work-items if it runs, and its descendants.
    fn member(&mut self, random: &mut Random, depth: u32, items: u32, runs: bool) {
        let at = self.members * WORDS;
        self.members += 1;
        let mut count = 0;
        // Bit sets over the children: those that fail, and those with an event that later ones may
        // wait for.
        let (mut failed, mut named) = (0_u32, 0_u32);
        while count < CHILDREN
            && self.members + 8 < MEMBERS
            && depth < 4
            && random.next() % 8 < 7 - depth
        {
            let bit = 1 << count;
            let mut how = random.next() & random.next() & named;
            how |= if random.next().is_multiple_of(4) { GOOD } else { 0 };
            how |= if random.next().is_multiple_of(10) { BAD } else { 0 };
            how |= (random.next() % 3) << 6;
            let waits = how & (named | GOOD | BAD) != 0;
            if waits && random.next().is_multiple_of(6) {
                how |= MARKER;
            } else if random.next().is_multiple_of(3) {
                how |= SILENT;
            }
            if how & SILENT == 0 {
                named |= bit;
            }
            if how & failed != 0 || how & BAD != 0 {
                failed |= bit;
            }
            let items = 1 + random.next() % 5;
            let slot = at + 3 + 3 * count;
            self.table[slot] = u32::try_from(self.members).unwrap_or(0);
            self.table[slot + 1] = how;
            self.table[slot + 2] = items;
            if how & MARKER == 0 {
                self.member(random, depth + 1, items, runs && failed & bit == 0);
            }
            count += 1;
        }
        self.table[at] = u32::try_from(count).unwrap_or(0);
        self.table[at + 1] = u32::try_from(self.members).unwrap_or(0);
        self.table[at + 2] = if runs { items } else { 0 };
    }
}

fn families(device: Device) -> Result<()> {
    let first: u64 = MUXCL_TEST_SEED.parse().unwrap_or(1);
    let until = MUXCL_TEST_SECONDS.parse().map(|s: u64| Instant::now() + Duration::from_secs(s));
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let _default = context.device_queue(device, None, true)?;
    let names = [("WORDS", WORDS), ("MEMBERS", MEMBERS)].map(|(name, n)| format!("-D{name}={n}"));
    let bits = [("GOOD", GOOD), ("BAD", BAD), ("MARKER", MARKER), ("SILENT", SILENT)]
        .map(|(n, v)| format!("-D{n}={v}"));
    let options = format!("-cl-std=CL3.0 -g {} {}", names.join(" "), bits.join(" "));
    let mut kernel = context.build(device, SOURCE, &options)?.kernel("family")?;
    for seed in first.. {
        match until {
            Some(until) if Instant::now() >= until => break,
            None if seed >= first + FAMILIES => break,
            _ => {}
        }
        let family = Family::random(&mut Random::new(seed));
        let mut seen = vec![0_u32; MEMBERS + 1];
        let table = context.buffer_with(&family.table)?;
        let done = context.buffer_with(&seen)?;
        kernel.set_buffer(0, &table)?;
        kernel.set_buffer(1, &done)?;
        queue.run(&kernel, &[1], None, None)?;
        queue.read(&done, &mut seen)?;
        let (counts, early) = seen.split_at(MEMBERS);
        let expected = family.table.iter().skip(2).step_by(WORDS);
        let wrong = counts.iter().zip(expected).position(|(seen, expected)| seen != expected);
        let early = early.first().context("a count")?;
        ensure!(
            wrong.is_none() && *early == 0,
            "seed {seed}, {} members: the first that ran the wrong number of times is {wrong:?}; {early} looked too early or \
             could not be enqueued (millions)",
            family.members
        );
    }
    Ok(())
}
