//! The examples' host side: it runs each kernel and checks the results. Invariant: one wrong value
//! fails an example; expected values are computed here, in Rust.

use crate::async_api::Queue;
use crate::sync_api::{Arg, Context, Element, Program, from_bytes, range, to_bytes};
use anyhow::{Result, bail, ensure};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The layer that an example uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    /// `sync_api`
    Sync,
    /// `async_api`
    Async,
}

/// A device property that an example requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Single precision.
    Floats,
    /// Groups with this number of work-items.
    Group(u64),
}

/// An example.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) api: Api,
    pub(crate) needs: &'static [Need],
    pub(crate) what: &'static str,
    /// Runs the example and checks its results; returns the printed text.
    pub(crate) run: fn(&Context, &Arc<Program>) -> Result<String>,
}

/// All examples, simple ones first.
pub(crate) const EXAMPLES: &[Example] = &[
    Example {
        name: "hello",
        api: Api::Sync,
        needs: &[],
        what: "every work-item prints its ids",
        run: hello_sync,
    },
    Example {
        name: "copy_buffer",
        api: Api::Sync,
        needs: &[],
        what: "a kernel copies a buffer",
        run: copy_buffer_sync,
    },
    Example {
        name: "vector_add",
        api: Api::Sync,
        needs: &[],
        what: "the sum of two vectors",
        run: vector_add_sync,
    },
    Example {
        name: "hello",
        api: Api::Async,
        needs: &[],
        what: "every work-item prints its ids",
        run: hello,
    },
    Example {
        name: "copy_buffer",
        api: Api::Async,
        needs: &[],
        what: "copies by kernel and by command",
        run: copy_buffer,
    },
    Example {
        name: "vector_add",
        api: Api::Async,
        needs: &[],
        what: "the sum of two vectors, twice",
        run: vector_add,
    },
    Example {
        name: "vector_add_wfv",
        api: Api::Async,
        needs: &[Need::Group(8)],
        what: "the sum, 8 work-items to a call",
        run: vector_add_wfv,
    },
    Example {
        name: "blur",
        api: Api::Async,
        needs: &[],
        what: "a 5x5 box blur of an image",
        run: blur,
    },
    Example {
        name: "ternary",
        api: Api::Async,
        needs: &[],
        what: "values of several sizes as arguments",
        run: ternary,
    },
    Example {
        name: "concatenate_dma",
        api: Api::Async,
        needs: &[],
        what: "blocks moved by DMA",
        run: concatenate_dma,
    },
    Example {
        name: "matrix_multiply",
        api: Api::Async,
        needs: &[Need::Floats],
        what: "the product of two matrices",
        run: matrix_multiply,
    },
    Example {
        name: "matrix_multiply_tiled",
        api: Api::Async,
        needs: &[Need::Floats],
        what: "the same by tiles in local memory",
        run: matrix_multiply_tiled,
    },
    Example {
        name: "barrier_print",
        api: Api::Async,
        needs: &[],
        what: "all work-items print before any passes the barrier",
        run: barrier_print,
    },
    Example {
        name: "barrier_sum",
        api: Api::Async,
        needs: &[],
        what: "a tree of additions in local memory",
        run: barrier_sum,
    },
];

/// The largest power of two that is a valid local size and at most `most`.
fn local(context: &Context, most: u64) -> u64 {
    let most = most.min(u64::from(context.info.max_workgroup_size));
    1 << most.ilog2()
}

/// Pseudo-random numbers.
fn numbers(count: u64, seed: u64) -> impl Iterator<Item = u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(move |_| random.u32(..))
}

fn equal<T: Element>(found: &[T], expected: &[T]) -> Result<()> {
    ensure!(found.len() == expected.len(), "{} values instead of {}", found.len(), expected.len());
    let wrong = found.iter().zip(expected).filter(|(a, b)| a != b).count();
    if let Some(k) = found.iter().zip(expected).position(|(a, b)| a != b) {
        bail!(
            "{wrong} of {} values are wrong; element {k} is {}, not {}",
            found.len(),
            found[k],
            expected[k]
        );
    }
    Ok(())
}

fn check_hello(text: String, items: u64, local: u64) -> Result<String> {
    let expected: BTreeSet<String> = (0..items)
        .map(|t| format!("Hello from clik! tid={t}, lid={}, gid={}", t % local, t / local))
        .collect();
    let found: Vec<&str> = text.lines().collect();
    ensure!(found.len() as u64 == items, "{} lines instead of {items}", found.len());
    if let Some(missing) = expected.iter().find(|line| !found.contains(&line.as_str())) {
        bail!("no work-item printed `{missing}`");
    }
    Ok(text)
}

fn hello_sync(context: &Context, program: &Arc<Program>) -> Result<String> {
    let local = local(context, 4);
    let text = context.run(program, &range([2 * local, 1, 1], [local, 1, 1]), 1, &[])?;
    check_hello(text, 2 * local, local)
}

fn hello(context: &Context, program: &Arc<Program>) -> Result<String> {
    let local = local(context, 4);
    let mut queue = Queue::new(context)?;
    let text = queue.run(program, range([2 * local, 1, 1], [local, 1, 1]), 1, Vec::new());
    queue.dispatch()?;
    queue.wait()?;
    check_hello(text.take()?, 2 * local, local)
}

fn copy_buffer_sync(context: &Context, program: &Arc<Program>) -> Result<String> {
    let (local, items) = (local(context, 16), 1024);
    let values: Vec<u32> = numbers(items, 1).collect();
    let (src, dst) = (context.buffer_of(&values)?, context.buffer(items * 4)?);
    let text = context.run(
        program,
        &range([items, 1, 1], [local, 1, 1]),
        1,
        &[Arg::buffer(&src), Arg::buffer(&dst)],
    )?;
    equal(&context.read_as::<u32>(&dst)?, &values)?;
    Ok(text)
}

fn copy_buffer(context: &Context, program: &Arc<Program>) -> Result<String> {
    let (local, items) = (local(context, 16), 1024);
    let values: Vec<u32> = numbers(items, 2).collect();
    let [a, b, c, d] = [(); 4].map(|()| context.buffer(items * 4));
    let (a, b, c, d) = (a?, b?, c?, d?);
    let mut queue = Queue::new(context)?;
    queue.write(&a, to_bytes(&values));
    let text = queue.run(
        program,
        range([items, 1, 1], [local, 1, 1]),
        1,
        vec![Arg::buffer(&a), Arg::buffer(&b)],
    );
    queue.copy(&c, &b);
    queue.fill(&d, vec![1, 2, 3, 4]);
    queue.dispatch()?;
    let (copied, filled) = (queue.read(&c), queue.read(&d));
    queue.dispatch()?;
    queue.wait()?;
    equal(&from_bytes::<u32>(&copied.take()?), &values)?;
    equal(&from_bytes::<u32>(&filled.take()?), &vec![0x0403_0201; 1024])?;
    text.take()
}

fn sums(context: &Context, program: &Arc<Program>, local: u64, items: u64) -> Result<String> {
    let [x, y] = [3, 4].map(|seed| numbers(items, seed).collect::<Vec<u32>>());
    let [a, b, c] = [(); 3].map(|()| context.buffer(items * 4));
    let (a, b, c) = (a?, b?, c?);
    let mut queue = Queue::new(context)?;
    queue.write(&a, to_bytes(&x));
    queue.write(&b, to_bytes(&y));
    let range = range([items, 1, 1], [local, 1, 1]);
    let args = |k: [&Arc<_>; 3]| k.into_iter().map(Arg::buffer).collect::<Vec<_>>();
    let first = queue.run(program, range, 1, args([&a, &b, &c]));
    queue.dispatch()?;
    // In place: the second kernel reads the results of the first.
    queue.run(program, range, 1, args([&c, &b, &c]));
    let result = queue.read(&c);
    queue.dispatch()?;
    queue.wait()?;
    let expected: Vec<u32> =
        x.iter().zip(&y).map(|(x, y)| x.wrapping_add(*y).wrapping_add(*y)).collect();
    equal(&from_bytes::<u32>(&result.take()?), &expected)?;
    first.take()
}

fn vector_add_sync(context: &Context, program: &Arc<Program>) -> Result<String> {
    let (local, items) = (local(context, 16), 4096);
    let [x, y] = [5, 6].map(|seed| numbers(items, seed).collect::<Vec<u32>>());
    let (a, b, c) = (context.buffer_of(&x)?, context.buffer_of(&y)?, context.buffer(items * 4)?);
    let args = [&a, &b, &c].map(Arg::buffer);
    let text = context.run(program, &range([items, 1, 1], [local, 1, 1]), 1, &args)?;
    let expected: Vec<u32> = x.iter().zip(&y).map(|(x, y)| x.wrapping_add(*y)).collect();
    equal(&context.read_as::<u32>(&c)?, &expected)?;
    Ok(text)
}

fn vector_add(context: &Context, program: &Arc<Program>) -> Result<String> {
    sums(context, program, local(context, 16), 4096)
}

fn vector_add_wfv(context: &Context, program: &Arc<Program>) -> Result<String> {
    sums(context, program, local(context, 16), 4096)
}

fn blur(context: &Context, program: &Arc<Program>) -> Result<String> {
    let (width, height) = (64u64, 48u64);
    let pixels: Vec<u32> = numbers(width * height, 7).collect();
    let (src, dst) = (context.buffer_of(&pixels)?, context.buffer(width * height * 4)?);
    let local = range([width, height, 1], [local(context, 8), 1, 1]);
    let mut queue = Queue::new(context)?;
    let text = queue.run(program, local, 2, vec![Arg::buffer(&src), Arg::buffer(&dst)]);
    let result = queue.read(&dst);
    queue.dispatch()?;
    queue.wait()?;
    let at = |x: i64, y: i64| {
        let clamp = |v: i64, n: u64| v.clamp(0, n.cast_signed() - 1).cast_unsigned();
        pixels[usize::try_from(clamp(y, height) * width + clamp(x, width)).unwrap_or(0)]
    };
    let mut expected = Vec::new();
    for (y, x) in
        (0..height.cast_signed()).flat_map(|y| (0..width.cast_signed()).map(move |x| (y, x)))
    {
        let mut pixel = 0;
        for channel in 0..4 {
            let window = (-2..=2).flat_map(|dy| (-2..=2).map(move |dx| (dy, dx)));
            let sum: u32 = window.map(|(dy, dx)| at(x + dx, y + dy) >> (8 * channel) & 255).sum();
            pixel |= (sum / 25) << (8 * channel);
        }
        expected.push(pixel);
    }
    equal(&from_bytes::<u32>(&result.take()?), &expected)?;
    text.take()
}

fn ternary(context: &Context, program: &Arc<Program>) -> Result<String> {
    let items = 512;
    let values: Vec<i32> = numbers(items, 8).map(u32::cast_signed).collect();
    let (src, dst) = (context.buffer_of(&values)?, context.buffer(items * 8)?);
    let (bias, step, yes, no) = (-12345i32, 200u8, -0x0123_4567_89ab_cdefi64, -321i16);
    let values_of = [
        bias.to_le_bytes().to_vec(),
        vec![step],
        yes.to_le_bytes().to_vec(),
        no.to_le_bytes().to_vec(),
    ];
    let args = [&src, &dst]
        .into_iter()
        .map(Arg::buffer)
        .chain(values_of.into_iter().map(Arg::Value))
        .collect();
    let mut queue = Queue::new(context)?;
    let text = queue.run(program, range([items, 1, 1], [local(context, 16), 1, 1]), 1, args);
    let result = queue.read(&dst);
    queue.dispatch()?;
    queue.wait()?;
    let expected: Vec<i64> = values
        .iter()
        .map(|v| if *v > bias { yes + i64::from(step) } else { i64::from(no) })
        .collect();
    equal(&from_bytes::<i64>(&result.take()?), &expected)?;
    text.take()
}

fn concatenate_dma(context: &Context, program: &Arc<Program>) -> Result<String> {
    let (local, items) = (local(context, 16), 2048);
    let [x, y] = [9, 10].map(|seed| numbers(items, seed).collect::<Vec<u32>>());
    let (a, b, c) = (context.buffer_of(&x)?, context.buffer_of(&y)?, context.buffer(items * 8)?);
    let mut queue = Queue::new(context)?;
    let args = [&a, &b, &c].into_iter().map(Arg::buffer).collect();
    let text = queue.run(program, range([items, 1, 1], [local, 1, 1]), 1, args);
    let result = queue.read(&c);
    queue.dispatch()?;
    queue.wait()?;
    let block = usize::try_from(local)?;
    let expected: Vec<u32> =
        x.chunks(block).zip(y.chunks(block)).flat_map(|(x, y)| [x, y].concat()).collect();
    equal(&from_bytes::<u32>(&result.take()?), &expected)?;
    text.take()
}

fn product(
    context: &Context,
    program: &Arc<Program>,
    local: [u64; 2],
    tiles: Option<u64>,
) -> Result<String> {
    let n = 32u32;
    let count = u64::from(n * n);
    // Small integers, so that sums of products are exact.
    let small = |seed| {
        numbers(count, seed)
            .map(|v| f32::from(u8::try_from(v & 15).unwrap_or(0)))
            .collect::<Vec<f32>>()
    };
    let (x, y) = (small(11), small(12));
    let (a, b, c) = (context.buffer_of(&x)?, context.buffer_of(&y)?, context.buffer(count * 4)?);
    let mut args: Vec<Arg> = [&a, &b, &c].into_iter().map(Arg::buffer).collect();
    args.extend(tiles.map(Arg::Local));
    args.push(Arg::Value(n.to_le_bytes().to_vec()));
    let mut queue = Queue::new(context)?;
    let n = u64::from(n);
    let text = queue.run(program, range([n, n, 1], [local[0], local[1], 1]), 2, args);
    let result = queue.read(&c);
    queue.dispatch()?;
    queue.wait()?;
    let n = usize::try_from(n)?;
    let element = |k: usize| (0..n).map(|i| x[k / n * n + i] * y[i * n + k % n]).sum();
    let expected: Vec<f32> = (0..n * n).map(element).collect();
    equal(&from_bytes::<f32>(&result.take()?), &expected)?;
    text.take()
}

fn matrix_multiply(context: &Context, program: &Arc<Program>) -> Result<String> {
    product(context, program, [local(context, 8), 1], None)
}

fn matrix_multiply_tiled(context: &Context, program: &Arc<Program>) -> Result<String> {
    let most = u64::from(context.info.max_workgroup_size).min(64);
    let tile = 1 << (most.ilog2() / 2);
    product(context, program, [tile, tile], Some(2 * tile * tile * 4))
}

fn barrier_print(context: &Context, program: &Arc<Program>) -> Result<String> {
    let local = local(context, 4);
    let mut queue = Queue::new(context)?;
    let text = queue.run(program, range([4 * local, 1, 1], [local, 1, 1]), 1, Vec::new());
    queue.dispatch()?;
    queue.wait()?;
    let text = text.take()?;
    let lines: Vec<&str> = text.lines().collect();
    ensure!(lines.len() as u64 == 8 * local, "{} lines instead of {}", lines.len(), 8 * local);
    for tid in 0..4 * local {
        let group = tid / local;
        for when in ["before", "after"] {
            let line = format!("{when} the barrier: tid={tid}, gid={group}");
            ensure!(
                lines.iter().filter(|l| **l == line).count() == 1,
                "`{line}` does not occur exactly once"
            );
        }
    }
    for group in 0..4 {
        let of = |when: &str| {
            let end = format!(", gid={group}");
            let places =
                lines.iter().enumerate().filter(|(_, l)| l.starts_with(when) && l.ends_with(&end));
            places.map(|(at, _)| at).collect::<Vec<_>>()
        };
        ensure!(
            of("before").last() < of("after").first(),
            "group {group}: a work-item passed the barrier before all had arrived"
        );
    }
    Ok(text)
}

fn barrier_sum(context: &Context, program: &Arc<Program>) -> Result<String> {
    let (local, groups) = (local(context, 64), 32);
    let values: Vec<u32> = numbers(groups * local, 13).collect();
    let (src, dst) = (context.buffer_of(&values)?, context.buffer(groups * 4)?);
    let mut queue = Queue::new(context)?;
    let args = vec![Arg::buffer(&src), Arg::buffer(&dst), Arg::Local(local * 4)];
    let text = queue.run(program, range([groups * local, 1, 1], [local, 1, 1]), 1, args);
    let result = queue.read(&dst);
    queue.dispatch()?;
    queue.wait()?;
    let sum = |group: &[u32]| group.iter().fold(0u32, |a, b| a.wrapping_add(*b));
    let expected: Vec<u32> = values.chunks(usize::try_from(local)?).map(sum).collect();
    equal(&from_bytes::<u32>(&result.take()?), &expected)?;
    text.take()
}
