//! Writes a picture of iteration counts.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::kernels::mandelbrot::LIMIT;

/// Writes `counts`, rows of `width`, as a PNG.
pub(crate) fn write(path: &Path, width: usize, counts: &[u32]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let file = File::create(path).with_context(|| path.display().to_string())?;
    let mut encoder = png::Encoder::new(
        BufWriter::new(file),
        u32::try_from(width)?,
        u32::try_from(counts.len() / width)?,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let bytes: Vec<u8> = counts.iter().flat_map(|count| colour(*count)).collect();
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}

/// Black inside the set, a smooth colour wheel outside.
fn colour(count: u32) -> [u8; 3] {
    if count >= LIMIT {
        return [0, 0, 0];
    }
    let position = f64::from(count).sqrt() * 0.35;
    [0.0, 0.55, 1.1].map(|phase| {
        let wave = 0.5 + 0.5 * (position + phase + 3.4).cos();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "wave is between 0 and 1"
        )]
        {
            (wave * 255.0) as u8
        }
    })
}
