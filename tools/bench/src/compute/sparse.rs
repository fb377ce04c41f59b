//! Rows about products of a sparse matrix and a vector.

use anyhow::Result;

use super::{Arg, empty, near, numbers, read, time, words};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("CSR SpMV 64 K rows", spmv),
    compute("CSR SpMV 64 K rows of uneven length", csr_uneven),
    compute("ELL SpMV 128 K rows", ell),
];

fn spmv() -> Result<f64> {
    const ROWS: usize = 64 << 10;
    const PER_ROW: usize = 8;
    let bench = Bench::new()?;
    let values = numbers(ROWS * PER_ROW);
    let x = numbers(ROWS);
    let starts: Vec<i32> = (0..i32::MAX).step_by(PER_ROW).take(ROWS + 1).collect();
    let columns: Vec<u32> =
        (0..u32::MAX).take(ROWS * PER_ROW).map(|i| (i / 8 + (i % 8) * 37) % (64 << 10)).collect();
    let buffers = (
        bench.context.buffer_with(&starts)?,
        bench.context.buffer_with(&columns)?,
        bench.context.buffer_with(&values)?,
        bench.context.buffer_with(&x)?,
        empty(&bench, ROWS * 4)?,
    );
    let source = "
kernel void k(global const int *start, global const int *column, global const float *value,
              global const float *x, global float *y)
{
    size_t r = get_global_id(0);
    float sum = 0.0f;
    for (int i = start[r]; i < start[r + 1]; ++i) sum += value[i] * x[column[i]];
    y[r] = sum;
}";
    let arguments = [
        Arg::Buf(&buffers.0),
        Arg::Buf(&buffers.1),
        Arg::Buf(&buffers.2),
        Arg::Buf(&buffers.3),
        Arg::Buf(&buffers.4),
    ];
    let time = time(&bench, source, &arguments, &[ROWS], None)?;
    let found = read(&bench, &buffers.4, ROWS)?;
    for row in [0, 1000, ROWS - 1] {
        let wanted = (0..PER_ROW)
            .map(|k| values[row * PER_ROW + k] * x[columns[row * PER_ROW + k] as usize])
            .sum();
        near(found[row], wanted)?;
    }
    Ok(time)
}

/// Most rows have few elements, some have 256.
fn csr_uneven() -> Result<f64> {
    const ROWS: usize = 64 << 10;
    let bench = Bench::new()?;
    let mut starts = vec![0_u32];
    let mut end = 0;
    for word in words(ROWS, 4) {
        end += if word % 32 == 0 { 256 } else { word % 16 };
        starts.push(end);
    }
    let elements = end as usize;
    let columns: Vec<u32> = words(elements, 5).into_iter().map(|x| x % (64 << 10)).collect();
    let (values, x) = (numbers(elements), numbers(ROWS));
    let buffers = [
        bench.context.buffer_with(&starts)?,
        bench.context.buffer_with(&columns)?,
        bench.context.buffer_with(&values)?,
        bench.context.buffer_with(&x)?,
        empty(&bench, ROWS * 4)?,
    ];
    let source = "
kernel void k(global const int *start, global const int *column, global const float *value,
              global const float *x, global float *y)
{
    int r = get_global_id(0), end = start[r + 1];
    float sum = 0.0f;
    for (int i = start[r]; i < end; ++i) sum += value[i] * x[column[i]];
    y[r] = sum;
}";
    let time = time(&bench, source, &buffers.each_ref().map(Arg::Buf), &[ROWS], Some(&[64]))?;
    for (row, found) in starts.windows(2).zip(read(&bench, &buffers[4], ROWS)?) {
        let row = row[0] as usize..row[1] as usize;
        near(found, row.map(|i| values[i] * x[columns[i] as usize]).sum())?;
    }
    Ok(time)
}

/// The elements are stored column by column; short rows are filled up with zeros.
fn ell() -> Result<f64> {
    const ROWS: usize = 128 << 10;
    const WIDTH: usize = 16;
    let bench = Bench::new()?;
    let columns: Vec<u32> = words(ROWS * WIDTH, 6).into_iter().map(|x| x % (128 << 10)).collect();
    let mut values = numbers(ROWS * WIDTH);
    for (value, word) in values.iter_mut().zip(words(ROWS * WIDTH, 7)) {
        if word % 4 == 0 {
            *value = 0.0;
        }
    }
    let x = numbers(ROWS);
    let buffers = [
        bench.context.buffer_with(&columns)?,
        bench.context.buffer_with(&values)?,
        bench.context.buffer_with(&x)?,
        empty(&bench, ROWS * 4)?,
    ];
    let source =
        "kernel void k(global const int *column, global const float *value, global const float *x,
              global float *y, int rows, int width)
{
    int r = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < width; ++i) {
        float v = value[i * rows + r];
        if (v != 0.0f) sum += v * x[column[i * rows + r]];
    }
    y[r] = sum;
}";
    let [column, value, vector, out] = buffers.each_ref().map(Arg::Buf);
    let arguments = [column, value, vector, out, Arg::Count(ROWS), Arg::Count(WIDTH)];
    let time = time(&bench, source, &arguments, &[ROWS], None)?;
    for (row, found) in read(&bench, &buffers[3], ROWS)?.into_iter().enumerate() {
        let places = (row..ROWS * WIDTH).step_by(ROWS);
        near(found, places.map(|i| values[i] * x[columns[i] as usize]).sum())?;
    }
    Ok(time)
}
