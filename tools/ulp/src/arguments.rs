//! The arguments of a measurement: special values, every exponent, difficult ranges, and random
//! bits.

use crate::catalogue::{Function, Parameters};
use crate::format::Format;
use crate::kernel::{Arguments, STEP};
use crate::random::Random;

/// Arguments near which functions are difficult: zeros, poles, halfway cases, multiples of pi and
/// of its fractions, limits of overflow, and the doubles and floats nearest to a multiple of pi/2.
const LANDMARKS: &[f64] = &[
    0.1,
    0.25,
    1.0 / 3.0,
    0.5,
    0.707_106_781_186_547_5,
    0.75,
    1.0,
    1.25,
    std::f64::consts::SQRT_2,
    1.5,
    std::f64::consts::FRAC_PI_2,
    2.0,
    2.5,
    std::f64::consts::E,
    3.0,
    std::f64::consts::PI,
    3.5,
    4.0,
    4.712_388_980_384_69,
    std::f64::consts::TAU,
    5.0,
    7.0,
    8.0,
    10.0,
    16.0,
    22.0,
    64.0,
    88.722_839_111_673,
    89.415_985_107_421_88,
    103.972_076_416_015_62,
    127.0,
    128.0,
    149.0,
    171.624_376_956_302_7,
    709.782_712_893_383_9,
    745.133_219_101_941_2,
    1023.0,
    1024.0,
    1074.0,
    8_388_607.5,
    16_777_216.0,
    1_073_741_824.0,
    4_503_599_627_370_495.5,
    9_007_199_254_740_992.0,
    // 16367173 * 2^72 and 6381956970095103 * 2^797.
    7.729_253_1e28,
    5.319_372_648_326_541e255,
];

/// The bits of the numbers nearest to `value` and to `-value`.
fn around(format: Format, value: f64, steps: u64, to: &mut Vec<u64>) {
    let bits = format.bits(value) & !format.sign();
    for near in bits.saturating_sub(steps)..=bits + steps {
        if near <= format.infinity() {
            to.extend([near, near | format.sign()]);
        }
    }
}

/// The special values, as bits of `format`.
#[must_use]
pub fn special(format: Format) -> Vec<u64> {
    let mut all = Vec::new();
    around(format, 0.0, 3, &mut all);
    around(format, format.value(format.unit()), 2, &mut all);
    around(format, f64::INFINITY, 2, &mut all);
    all.push(format.infinity() + format.unit() / 2);
    for landmark in LANDMARKS {
        around(format, *landmark, 1, &mut all);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// For every exponent, the first, middle and last number and a few random ones.
fn exponents(format: Format, random: &mut Random, to: &mut Vec<u64>) {
    let unit = format.unit();
    for exponent in 0..format.infinity() / unit {
        let mut put = |fraction: u64| {
            to.extend([exponent * unit + fraction, (exponent * unit + fraction) | format.sign()])
        };
        for fraction in [0, 1, unit / 2, unit - 1] {
            put(fraction);
        }
        for _ in 0..2 {
            put(random.bits() % unit);
        }
    }
}

/// A finite number with a random exponent in `[-size, size]`.
fn moderate(format: Format, size: i64, random: &mut Random) -> u64 {
    let one = format.bits(1.0);
    let exponent =
        random.whole(-size.min(i64::from(format.emax()) - 1), size.min(i64::from(format.emax())));
    let bits =
        (one as i64 + exponent * format.unit() as i64) as u64 | (random.bits() % format.unit());
    bits | if random.bits() & 1 == 0 { 0 } else { format.sign() }
}

/// A number of one of the function's ranges, uniformly distributed.
fn ranged(format: Format, ranges: &[(f64, f64)], random: &mut Random) -> u64 {
    if ranges.is_empty() {
        return moderate(format, 20, random);
    }
    let (from, to) = ranges[(random.bits() % ranges.len() as u64) as usize];
    format.bits(random.between(from, to))
}

/// A number with random bits.
fn any(format: Format, random: &mut Random) -> u64 {
    random.bits() & (format.sign() | (format.sign() - 1))
}

/// The special arguments and `samples` random ones for `function`, the same in every run.
#[must_use]
pub fn sampled(function: &Function, format: Format, samples: usize) -> Arguments {
    let mut random = Random::of(&format!("{} {}", function.name, format.name()));
    let mut made = match function.parameters {
        Parameters::Unary => unary(function, format, samples, &mut random),
        Parameters::Binary => binary(function, format, samples, &mut random),
        Parameters::WithInt => with_int(function, format, samples, &mut random),
        Parameters::Ternary => ternary(format, samples, &mut random),
    };
    made.fill(STEP);
    made
}

/// Part `part` of `parts` of all numbers of a format.
#[must_use]
pub fn exhaustive(format: Format, part: u64, parts: u64) -> Arguments {
    let all = 1_u64 << (8 * format.bytes());
    let mut made = Arguments::default();
    made.numbers[0] = (all / parts * part..all / parts * (part + 1)).collect();
    made.fill(STEP);
    made
}

fn unary(function: &Function, format: Format, samples: usize, random: &mut Random) -> Arguments {
    let mut a = special(format);
    exponents(format, random, &mut a);
    for nth in 0..samples {
        a.push(match nth % 4 {
            0 => any(format, random),
            1 => moderate(format, 6, random),
            _ => ranged(format, function.ranges, random),
        });
    }
    Arguments { numbers: [a, Vec::new(), Vec::new()], whole: Vec::new() }
}

fn binary(function: &Function, format: Format, samples: usize, random: &mut Random) -> Arguments {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let special = special(format);
    for x in &special {
        for y in &special {
            a.push(*x);
            b.push(*y);
        }
    }
    let power = matches!(function.reference(), "pow" | "powr");
    for nth in 0..samples {
        let (x, y) = match nth % 6 {
            0 => (any(format, random), any(format, random)),
            1 => (moderate(format, 6, random), moderate(format, 6, random)),
            // Two numbers of nearly the same size.
            2 => {
                let x = any(format, random);
                let near = random.bits() % (4 * format.unit());
                (
                    x,
                    (x ^ (random.bits() & format.sign()))
                        .wrapping_add(near)
                        .wrapping_sub(2 * format.unit()),
                )
            }
            3 if power => powers(format, random),
            // Few digits, so that quotients and sums are exact or halfway.
            3 => {
                let mut few =
                    || random.whole(-4096, 4096) as f64 * 2f64.powi(random.whole(-6, 6) as i32);
                let x = few();
                (format.bits(x), format.bits(few()))
            }
            4 if power => {
                // Numbers near 1 with large exponents.
                let x = random.between(-1.0, 1.0) * 2f64.powi(random.whole(-12, 0) as i32);
                let x = format.bits(1.0 + x);
                (x, exponent_for(format, format.value(x), random))
            }
            _ => (ranged(format, function.ranges, random), ranged(format, function.ranges, random)),
        };
        let mask = format.sign() | (format.sign() - 1);
        a.push(x & mask);
        b.push(y & mask);
    }
    Arguments { numbers: [a, b, Vec::new()], whole: Vec::new() }
}

/// The bits of a power of `x` near the limits of the format.
fn exponent_for(format: Format, x: f64, random: &mut Random) -> u64 {
    let log = x.abs().log2();
    let target =
        random.between(f64::from(format.emin() - format.digits()), f64::from(format.emax() + 1));
    format.bits(if log == 0.0 || !log.is_finite() { target } else { target / log })
}

/// A base, and an exponent for which the power is in range.
fn powers(format: Format, random: &mut Random) -> (u64, u64) {
    let x = any(format, random);
    let y = exponent_for(format, format.value(x), random);
    if random.bits() & 1 == 0 { (x, y) } else { (x, format.bits(format.value(y).round())) }
}

fn with_int(function: &Function, format: Format, samples: usize, random: &mut Random) -> Arguments {
    let (mut a, mut whole) = (Vec::new(), Vec::new());
    let mut counts = vec![0, i32::MAX, i32::MIN, i32::MAX - 1, i32::MIN + 1];
    for n in [
        1,
        2,
        3,
        4,
        5,
        7,
        10,
        24,
        64,
        127,
        128,
        149,
        150,
        1000,
        1023,
        1024,
        1075,
        2098,
        1 << 24,
        (1 << 24) + 1,
    ] {
        counts.extend([n, -n]);
    }
    for x in special(format) {
        for n in &counts {
            a.push(x);
            whole.push(*n);
        }
    }
    for nth in 0..samples {
        let (x, n) = match nth % 4 {
            0 => (any(format, random), random.bits() as i32),
            1 => (any(format, random), random.whole(-40, 40) as i32),
            2 if function.name == "pown" => {
                let x = if nth & 4 == 0 {
                    any(format, random)
                } else {
                    ranged(format, function.ranges, random)
                };
                (x, format.value(exponent_for(format, format.value(x), random)).round() as i32)
            }
            2 => (any(format, random), random.whole(-2200, 2200) as i32),
            _ => (moderate(format, 6, random), random.whole(-300, 300) as i32),
        };
        a.push(x);
        whole.push(n);
    }
    Arguments { numbers: [a, Vec::new(), Vec::new()], whole }
}

fn ternary(format: Format, samples: usize, random: &mut Random) -> Arguments {
    let mut numbers = [Vec::new(), Vec::new(), Vec::new()];
    let mut put = |x: u64, y: u64, z: u64| {
        for (to, bits) in numbers.iter_mut().zip([x, y, z]) {
            to.push(bits);
        }
    };
    let few = [0.0, 1.0, 1.5, 3.0, f64::INFINITY, f64::NAN];
    let mut special: Vec<u64> =
        few.iter().flat_map(|x| [format.bits(*x), format.bits(-*x)]).collect();
    special.extend([
        1,
        format.unit() - 1,
        format.unit(),
        format.infinity() - 1,
        format.bits(1.0) + 1,
    ]);
    for x in &special {
        for y in &special {
            for z in &special {
                put(*x, *y, *z);
            }
        }
    }
    for nth in 0..samples {
        let size = if nth % 2 == 0 { 8 } else { i64::from(format.emax()) / 2 };
        let (x, y) = (moderate(format, size, random), moderate(format, size, random));
        let product = format.value(x) * format.value(y);
        let z = match nth % 5 {
            0 => any(format, random),
            1 => moderate(format, size, random),
            // A sum that nearly cancels.
            2 => format.bits(-product).wrapping_add(random.bits() % 3).wrapping_sub(1),
            // A summand that decides a tie, and one that barely changes the last digit.
            3 => format.bits(product * 2f64.powi(-format.digits() - random.whole(-2, 2) as i32)),
            _ => format.bits(product * 2f64.powi(random.whole(-60, 60) as i32)),
        };
        put(x, y, z & (format.sign() | (format.sign() - 1)));
    }
    Arguments { numbers, whole: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::{exhaustive, sampled, special};
    use crate::catalogue::FUNCTIONS;
    use crate::format::Format;
    use crate::kernel::STEP;

    #[test]
    fn arguments_are_numbers_of_the_format_and_the_same_every_time() {
        for function in FUNCTIONS {
            for format in Format::ALL {
                let made = sampled(function, format, 600);
                assert_eq!(made.len() % STEP, 0);
                for numbers in made.numbers.iter().filter(|numbers| !numbers.is_empty()) {
                    assert_eq!(numbers.len(), made.len());
                    assert!(
                        numbers.iter().all(|bits| *bits <= format.sign() | (format.sign() - 1)),
                        "{}",
                        function.name
                    );
                }
                assert_eq!(
                    made.numbers,
                    sampled(function, format, 600).numbers,
                    "{}",
                    function.name
                );
            }
        }
    }

    #[test]
    fn special_values_are_there() {
        for format in Format::ALL {
            let all = special(format);
            for value in [
                0.0,
                1.0,
                -1.0,
                f64::INFINITY,
                format.value(1),
                format.value(format.infinity() - 1),
            ] {
                assert!(all.contains(&format.bits(value)), "{value} of {format:?}");
            }
            assert!(all.iter().any(|bits| format.value(*bits).is_nan()));
        }
    }

    #[test]
    fn exhaustive_is_every_number() {
        let mut seen = vec![false; 65536];
        for part in 0..4 {
            for bits in &exhaustive(Format::Half, part, 4).numbers[0] {
                seen[usize::try_from(*bits).unwrap()] = true;
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
