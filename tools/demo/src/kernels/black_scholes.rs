//! Option prices: exp, log, sqrt, and a polynomial.

use anyhow::Result;

use super::{Argument, Job, Kernel, close, random};

pub(crate) const KERNEL: Kernel = Kernel { name: "black-scholes", source: SOURCE, run };

const SOURCE: &str = "
float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float poly = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float tail = 0.39894228040143267794f * exp(-0.5f * d * d) * poly;
    return d > 0.0f ? 1.0f - tail : tail;
}
kernel void prices(global const float *price, global const float *strike, global const float *years,
                   global float *call, global float *put, float rate, float volatility)
{
    size_t i = get_global_id(0);
    float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float discount = exp(-rate * t);
    call[i] = s * normal(d1) - x * discount * normal(d2);
    put[i] = x * discount * (1.0f - normal(d2)) - s * (1.0f - normal(d1));
}";

const N: usize = 1 << 18;
const RATE: f32 = 0.02;
const VOLATILITY: f32 = 0.30;

fn run(job: &mut Job<'_>) -> Result<()> {
    let (price, strike, years) =
        (random(N, 5.0, 30.0), random(N, 1.0, 100.0), random(N, 0.25, 10.0));
    let inputs = [job.buffer(&price)?, job.buffer(&strike)?, job.buffer(&years)?];
    let (call, put) = (job.buffer(&vec![f32::NAN; N])?, job.buffer(&vec![f32::NAN; N])?);
    let mut arguments: Vec<_> = inputs.iter().map(Argument::Buffer).collect();
    arguments.extend([
        Argument::Buffer(&call),
        Argument::Buffer(&put),
        Argument::Float(RATE),
        Argument::Float(VOLATILITY),
    ]);
    job.run("prices", &arguments, &[N], Some(&[128]), |_| Ok(()))?;
    let wanted: Vec<_> =
        (0..N).map(|i| prices(price[i].into(), strike[i].into(), years[i].into())).collect();
    close(&job.read(&call, N)?, &wanted.iter().map(|pair| pair.0).collect::<Vec<_>>(), 1e-3)?;
    close(&job.read(&put, N)?, &wanted.iter().map(|pair| pair.1).collect::<Vec<_>>(), 1e-3)
}

/// Call and put, in double precision.
#[expect(clippy::cast_possible_truncation, reason = "the kernel's results are single precision")]
fn prices(s: f64, x: f64, t: f64) -> (f32, f32) {
    let (rate, volatility) = (f64::from(RATE), f64::from(VOLATILITY));
    let d1 = ((s / x).ln() + (rate + 0.5 * volatility * volatility) * t) / (volatility * t.sqrt());
    let d2 = d1 - volatility * t.sqrt();
    let discounted = x * (-rate * t).exp();
    let call = s * normal(d1) - discounted * normal(d2);
    let put = discounted * (1.0 - normal(d2)) - s * (1.0 - normal(d1));
    (call as f32, put as f32)
}

fn normal(d: f64) -> f64 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let poly = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530]
        .iter()
        .fold(0.0, |sum, c| k * (c + sum));
    let tail = (1.0 / std::f64::consts::TAU.sqrt()) * (-0.5 * d * d).exp() * poly;
    if d > 0.0 { 1.0 - tail } else { tail }
}
