//! Rows whose cells read their neighbours: stencils, heat, flow.

use anyhow::{Result, ensure};

use super::{Arg, all_near, empty, near, numbers, read, set, time, time_commands, words};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("5-point stencil 2048^2", stencil),
    compute("7-point stencil 160^3", stencil_3d),
    compute("7x7 convolution 1024^2 with bounds", convolution),
    compute("hotspot 1024^2, 4 steps", hotspot),
    compute("lattice Boltzmann D2Q9 512^2", lattice_d2q9),
    compute("lattice Boltzmann D3Q19 64^3", lattice_d3q19),
];

fn stencil() -> Result<f64> {
    const N: usize = 2048;
    let bench = Bench::new()?;
    let data = numbers(N * N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N * 4)?);
    let source = "kernel void k(global const float *in, global float *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
    if (x == 0 || y == 0 || x == w - 1 || y == w - 1) { out[i] = in[i]; return; }
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}";
    let time =
        time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out), Arg::Int(2048)], &[N, N], None)?;
    let found = read(&bench, &out, N * N)?;
    near(found[5], data[5])?;
    let i = 100 * N + 200;
    near(found[i], 0.2 * (data[i] + data[i - 1] + data[i + 1] + data[i - N] + data[i + N]))?;
    Ok(time)
}

fn convolution() -> Result<f64> {
    const N: usize = 1024;
    const SIDE: usize = 7;
    let bench = Bench::new()?;
    let (data, weights) = (numbers(N * N), numbers(SIDE * SIDE));
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N * 4)?);
    let filter = bench.context.buffer_with(&weights)?;
    let source = "kernel void k(global const float *in, constant float *filter, global float *out,
    int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w - 6 || y >= w - 6) return;
    float sum = 0.0f;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++) sum += in[(y + j) * w + x + i] * filter[j * 7 + i];
    out[y * w + x] = sum;
}";
    let arguments = [Arg::Buf(&input), Arg::Buf(&filter), Arg::Buf(&out), Arg::Int(1024)];
    let time = time(&bench, source, &arguments, &[N, N], Some(&[16, 16]))?;
    let found = read(&bench, &out, N * N)?;
    for (x, y) in [(0, 0), (300, 700), (N - SIDE, N - SIDE)] {
        let cells = (0..SIDE * SIDE).map(|n| (n / SIDE, n % SIDE));
        let terms = cells.map(|(j, i)| data[(y + j) * N + x + i] * weights[j * SIDE + i]);
        near(found[y * N + x], terms.sum())?;
    }
    Ok(time)
}

fn stencil_3d() -> Result<f64> {
    const N: usize = 160;
    let bench = Bench::new()?;
    let data = numbers(N * N * N);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * N * N * 4)?);
    let source = "kernel void k(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * n + y) * n + x;
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
        out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                        in[i - n * n] + in[i + n * n]);
    else
        out[i] = in[i];
}";
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Count(N)];
    let time = time(&bench, source, &arguments, &[N, N, N], None)?;
    let found = read(&bench, &out, N * N * N)?;
    let is_edge = |i: usize| i == 0 || i == N - 1;
    for (i, found) in found.into_iter().enumerate() {
        let wanted = if is_edge(i % N) || is_edge(i / N % N) || is_edge(i / N / N) {
            data[i]
        } else {
            let around = [i - 1, i + 1, i - N, i + N, i - N * N, i + N * N];
            0.4 * data[i] + 0.1 * around.iter().map(|i| data[*i]).sum::<f32>()
        };
        near(found, wanted)?;
    }
    Ok(time)
}

fn hotspot() -> Result<f64> {
    const N: usize = 1024;
    let bench = Bench::new()?;
    let mut heat: Vec<f32> = numbers(N * N).iter().map(|x| 60.0 + 40.0 * x).collect();
    let power: Vec<f32> = heat.iter().map(|x| (100.0 - x) * 0.25).collect();
    let (start, buf_power) =
        (bench.context.buffer_with(&heat)?, bench.context.buffer_with(&power)?);
    let (a, b) = (empty(&bench, N * N * 4)?, empty(&bench, N * N * 4)?);
    let steps = [(&start, &a), (&a, &b), (&b, &a), (&a, &b)];
    let mut kernel = bench.kernel(include_str!("../../kernels/hotspot.cl"), "k")?;
    let time = time_commands(
        &bench,
        || Ok(()),
        || {
            for (from, to) in steps {
                let (from, to, power) = (Arg::Buf(from), Arg::Buf(to), Arg::Buf(&buf_power));
                set(&mut kernel, &[from, power, to, Arg::Count(N), Arg::Count(N)])?;
                bench.queue.run(&kernel, &[N, N], Some(&[16, 16]), None)?;
            }
            Ok(())
        },
    )?;
    for _ in steps {
        let at = |y: usize, x: usize| heat[y.clamp(1, N) * N - N + x.clamp(1, N) - 1];
        let next = (0..N * N).map(|i| {
            let (here, y, x) = (heat[i], i / N + 1, i % N + 1);
            let vertical = at(y - 1, x) + at(y + 1, x) - 2.0 * here;
            let horizontal = at(y, x - 1) + at(y, x + 1) - 2.0 * here;
            let change = 0.1 * vertical + 0.15 * horizontal + 0.01 * (80.0 - here);
            here + 0.5 * (power[i] + change)
        });
        heat = next.collect();
    }
    all_near(&read(&bench, &b, N * N)?, &heat)?;
    Ok(time)
}

/// A direction of a lattice: the step along each axis, and the weight.
type Direction = ([i16; 3], f32);

const OMEGA: f32 = 1.2;

/// One step of a cell that is not solid: `f` in, `f` out.
fn relax(directions: &[Direction], f: &mut [f32]) {
    let density: f32 = f.iter().sum();
    let along = |axis: usize| {
        let moved = directions.iter().zip(&*f).map(|((step, _), f)| f32::from(step[axis]) * f);
        moved.sum::<f32>() / density
    };
    let speed = [along(0), along(1), along(2)];
    let square = 1.5 * speed.iter().map(|u| u * u).sum::<f32>();
    for ((step, weight), f) in directions.iter().zip(f) {
        let along = 3.0 * step.iter().zip(speed).map(|(e, u)| f32::from(*e) * u).sum::<f32>();
        let balance = weight * density * (1.0 + along + 0.5 * along * along - square);
        *f += OMEGA * (balance - *f);
    }
}

/// The place from which `direction` comes to `place` in a periodic lattice of `n` cells along each
/// axis.
fn source_of(place: [usize; 3], direction: Direction, n: usize) -> [usize; 3] {
    let mut from = place;
    for (from, step) in from.iter_mut().zip(direction.0) {
        *from = (*from + n).wrapping_add_signed(-isize::from(step)) % n;
    }
    from
}

fn lattice_d2q9() -> Result<f64> {
    const N: usize = 512;
    const STEPS: [[i16; 3]; 9] = [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [-1, 0, 0],
        [0, -1, 0],
        [1, 1, 0],
        [-1, 1, 0],
        [-1, -1, 0],
        [1, -1, 0],
    ];
    let bench = Bench::new()?;
    let directions = STEPS.map(|step| {
        let weight = match step.iter().filter(|step| **step != 0).count() {
            0 => 4.0 / 9.0,
            1 => 1.0 / 9.0,
            _ => 1.0 / 36.0,
        };
        (step, weight)
    });
    let mut f = numbers(9 * N * N);
    for (i, f) in f.iter_mut().enumerate() {
        *f = directions[i / (N * N)].1 * (0.9 + 0.2 * *f);
    }
    let solid: Vec<u8> = words(N * N, 9).iter().map(|x| u8::from(x % 16 == 0)).collect();
    let (from, to) = (bench.context.buffer_with(&f)?, empty(&bench, 9 * N * N * 4)?);
    let buf_solid = bench.context.buffer_with(&solid)?;
    let arguments = [
        Arg::Buf(&from),
        Arg::Buf(&to),
        Arg::Buf(&buf_solid),
        Arg::Count(N),
        Arg::Count(N),
        Arg::Float(OMEGA),
    ];
    let source = include_str!("../../kernels/lattice_d2q9.cl");
    let time = time(&bench, source, &arguments, &[N, N], None)?;
    let found: Vec<f32> = read(&bench, &to, 9 * N * N)?;
    for i in 0..N * N {
        let mut cell = [0.0; 9];
        for ((d, direction), cell) in directions.iter().enumerate().zip(&mut cell) {
            let [x, y, _] = source_of([i % N, i / N, 0], *direction, N);
            *cell = f[(d * N + y) * N + x];
        }
        if solid[i] == 0 {
            relax(&directions, &mut cell);
        } else {
            cell = [0, 3, 4, 1, 2, 7, 8, 5, 6].map(|opposite: usize| cell[opposite]);
        }
        for (d, wanted) in cell.into_iter().enumerate() {
            let found = found[d * N * N + i];
            ensure!((found - wanted).abs() < 1e-5, "a density is {found}, should be {wanted}");
        }
    }
    Ok(time)
}

fn lattice_d3q19() -> Result<f64> {
    const N: usize = 64;
    const CELLS: usize = N * N * N;
    /// Opposite directions follow each other, straight ones first.
    const HALF: [[i16; 3]; 9] = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 1, 0],
        [1, -1, 0],
        [1, 0, 1],
        [1, 0, -1],
        [0, 1, 1],
        [0, 1, -1],
    ];
    let bench = Bench::new()?;
    let mut directions = vec![([0; 3], 1.0 / 3.0)];
    for (number, step) in HALF.into_iter().enumerate() {
        let weight = if number < 3 { 1.0 / 18.0 } else { 1.0 / 36.0 };
        directions.extend([(step, weight), (step.map(|e| -e), weight)]);
    }
    let mut f = numbers(19 * CELLS);
    for (i, f) in f.iter_mut().enumerate() {
        *f = directions[i / CELLS].1 * (0.9 + 0.2 * *f);
    }
    let (from, to) = (bench.context.buffer_with(&f)?, empty(&bench, 19 * CELLS * 4)?);
    let arguments = [Arg::Buf(&from), Arg::Buf(&to), Arg::Count(N), Arg::Float(OMEGA)];
    let source = include_str!("../../kernels/lattice_d3q19.cl");
    let time = time(&bench, source, &arguments, &[N, N, N], None)?;
    let found: Vec<f32> = read(&bench, &to, 19 * CELLS)?;
    for i in (0..CELLS).step_by(3) {
        let mut cell = [0.0; 19];
        for ((d, direction), cell) in directions.iter().enumerate().zip(&mut cell) {
            let [x, y, z] = source_of([i % N, i / N % N, i / N / N], *direction, N);
            *cell = f[((d * N + z) * N + y) * N + x];
        }
        relax(&directions, &mut cell);
        for (d, wanted) in cell.into_iter().enumerate() {
            let found = found[d * CELLS + i];
            ensure!((found - wanted).abs() < 1e-5, "a density is {found}, should be {wanted}");
        }
    }
    Ok(time)
}
