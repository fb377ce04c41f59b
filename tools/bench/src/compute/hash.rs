//! Rows that hash: rounds of mixing, SHA-256, MD5.

use anyhow::Result;

use super::{Arg, empty, read, same, set, time, time_commands, words};
use crate::hand;
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("256 hash rounds 64 K", rounds).by_hand(hand::hash_rounds),
    compute("SHA-256 of 128 K blocks", sha256),
    compute("MD5 of 256 K candidates", md5),
];

/// Words to hash.
pub(crate) const WORDS: usize = 64 << 10;
/// Their seed for [`words`].
pub(crate) const SEED: u32 = 13;
pub(crate) const ROUNDS: u32 = 256;

pub(crate) fn check_rounds(data: &[u32], found: &[u32]) -> Result<()> {
    let mixed = |x: &u32| {
        (0..ROUNDS).fold(*x, |x, r| {
            let x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
            (x ^ (x >> 13)).rotate_left(5).wrapping_add(r)
        })
    };
    let wanted: Vec<_> = data.iter().map(mixed).collect();
    same(found, &wanted)
}

fn rounds() -> Result<f64> {
    const N: usize = WORDS;
    let bench = Bench::new()?;
    let data = words(N, SEED);
    let (input, out) = (bench.context.buffer_with(&data)?, empty(&bench, N * 4)?);
    let source = "kernel void k(global const uint *in, global uint *out, uint rounds)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    for (uint r = 0; r < rounds; ++r) {
        x ^= x >> 16;
        x *= 0x85ebca6b;
        x ^= x >> 13;
        x = rotate(x, 5u) + r;
    }
    out[i] = x;
}";
    let arguments = [Arg::Buf(&input), Arg::Buf(&out), Arg::Uint(ROUNDS)];
    let time = time(&bench, source, &arguments, &[N], None)?;
    check_rounds(&data, &read(&bench, &out, N)?)?;
    Ok(time)
}

fn sha256() -> Result<f64> {
    const N: usize = 128 << 10;
    let bench = Bench::new()?;
    let messages = words(N * 16, 14);
    let (input, out) = (bench.context.buffer_with(&messages)?, empty(&bench, N * 32)?);
    let source = include_str!("../../kernels/sha256.cl");
    let time = time(&bench, source, &[Arg::Buf(&input), Arg::Buf(&out)], &[N], Some(&[64]))?;
    let found: Vec<u32> = read(&bench, &out, N * 8)?;
    let constants = sha256_constants();
    for i in (0..N).step_by(13) {
        same(&found[i * 8..][..8], &sha256_block(&constants, &messages[i * 16..][..16]))?;
    }
    Ok(time)
}

/// The first 32 bits of the fraction of a number below 2^20.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is in 0..2^32"
)]
fn fraction(x: f64) -> u32 {
    (x.fract() * 4_294_967_296.0) as u32
}

fn primes() -> impl Iterator<Item = u32> {
    (2..).filter(|n| (2..*n).all(|divisor| n % divisor != 0))
}

/// Fractions of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
fn sha256_constants() -> Vec<u32> {
    primes().take(64).map(|prime| fraction(f64::from(prime).cbrt())).collect()
}

/// SHA-256 of one padded block.
fn sha256_block(constants: &[u32], message: &[u32]) -> Vec<u32> {
    let mut w = message.to_vec();
    for i in 16..64 {
        let (x, y) = (w[i - 15], w[i - 2]);
        let low = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
        let high = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
        w.push(w[i - 16].wrapping_add(low).wrapping_add(w[i - 7]).wrapping_add(high));
    }
    let start: Vec<u32> = primes().take(8).map(|prime| fraction(f64::from(prime).sqrt())).collect();
    let mut s = start.clone();
    for (constant, word) in constants.iter().zip(w) {
        let high = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
        let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
        let first = [high, choice, *constant, word].into_iter().fold(s[7], u32::wrapping_add);
        let low = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
        let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        s.rotate_right(1);
        s[4] = s[4].wrapping_add(first);
        s[0] = first.wrapping_add(low).wrapping_add(majority);
    }
    s.iter().zip(start).map(|(s, start)| s.wrapping_add(start)).collect()
}

fn md5() -> Result<f64> {
    const N: u32 = 256 << 10;
    const ITEMS: usize = N as usize;
    const SECRET: u32 = 123_457;
    let bench = Bench::new()?;
    let wanted = md5_block(&candidate(SECRET));
    let (place, first) = (empty(&bench, 4)?, empty(&bench, ITEMS * 4)?);
    let mut kernel = bench.kernel(include_str!("../../kernels/md5.cl"), "k")?;
    set(&mut kernel, &[Arg::Uint4(wanted), Arg::Buf(&place), Arg::Buf(&first)])?;
    let time = time_commands(
        &bench,
        || Ok(bench.queue.write(&place, &[u32::MAX])?),
        || Ok(bench.queue.run(&kernel, &[ITEMS], Some(&[64]), None)?),
    )?;
    same(&read(&bench, &place, 1)?, &[SECRET])?;
    let digests: Vec<_> = (0..N).map(|item| md5_block(&candidate(item))[0]).collect();
    same(&read(&bench, &first, ITEMS)?, &digests)?;
    Ok(time)
}

/// The padded block of a candidate: eight letters.
fn candidate(mut number: u32) -> [u32; 16] {
    let mut block = [0; 16];
    for i in 0..8 {
        block[i / 4] |= (u32::from(b'a') + number % 26) << (8 * (i % 4));
        number /= 26;
    }
    block[2] = 0x80;
    block[14] = 64;
    block
}

/// MD5 of one padded block (RFC 1321).
fn md5_block(message: &[u32; 16]) -> [u32; 4] {
    const START: [u32; 4] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
    const SHIFTS: [[u32; 4]; 4] =
        [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    static SINES: std::sync::LazyLock<Vec<u32>> =
        std::sync::LazyLock::new(|| (1..=64).map(|i: u32| sine(f64::from(i))).collect());
    let [mut a, mut b, mut c, mut d] = START;
    for i in 0..64 {
        let (mixed, word) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((b & d) | (c & !d), 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        let sum = [mixed, message[word % 16], SINES[i]].into_iter().fold(a, u32::wrapping_add);
        let next = b.wrapping_add(sum.rotate_left(SHIFTS[i / 16][i % 4]));
        (a, d, c, b) = (d, c, b, next);
    }
    [a, b, c, d].into_iter().zip(START).map(|(x, start)| x.wrapping_add(start)).collect::<Vec<_>>()
        [..]
        .try_into()
        .unwrap_or_default()
}

fn sine(x: f64) -> u32 {
    fraction(x.sin().abs())
}

#[cfg(test)]
mod tests {
    use super::{md5_block, sha256_block, sha256_constants};

    /// `abc`, padded: FIPS 180-4 and RFC 1321 contain the digests.
    #[test]
    fn references_are_right() {
        let mut message = [0; 16];
        message[0] = 0x6162_6380;
        message[15] = 24;
        let digest = sha256_block(&sha256_constants(), &message);
        assert_eq!(digest[0], 0xBA78_16BF);
        assert_eq!(digest[7], 0xF200_15AD);
        let mut message = [0; 16];
        message[0] = 0x8063_6261;
        message[14] = 24;
        let digest = md5_block(&message).map(u32::to_be);
        assert_eq!(digest, [0x9001_5098, 0x3CD2_4FB0, 0xD696_3F7D, 0x28E1_7F72]);
    }
}
