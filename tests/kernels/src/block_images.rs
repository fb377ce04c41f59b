//! Blocks of images (`cl_intel_subgroups`): a sub-group reads and writes bytes of rows without
//! conversion, also beyond the image's edges.

use anyhow::{Result, ensure};
use muxcl_client::Device;
use muxcl_img::Format;
use muxcl_img::format::{channel, order};

use crate::images::{Bench, Case, Random};

/// Work-items of a sub-group and of each launch.
const ITEMS: usize = 16;

const SOURCE: &str = "
__attribute__((intel_reqd_sub_group_size(16)))
kernel void words(read_only image2d_t m, write_only image2d_t to, int2 at, int2 there,
                  global uint *out) {
  uint2 v = intel_sub_group_block_read2(m, at);
  out[2 * get_global_id(0)] = v.x;
  out[2 * get_global_id(0) + 1] = v.y;
  intel_sub_group_block_write2(to, there, v);
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void bytes(read_write image2d_t m, write_only image2d_t to, int2 at, int2 there,
                  global uint *out) {
  uchar4 v = intel_sub_group_block_read_uc4(m, at);
  out[2 * get_global_id(0)] = v.x | v.y << 8;
  out[2 * get_global_id(0) + 1] = v.z | v.w << 8;
  intel_sub_group_block_write_uc4(to, there, v);
}";

/// The bytes of an image.
struct Bytes {
    row: usize,
    rows: usize,
    all: Vec<u8>,
}

impl Bytes {
    /// The `size` bytes at a place, clamped to the image.
    fn read(&self, x: isize, y: isize, size: usize) -> Vec<u8> {
        let clamped = |at: isize, most: usize| usize::try_from(at).unwrap_or(0).min(most);
        let (x, y) = (clamped(x, self.row - size), clamped(y, self.rows - 1));
        self.all[y * self.row + x..][..size].to_vec()
    }

    /// Writes the bytes inside the image.
    fn write(&mut self, x: isize, y: isize, bytes: &[u8]) {
        for (x, byte) in (x..).zip(bytes) {
            if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y))
                && x < self.row
                && y < self.rows
            {
                self.all[y * self.row + x] = *byte;
            }
        }
    }
}

/// Reads and writes at several places, with pixels of four bytes and of one.
pub(crate) fn blocks(device: Device, case: &Case) -> Result<()> {
    let bench = Bench::new(device, SOURCE)?;
    let mut random = Random::new(71);
    // Size of a block's component, and number of components.
    for (kernel, size, count) in [("words", 4, 2), ("bytes", 1, 4)] {
        for (order, pixels) in [(order::RGBA, 40), (order::R, 160)] {
            let Some(format) = Format::new(order, channel::UNSIGNED_INT8) else { continue };
            let wide = case.sized([pixels, 5, 1]);
            let (from, _) = wide.make(&bench.context, format)?;
            let (to, _) = wide.make(&bench.context, format)?;
            let content = random.bytes(format, wide.pixels());
            let from_bytes = Bytes { row: 160, rows: 5, all: content.clone() };
            let mut to_bytes = Bytes { row: 160, rows: 5, all: content.clone() };
            for image in [&from, &to] {
                bench.queue.write_image(image, wide.whole(), &content)?;
            }
            // A byte and a row; those of writes are multiples of four.
            for (at, there) in [
                ([0, 0], [0, 0]),
                ([96, 3], [64, 1]),
                ([-8, -1], [-8, -1]),
                ([120, 4], [120, 4]),
                ([400, 9], [400, 2]),
            ] {
                let out = bench.context.buffer_with(&[0_u32; 2 * ITEMS])?;
                let mut launch = bench.program.kernel(kernel)?;
                launch.set_image(0, &from)?;
                launch.set_image(1, &to)?;
                launch.set(2, at.map(i32::from))?;
                launch.set(3, there.map(i32::from))?;
                launch.set_buffer(4, &out)?;
                bench.queue.run(&launch, &[ITEMS], Some(&[ITEMS]), None)?;
                let mut seen = [0_u32; 2 * ITEMS];
                bench.queue.read(&out, &mut seen)?;
                let [from_x, from_y, to_x, to_y] =
                    [at[0], at[1], there[0], there[1]].map(|place: i16| isize::from(place));
                for ((item, offset), seen) in (0..).step_by(size).enumerate().zip(seen.chunks(2)) {
                    let mut wanted = Vec::new();
                    for n in 0..count {
                        let bytes = from_bytes.read(from_x + offset, from_y + n, size);
                        to_bytes.write(to_x + offset, to_y + n, &bytes);
                        wanted.extend(bytes);
                    }
                    let seen: Vec<u8> = match size {
                        4 => seen.iter().flat_map(|word| word.to_le_bytes()).collect(),
                        _ => {
                            seen.iter().flat_map(|pair| pair.to_le_bytes()[..2].to_vec()).collect()
                        }
                    };
                    ensure!(
                        seen == wanted,
                        "{kernel} at {at:?}, {item}: {seen:x?}, not {wanted:x?}"
                    );
                }
                let mut back = vec![0_u8; content.len()];
                bench.queue.read_image(&to, wide.whole(), &mut back)?;
                ensure!(back == to_bytes.all, "{kernel} to {there:?}");
            }
        }
    }
    Ok(())
}
