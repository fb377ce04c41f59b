//! Rows that encrypt: AES by tables, and the key schedule of Blowfish.

use anyhow::Result;

use super::{Arg, empty, read, same, time, words};
use crate::rows::{Bench, Row, compute};

pub(super) const ROWS: &[Row] = &[
    compute("AES-128 CTR of 4 MiB by tables", aes),
    compute("bcrypt-like, private S-boxes", blowfish_private),
    compute("bcrypt-like, local S-boxes", blowfish_local),
];

fn aes() -> Result<f64> {
    /// Blocks of 16 bytes.
    const N: u32 = 256 << 10;
    const BLOCKS: usize = N as usize;
    const NONCE: u32 = 0x1234_5678;
    let bench = Bench::new()?;
    let (data, keys, boxes) = (words(BLOCKS * 4, 15), aes_keys(&words(4, 16)), s_box());
    let table = boxes.map(|s| u32::from_be_bytes([double(s), s, s, double(s) ^ s]));
    let buffers = [
        bench.context.buffer_with(&data)?,
        empty(&bench, BLOCKS * 16)?,
        bench.context.buffer_with(&table)?,
        bench.context.buffer_with(&keys)?,
    ];
    let [input, out, table, round_keys] = buffers.each_ref().map(Arg::Buf);
    let arguments = [input, out, table, round_keys, Arg::Uint(NONCE)];
    let source = include_str!("../../kernels/aes.cl");
    let time = time(&bench, source, &arguments, &[BLOCKS], Some(&[64]))?;
    let found: Vec<u32> = read(&bench, &buffers[1], BLOCKS * 4)?;
    for (block, number) in (0..N).step_by(101).map(|number| (number as usize, number)) {
        let stream = aes_block(&boxes, &keys, [NONCE, 0, 0, number]);
        let plain = &data[block * 4..][..4];
        let wanted: Vec<_> = plain.iter().zip(stream).map(|(data, key)| data ^ key).collect();
        same(&found[block * 4..][..4], &wanted)?;
    }
    Ok(time)
}

/// The product with x in the field of AES (FIPS 197, section 4.2.1).
fn double(x: u8) -> u8 {
    (x << 1) ^ if x & 0x80 == 0 { 0 } else { 0x1B }
}

/// The substitution table (FIPS 197, section 5.1.1): inverse in the field, then an affine map.
fn s_box() -> [u8; 256] {
    let mut boxes = [0x63; 256];
    // `power` runs through the powers of x + 1, which generates the field; `inverse` through those
    // of its inverse.
    let (mut power, mut inverse) = (1_u8, 1_u8);
    loop {
        power ^= double(power);
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        if inverse & 0x80 != 0 {
            inverse ^= 0x09;
        }
        let turned = (1..5).fold(inverse, |sum, turn| sum ^ inverse.rotate_left(turn));
        boxes[usize::from(power)] = turned ^ 0x63;
        if power == 1 {
            return boxes;
        }
    }
}

/// The words of the eleven round keys (FIPS 197, section 5.2).
fn aes_keys(key: &[u32]) -> Vec<u32> {
    let (boxes, mut keys, mut round) = (s_box(), key.to_vec(), 1_u8);
    for i in 4..44 {
        let mut word = keys[i - 1];
        if i % 4 == 0 {
            let bytes = word.rotate_left(8).to_be_bytes().map(|byte| boxes[usize::from(byte)]);
            word = u32::from_be_bytes(bytes) ^ (u32::from(round) << 24);
            round = double(round);
        }
        keys.push(keys[i - 4] ^ word);
    }
    keys
}

/// Encrypts a block step by step, without the table of the kernel.
fn aes_block(boxes: &[u8; 256], keys: &[u32], block: [u32; 4]) -> [u32; 4] {
    let mut state = [0, 1, 2, 3].map(|i: usize| (block[i] ^ keys[i]).to_be_bytes());
    for (round, keys) in keys.chunks(4).enumerate().skip(1) {
        // Substitution and rotation of the rows; a column is a word.
        let column =
            |i: usize| [0, 1, 2, 3].map(|row: usize| boxes[usize::from(state[(i + row) % 4][row])]);
        let columns = [column(0), column(1), column(2), column(3)];
        let mix = |c: [u8; 4], row: usize| {
            let next = c[(row + 1) % 4];
            double(c[row]) ^ double(next) ^ next ^ c[(row + 2) % 4] ^ c[(row + 3) % 4]
        };
        let mixed = |c: [u8; 4]| {
            if round == 10 { c } else { [mix(c, 0), mix(c, 1), mix(c, 2), mix(c, 3)] }
        };
        state = [0, 1, 2, 3]
            .map(|i: usize| (u32::from_be_bytes(mixed(columns[i])) ^ keys[i]).to_be_bytes());
    }
    state.map(u32::from_be_bytes)
}

fn blowfish_private() -> Result<f64> {
    blowfish(include_str!("../../kernels/blowfish.cl"))
}

fn blowfish_local() -> Result<f64> {
    blowfish(concat!("#define LOCAL_BOXES 8\n", include_str!("../../kernels/blowfish.cl")))
}

/// Words of the P array and of the S-boxes.
const P: usize = 18;
const S: usize = 1024;

fn blowfish(source: &str) -> Result<f64> {
    const N: usize = 512;
    const ROUNDS: i32 = 2;
    let bench = Bench::new()?;
    let (start, keys) = (words(P + S, 17), words(N * P, 18));
    let buffers = [
        bench.context.buffer_with(&start)?,
        bench.context.buffer_with(&keys)?,
        empty(&bench, N * 8)?,
    ];
    let [buf_start, buf_keys, out] = buffers.each_ref().map(Arg::Buf);
    let arguments = [buf_start, buf_keys, out, Arg::Int(ROUNDS)];
    let time = time(&bench, source, &arguments, &[N], Some(&[8]))?;
    let found: Vec<u32> = read(&bench, &buffers[2], N * 2)?;
    for item in (0..N).step_by(7) {
        let mut state = start.clone();
        let mut block = (0, 0);
        for _ in 0..ROUNDS {
            for (word, key) in state.iter_mut().zip(&keys[item * P..][..P]) {
                *word ^= key;
            }
            for i in (0..P + S).step_by(2) {
                block = blowfish_block(&state, block);
                (state[i], state[i + 1]) = block;
            }
        }
        same(&found[item * 2..][..2], &[block.0, block.1])?;
    }
    Ok(time)
}

fn blowfish_block(state: &[u32], (mut left, mut right): (u32, u32)) -> (u32, u32) {
    let (p, s) = state.split_at(P);
    let entry = |number: usize, x: u32| s[256 * number + usize::from(x.to_be_bytes()[number])];
    for key in &p[..16] {
        left ^= key;
        let sum = entry(0, left).wrapping_add(entry(1, left)) ^ entry(2, left);
        right ^= sum.wrapping_add(entry(3, left));
        (left, right) = (right, left);
    }
    (right ^ p[17], left ^ p[16])
}

#[cfg(test)]
mod tests {
    use super::{aes_block, aes_keys, s_box};

    /// The example of FIPS 197, appendix B.
    #[test]
    fn aes_reference_is_right() {
        let keys = aes_keys(&[0x2B7E_1516, 0x28AE_D2A6, 0xABF7_1588, 0x09CF_4F3C]);
        let block = [0x3243_F6A8, 0x885A_308D, 0x3131_98A2, 0xE037_0734];
        let wanted = [0x3925_841D, 0x02DC_09FB, 0xDC11_8597, 0x196A_0B32];
        assert_eq!(aes_block(&s_box(), &keys, block), wanted);
    }
}
