//! Rows about graphs: breadth-first search, shortest paths.

use std::collections::VecDeque;

use anyhow::Result;

use super::{Arg, read, same, set, time_commands, words};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] =
    &[compute("BFS 256 K nodes, 2 M edges", bfs), compute("Floyd-Warshall 256", floyd_warshall)];

fn bfs() -> Result<f64> {
    const NODES: usize = 256 << 10;
    let bench = Bench::new()?;
    let mut starts = vec![0_u32];
    let mut end = 0;
    for word in words(NODES, 19) {
        end += word % 17;
        starts.push(end);
    }
    let neighbours: Vec<u32> =
        words(end as usize, 20).into_iter().map(|x| x % (256 << 10)).collect();
    let mut first = vec![-1_i32; NODES];
    // A node with neighbours, so that the search reaches almost all nodes.
    let root = starts.windows(2).position(|row| row[1] - row[0] == 16).unwrap_or_default();
    first[root] = 0;
    let levels = bench.context.buffer_with(&first)?;
    let changed = bench.context.buffer_with(&[0_i32])?;
    let (buf_starts, buf_neighbours) =
        (bench.context.buffer_with(&starts)?, bench.context.buffer_with(&neighbours)?);
    let mut kernel = bench.kernel(include_str!("../../kernels/bfs.cl"), "k")?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&levels, &first)?),
        || {
            for level in 0.. {
                bench.queue.write(&changed, &[0_i32])?;
                let arguments = [&buf_starts, &buf_neighbours, &levels, &changed].map(Arg::Buf);
                set(&mut kernel, &arguments)?;
                kernel.set(4, level)?;
                bench.queue.run(&kernel, &[NODES], Some(&[256]), None)?;
                if read::<i32>(&bench, &changed, 1)? == [0] {
                    break;
                }
            }
            Ok(())
        },
    )?;
    let mut wanted = first;
    let mut next = VecDeque::from([root]);
    while let Some(node) = next.pop_front() {
        for neighbour in &neighbours[starts[node] as usize..starts[node + 1] as usize] {
            let neighbour = *neighbour as usize;
            if wanted[neighbour] < 0 {
                wanted[neighbour] = wanted[node] + 1;
                next.push_back(neighbour);
            }
        }
    }
    same(&read(&bench, &levels, NODES)?, &wanted)?;
    Ok(time)
}

fn floyd_warshall() -> Result<f64> {
    const N: usize = 256;
    let bench = Bench::new()?;
    let mut paths: Vec<u32> = words(N * N, 21).into_iter().map(|x| 1 + x % 10_000).collect();
    let buffer = bench.context.buffer_with(&paths)?;
    let source = "kernel void k(global int *path, int n, int via)
{
    int x = get_global_id(0), y = get_global_id(1);
    int length = path[y * n + via] + path[via * n + x];
    if (length < path[y * n + x]) path[y * n + x] = length;
}";
    let mut kernel = bench.kernel(source, "k")?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&buffer, &paths)?),
        || {
            for via in 0..N {
                set(&mut kernel, &[Arg::Buf(&buffer), Arg::Count(N), Arg::Count(via)])?;
                bench.queue.run(&kernel, &[N, N], Some(&[16, 16]), None)?;
            }
            Ok(())
        },
    )?;
    for via in 0..N {
        for (y, x) in (0..N).flat_map(|y| (0..N).map(move |x| (y, x))) {
            let length = paths[y * N + via] + paths[via * N + x];
            paths[y * N + x] = paths[y * N + x].min(length);
        }
    }
    same(&read(&bench, &buffer, N * N)?, &paths)?;
    Ok(time)
}
