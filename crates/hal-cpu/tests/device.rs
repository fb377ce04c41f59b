//! Tests the device through the Rust side of the interface: each group runs once, both thread
//! modes, and errors. Needs clang-22 or cc.
#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use hal_cpu::{CpuHal, Mode};
use muxcl_hal::{Argument, Device, Hal, HalError, NdRange, Program};
use std::process::Command;

/// Counts how often each work-item of each group runs. `mode` 1 is work-item mode.
const SOURCE: &str = "
#include <stdint.h>
const uint32_t hal_kernels_take_sched_info = 1;
typedef struct { uint64_t first[3], total[3], offset[3]; uint32_t local[3], dim; uint64_t groups[3], extra; } sched;
typedef struct { uint32_t local_id[3], pad; void (*barrier)(const void *); const void *where; char *local; uint64_t size; } item;
static void one(uint32_t *counts, const sched *s, const uint64_t *g, const uint32_t *l) {
  uint64_t at = 0;
  for (int d = 2; d >= 0; d--) at = at * (s->total[d] * s->local[d]) + g[d] * s->local[d] + l[d];
  __atomic_fetch_add(&counts[at], 1 + s->offset[0], __ATOMIC_RELAXED);
}
void count(const uint64_t *args, const sched *s) {
  uint64_t g[3];
  uint32_t l[3];
  for (g[2] = s->first[2]; g[2] < s->first[2] + s->groups[2]; g[2]++)
    for (g[1] = s->first[1]; g[1] < s->first[1] + s->groups[1]; g[1]++)
      for (g[0] = s->first[0]; g[0] < s->first[0] + s->groups[0]; g[0]++) {
        if (s->extra) { one((uint32_t *)args[0], s, g, ((const item *)s->extra)->local_id); continue; }
        for (l[2] = 0; l[2] < s->local[2]; l[2]++)
          for (l[1] = 0; l[1] < s->local[1]; l[1]++)
            for (l[0] = 0; l[0] < s->local[0]; l[0]++) one((uint32_t *)args[0], s, g, l);
      }
}
/* Each work-item passes a number to the next, many times. */
void pass(const uint64_t *args, const sched *s) {
  const item *me = (const item *)s->extra;
  uint32_t *local = (uint32_t *)me->local, n = s->local[0], k = me->local_id[0];
  (void)args;
  local[k] = k;
  me->barrier(me->where);
  for (int round = 0; round < 200; round++) {
    uint32_t v = local[(k + 1) % n];
    me->barrier(me->where);
    local[k] = v;
    me->barrier(me->where);
  }
  ((uint32_t *)args[0])[k] = local[k];
}
";

/// A kernel that takes the execution state, with the conventions of the oneAPI Construction Kit's
/// CPU HAL: each work-item calls it on its own thread, and it loops over the groups.
const STATES: &str = "
#include <stdint.h>
typedef struct state {
  uint64_t group[3], groups[3], offset[3], local[3];
  uint32_t dim;
  uint64_t per_call[3], extra;
  uint32_t local_id[3];
  void *entry, *args;
  uint32_t flags, threads, thread;
  void (*barrier)(struct state *);
  void *hal;
} state;
void pass(const uint64_t *args, state *s) {
  uint32_t *out = (uint32_t *)args[0], *local = (uint32_t *)args[1], n = s->threads;
  if (s->extra != (uint64_t)s || s->local[0] != n || s->local[1] != 1 || s->dim != 1) return;
  for (s->group[0] = 0; s->group[0] < s->groups[0]; s->group[0]++) {
    local[s->thread] = s->thread;
    s->barrier(s);
    out[s->group[0] * n + s->thread] = local[(s->thread + 1) % n];
    s->barrier(s);
  }
}
";

fn program() -> Vec<u8> {
    build(SOURCE)
}

fn build(text: &str) -> Vec<u8> {
    let place = format!("muxcl-hal-cpu-{}-{:?}", std::process::id(), std::thread::current().id());
    let folder = std::env::temp_dir().join(place);
    std::fs::create_dir_all(&folder).unwrap();
    let (source, out) = (folder.join("a.c"), folder.join("a.so"));
    std::fs::write(&source, text).unwrap();
    let status = Command::new("cc")
        .args(["-O1", "-shared", "-fPIC", "-nostdlib", "-o"])
        .args([&out, &source])
        .status();
    assert!(status.unwrap().success());
    let bytes = std::fs::read(&out).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    bytes
}

fn device(mode: Mode, threads: usize) -> Box<dyn Device> {
    CpuHal::new(mode, threads).create_device(0).unwrap()
}

fn words(device: &dyn Device, address: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; count * 4];
    device.read(address, &mut bytes).unwrap();
    bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

fn every_item_once(device: &dyn Device, range: NdRange, dimensions: u32) {
    let items: u64 = range.global.iter().product();
    let buffer = device.alloc(items * 4, 64).unwrap();
    device.fill(buffer, &[0; 4], items * 4).unwrap();
    let program = device.load(&program()).unwrap();
    let kernel = device.find(program, c"count").unwrap();
    let args = [Argument::Global { address: buffer, size: items * 4 }];
    device.execute(program, kernel, &range, &args, dimensions).unwrap();
    let expected = 1 + u32::try_from(range.offset[0]).unwrap();
    assert!(
        words(device, buffer, usize::try_from(items).unwrap()).iter().all(|n| *n == expected),
        "{range:?}"
    );
    device.unload(program).unwrap();
    device.free(buffer).unwrap();
}

#[test]
fn work_groups_run_once_each_on_any_number_of_threads() {
    for threads in [1, 2, 7] {
        let device = device(Mode::WorkGroup, threads);
        every_item_once(
            &*device,
            NdRange { offset: [0; 3], global: [1024, 1, 1], local: [8, 1, 1] },
            1,
        );
        every_item_once(
            &*device,
            NdRange { offset: [5, 0, 0], global: [7, 1, 1], local: [7, 1, 1] },
            1,
        );
        every_item_once(
            &*device,
            NdRange { offset: [0; 3], global: [30, 14, 9], local: [3, 7, 1] },
            3,
        );
    }
}

#[test]
fn work_items_run_once_each_and_meet_at_barriers() {
    let device = device(Mode::WorkItem, 1);
    every_item_once(&*device, NdRange { offset: [0; 3], global: [64, 6, 2], local: [4, 2, 2] }, 3);
    let program = device.load(&program()).unwrap();
    let kernel = device.find(program, c"pass").unwrap();
    let buffer = device.alloc(64, 64).unwrap();
    let range = NdRange { offset: [0; 3], global: [16, 1, 1], local: [16, 1, 1] };
    device
        .execute(program, kernel, &range, &[Argument::Global { address: buffer, size: 64 }], 1)
        .unwrap();
    let expected: Vec<u32> = (0..16).map(|k| (k + 200) % 16).collect();
    assert_eq!(words(&*device, buffer, 16), expected);
    let large = NdRange { global: [17, 1, 1], local: [17, 1, 1], ..range };
    assert!(device.execute(program, kernel, &large, &[], 1).is_err());
}

/// H8: the original's CPU kernels crashed the process, because `hal_extra` was 0 and they found no
/// barrier function.
#[test]
fn kernels_that_take_the_execution_state() {
    for mode in [Mode::WorkGroup, Mode::WorkItem] {
        let device = device(mode, 2);
        let program = device.load(&build(STATES)).unwrap();
        let kernel = device.find(program, c"pass").unwrap();
        let buffer = device.alloc(256, 64).unwrap();
        device.fill(buffer, &[0xff], 256).unwrap();
        let range = NdRange { offset: [0; 3], global: [64, 1, 1], local: [16, 1, 1] };
        let args =
            [Argument::Global { address: buffer, size: 256 }, Argument::Local { size: 16 * 4 }];
        device.execute(program, kernel, &range, &args, 1).unwrap();
        let expected: Vec<u32> = (0..64).map(|k| (k % 16 + 1) % 16).collect();
        assert_eq!(words(&*device, buffer, 64), expected);
        let large = NdRange { global: [17, 1, 1], local: [17, 1, 1], ..range };
        assert!(device.execute(program, kernel, &large, &args, 1).is_err());
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let device = device(Mode::WorkGroup, 2);
    assert!(matches!(device.load(b"\x7fELF"), Err(HalError::Program(_))));
    let bytes = program();
    let mut other = bytes.clone();
    other[18] ^= 0xff; // another machine type
    assert!(matches!(device.load(&other), Err(HalError::Program(_))));
    let program = device.load(&bytes).unwrap();
    assert!(matches!(device.find(program, c"nothing"), Err(HalError::NoKernel(_))));
    assert!(device.find(Program(99), c"count").is_err());
    let kernel = device.find(program, c"count").unwrap();
    let range = NdRange { offset: [0; 3], global: [8, 1, 1], local: [8, 1, 1] };
    assert!(device.execute(Program(99), kernel, &range, &[], 1).is_err());
    assert!(
        device.execute(program, kernel, &NdRange { local: [0, 1, 1], ..range }, &[], 1).is_err()
    );
    assert!(device.execute(program, kernel, &range, &[], 4).is_err());
    device.unload(program).unwrap();
    assert!(
        device.unload(program).is_err() && device.execute(program, kernel, &range, &[], 1).is_err()
    );

    let a = device.alloc(100, 256).unwrap();
    assert_eq!(a % 256, 0);
    assert!(device.alloc(1 << 40, 1).is_err() && device.alloc(1, 3).is_err());
    assert!(
        device.read(a - (1 << 30), &mut [0; 4]).is_err()
            && device.write(u64::MAX - 2, &[0; 4]).is_err()
    );
    assert!(device.copy(a, a + (256 << 20), 4).is_err() && device.copy(a, a, u64::MAX).is_err());
    device.free(a).unwrap();
    assert!(device.free(a).is_err());
}
