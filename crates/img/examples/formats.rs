//! Lists the formats of images, with the bytes of a pixel that is opaque orange:
//! `cargo run -p muxcl-img --example formats`.
#![expect(clippy::print_stdout, reason = "an example program prints")]

use muxcl_img::format::{Format, channel, order};
use muxcl_img::pixel::{Color, encode};

fn main() {
    let orders = [("R", order::R), ("RG", order::RG), ("RGBA", order::RGBA), ("BGRA", order::BGRA)];
    let types = [
        ("UNORM_INT8", channel::UNORM_INT8),
        ("SNORM_INT16", channel::SNORM_INT16),
        ("HALF_FLOAT", channel::HALF_FLOAT),
        ("FLOAT", channel::FLOAT),
    ];
    for (order_name, order) in orders {
        for (type_name, channel) in types {
            let Some(format) = Format::new(order, channel) else { continue };
            let bytes = encode(format, Color::Float([1.0, 0.5, 0.0, 1.0]));
            println!("{order_name:4}  {type_name:11}  {:02x?}", &bytes[..format.pixel_size()]);
        }
    }
}
