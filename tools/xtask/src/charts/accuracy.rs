//! The picture of docs/accuracy.md: the largest error of each function, for each type and device.
//!
//! Each row of the tables is one mark, at its worst error in ULP. The rows of a device and type are
//! in one column, in the order of the page, so that the picture shows all and chooses none. A row
//! beyond its bound is drawn in red. Rows of builds with options (`### With`) are left out.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{cells, count, header};

/// The page with the tables, and the picture, below the repository.
const PAGE: &str = "docs/accuracy.md";
pub(super) const PICTURE: &str = "docs/charts/accuracy.svg";

/// Types in the order of the columns, with their colours.
const TYPES: [(&str, &str); 3] = [("float", "#0068b5"), ("double", "#2b8a3e"), ("half", "#d9480f")];

const SIZE: (f64, f64) = (820.0, 380.0);
const MARGINS: [f64; 4] = [70.0, 20.0, 50.0, 60.0];
/// The largest error of the vertical axis in ULP.
const MOST: f64 = 4.0;

/// A row of the tables.
#[derive(Debug, PartialEq)]
struct Row {
    format: String,
    /// The worst error in ULP.
    worst: f64,
    out_of_bound: bool,
}

/// The devices of the page with their rows, in its order.
fn devices(page: &str) -> Vec<(String, Vec<Row>)> {
    let mut devices: Vec<(String, Vec<Row>)> = Vec::new();
    let mut with_options = false;
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            devices.push((name.to_owned(), Vec::new()));
            with_options = false;
        }
        with_options |= line.starts_with("### ");
        let Some((_, rows)) = devices.last_mut().filter(|_| !with_options) else { continue };
        if let [_, format, _, worst, ..] = cells(line).as_slice() {
            let number = worst.split(' ').next().and_then(|word| word.parse().ok());
            rows.extend(number.map(|number| Row {
                format: (*format).to_owned(),
                worst: number,
                out_of_bound: worst.contains("out of bound"),
            }));
        }
    }
    devices
}

/// The picture's text.
pub(super) fn draw(root: &Path) -> Result<String> {
    let devices = devices(&fs::read_to_string(root.join(PAGE)).context(PAGE)?);
    ensure!(devices.iter().any(|(_, rows)| !rows.is_empty()), "{PAGE} has no rows");
    Ok(svg(&devices))
}

fn svg(devices: &[(String, Vec<Row>)]) -> String {
    let [left, right, top, bottom] = MARGINS;
    let (width, height) = (SIZE.0 - left - right, SIZE.1 - top - bottom);
    let y = |ulp: f64| top + height * (1.0 - ulp.clamp(0.0, MOST) / MOST);
    let mut out = header(SIZE) + "\n";
    // Writing to a string does not fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "{text}");
    };
    for (ulp, colour) in
        [(0.0, "#000000"), (0.5, "#888888"), (1.0, "#cccccc"), (2.0, "#cccccc"), (MOST, "#cccccc")]
    {
        let (y, end) = (y(ulp), SIZE.0 - right);
        line(format_args!(
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{end}\" y2=\"{y:.1}\" stroke=\"{colour}\"/>"
        ));
        let more = if ulp == MOST { " or more" } else { "" };
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ulp}{more}</text>",
            left - 8.0,
            y + 4.0
        ));
    }
    let column = width / count(devices.len() * TYPES.len()).max(1.0);
    for (number, (device, rows)) in devices.iter().enumerate() {
        for (position, (format, colour)) in TYPES.iter().enumerate() {
            let start = left + column * count(number * TYPES.len() + position);
            let of_type: Vec<&Row> = rows.iter().filter(|row| row.format == *format).collect();
            for (nth, row) in of_type.iter().enumerate() {
                let x = start + column * (0.1 + 0.8 * count(nth) / count(of_type.len()));
                let colour = if row.out_of_bound { "#e03131" } else { colour };
                let y = y(row.worst);
                line(format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>"
                ));
            }
            line(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">{format}: \
                 {}</text>",
                start + column / 2.0,
                SIZE.1 - bottom + 18.0,
                of_type.len()
            ));
        }
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{device}</text>",
            left + column * (count(number) + 0.5) * count(TYPES.len()),
            SIZE.1 - bottom + 38.0
        ));
    }
    let red = devices.iter().flat_map(|(_, rows)| rows).filter(|row| row.out_of_bound).count();
    line(format_args!(
        "<text x=\"{left}\" y=\"18\">Largest error of each function in ULP (0.5: correctly \
         rounded), by type and device</text>"
    ));
    line(format_args!(
        "<text x=\"{left}\" y=\"36\" fill=\"#e03131\">beyond the specification's bound: {red}</text>"
    ));
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_options_are_left_out_and_bad_ones_are_red() {
        let page = "## One\n\n| function | type | bound | worst | at | tried |\n|---|---|---|---|\n\
                    | a | float | 4 | 0.500 | 0x1 | 9 |\n\
                    | b | half | 2 | 9.5 (out of bound) | 0x1 | 9 |\n\
                    ### With `-x`\n\n| a | float | 4 | 1.5 | 0x1 | 9 |\n\
                    ## Two\n| a | double | 4 | 1.25 | 0x1 | 9 |\n";
        let found = devices(page);
        let [(one, first), (_, second)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((one.as_str(), first.len(), second[0].worst), ("One", 2, 1.25));
        assert!(first[1].out_of_bound && !first[0].out_of_bound);
        let picture = svg(&found);
        assert_eq!(picture.matches("<circle").count(), 3);
        // The mark of `b`, and the text.
        assert_eq!(picture.matches("#e03131").count(), 2);
    }
}
