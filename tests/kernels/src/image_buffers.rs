//! Images of every kind in buffers and sub-buffers (`cl_ext_image_from_buffer`), with and without
//! pitches. Kernels and commands on one object see writes through the other, and the gaps between
//! rows and slices stay unchanged.

use anyhow::{Context as _, Result, ensure};
use muxcl_client::sys::{CL_MAP_READ, CL_MAP_WRITE, CL_MEM_READ_WRITE};
use muxcl_client::{Buffer, Device, Image, ImageDesc};
use muxcl_img::pixel;
use muxcl_img::{Format, Kind};

use crate::images::{Bench, Case, Random, close, letter, words};
use muxcl_img::format::Class;

/// The layout of pixels in the image's buffer.
#[derive(Clone, Copy)]
struct PixelLayout {
    size: [usize; 3],
    pixel: usize,
    row: usize,
    slice: usize,
    /// The second axis is the slice (1D arrays).
    rows_are_slices: bool,
}

impl PixelLayout {
    /// Byte offset of a pixel.
    fn of(&self, n: usize) -> usize {
        let [width, second, _] = self.size;
        let (x, y, z) = (n % width, n / width % second, n / width / second);
        x * self.pixel
            + if self.rows_are_slices { y * self.slice } else { y * self.row + z * self.slice }
    }
}

struct Bound {
    image: Image,
    /// The buffer or sub-buffer of the image.
    buffer: Buffer,
    /// The parent buffer, for a sub-buffer.
    whole: Option<Buffer>,
}

/// Number of bytes after the image.
const BEHIND: usize = 4096;
/// Offset of the sub-buffer in bytes.
const ORIGIN: usize = 8192;

/// An image and its checks.
fn one(
    bench: &Bench,
    case: &Case,
    format: Format,
    gaps: bool,
    part: bool,
    random: &mut Random,
) -> Result<()> {
    let [width, second, third] = case.size;
    let pixel = format.pixel_size();
    let rows = !matches!(case.kind, Kind::Image1D | Kind::Image1DBuffer);
    let rows_are_slices = case.kind == Kind::Image1DArray;
    let gaps = gaps && rows;
    let row = (width + if gaps { 3 } else { 0 }) * pixel;
    let plane = if rows_are_slices { row } else { row * second };
    let slice = plane + if gaps && case.kind.has_slices() { row } else { 0 };
    let layout = PixelLayout { size: case.size, pixel, row, slice, rows_are_slices };
    let size =
        if rows { slice * if rows_are_slices { second } else { third } } else { width * pixel };
    let desc = ImageDesc {
        kind: case.object,
        format: (format.order(), format.channel()),
        size: case.size,
        layers: if rows_are_slices { second } else { third },
        levels: 0,
    };
    let pitches = if gaps { [row, if case.kind.has_slices() { slice } else { 0 }] } else { [0; 2] };
    // Everything starts out random: pixels and gaps.
    let pixels = (size + BEHIND).div_ceil(pixel);
    let mut wanted = random.bytes(format, pixels);
    wanted.truncate(size + BEHIND);
    let context = &bench.context;
    let bound = if part {
        let whole = context.buffer_with(&vec![0x5a_u8; ORIGIN + wanted.len()])?;
        let buffer = whole.part(CL_MEM_READ_WRITE, ORIGIN, wanted.len())?;
        bench.queue.write(&buffer, &wanted)?;
        let image = context.image_in(CL_MEM_READ_WRITE, &desc, pitches, Some(&buffer))?;
        Bound { image, buffer, whole: Some(whole) }
    } else {
        let buffer = context.buffer_with(&wanted)?;
        let image = context.image_in(CL_MEM_READ_WRITE, &desc, pitches, Some(&buffer))?;
        Bound { image, buffer, whole: None }
    };
    let at = |n: usize| layout.of(n)..layout.of(n) + pixel;
    let all = || 0..width * second * third;
    let same = |wanted: &[u8], what: &str| -> Result<()> {
        let mut seen = vec![0_u8; wanted.len()];
        bench.queue.read(&bound.buffer, &mut seen)?;
        let first = seen.iter().zip(wanted).position(|(a, b)| a != b);
        ensure!(first.is_none(), "{what}, {format:x?}: byte {first:?} of the buffer");
        Ok(())
    };
    // Reads the buffer's contents through the image, by a kernel and by the host.
    let channels = if case.depth { 1 } else { 4 };
    let seen = bench.load(&format!("load_{}", letter(format)), case, &bound.image)?;
    for n in all() {
        let color = &words(pixel::decode(format, &wanted[at(n)]))[..channels];
        let got = &seen[n * channels..][..channels];
        let equal = match format.class() {
            Class::Float => {
                got.iter().zip(color).all(|(a, b)| close(f32::from_bits(*a), f32::from_bits(*b)))
            }
            _ => got == color,
        };
        ensure!(equal, "{format:x?}, pixel {n}: {got:x?} is not {color:x?}");
    }
    let mut tight = vec![0_u8; case.size.iter().product::<usize>() * pixel];
    bench.queue.read_image(&bound.image, case.whole(), &mut tight)?;
    for (n, bytes) in tight.chunks(pixel).enumerate() {
        ensure!(bytes == &wanted[at(n)], "{format:x?}, the host reads pixel {n}");
    }
    // The host writes, by a command and through a map.
    let bytes = random.bytes(format, case.size.iter().product());
    bench.queue.write_image(&bound.image, case.whole(), &bytes)?;
    for (n, bytes) in bytes.chunks(pixel).enumerate() {
        wanted[at(n)].copy_from_slice(bytes);
    }
    same(&wanted, "written")?;
    let (memory, mapped) =
        bench.queue.map_image(&bound.image, CL_MAP_READ | CL_MAP_WRITE, case.whole())?;
    ensure!(
        mapped == [row, if case.kind.has_slices() { slice } else { 0 }],
        "pitches of the map: {mapped:?}"
    );
    for n in all() {
        // SAFETY: the pixel is inside the mapped region.
        let bytes = unsafe {
            std::slice::from_raw_parts(memory.wrapping_add(layout.of(n)).cast_const(), pixel)
        };
        ensure!(bytes == &wanted[at(n)], "{format:x?}, the map shows pixel {n}");
    }
    bench.queue.unmap_image(&bound.image, memory)?;
    // A kernel writes every pixel, then a command writes.
    let from = context.buffer_with(&seen)?;
    let mut kernel = bench.program.kernel(&format!("store_{}", letter(format)))?;
    kernel.set_image(0, &bound.image)?;
    kernel.set_buffer(1, &from)?;
    bench.queue.run(&kernel, &case.size, None, None)?;
    bench.queue.read_image(&bound.image, case.whole(), &mut tight)?;
    for (n, bytes) in tight.chunks(pixel).enumerate() {
        wanted[at(n)].copy_from_slice(bytes);
    }
    same(&wanted, "stored")?;
    let color = match format.class() {
        Class::Float => [0.25_f32, 0.5, 0.75, 1.0].map(f32::to_bits),
        _ => [1, 2, 3, 4],
    };
    bench.queue.fill_image(&bound.image, case.whole(), &color)?;
    let filled = pixel::encode(format, pixel::fill_color(format, color));
    for n in all() {
        wanted[at(n)].copy_from_slice(&filled[..pixel]);
    }
    same(&wanted, "filled")?;
    // Copies within the same buffer. The specification does not allow this for images of one row.
    if case.kind != Kind::Image1DBuffer {
        let count = case.size.iter().product::<usize>() * pixel;
        ensure!(count <= BEHIND, "make BEHIND larger");
        bench.queue.image_to_buffer(&bound.image, case.whole(), &bound.buffer, size)?;
        for n in all() {
            wanted[size + n * pixel..][..pixel].copy_from_slice(&filled[..pixel]);
        }
        same(&wanted, "copied")?;
    }
    if let Some(whole) = &bound.whole {
        let mut before = vec![0_u8; ORIGIN];
        bench.queue.read(whole, &mut before)?;
        ensure!(before.iter().all(|b| *b == 0x5a), "what lies before the part has changed");
    }
    Ok(())
}

/// Every seventh format, which covers all pixel sizes and decodings.
pub(crate) fn in_buffers(device: Device, case: &Case) -> Result<()> {
    let bench = Bench::new(device, &case.source())?;
    let mut random = Random::new(5);
    let formats: Vec<Format> = case.formats().collect();
    for (n, format) in formats.into_iter().enumerate().filter(|(n, _)| case.depth || n % 7 == 0) {
        for gaps in [false, true] {
            let part = gaps ^ (n % 2 == 0);
            one(&bench, case, format, gaps, part, &mut random)
                .with_context(|| format!("gaps: {gaps}, part: {part}"))?;
        }
    }
    Ok(())
}
