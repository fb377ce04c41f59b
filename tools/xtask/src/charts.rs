//! `charts`: draws the table of docs/performance.md as docs/charts/performance.svg, and those of
//! docs/accuracy.md as docs/charts/accuracy.svg (`accuracy`).
//!
//! Every row that another driver ran, too, is one mark: how many times its time is muxcl's. The
//! rows of a driver are sorted, so that the picture shows all of them and chooses none. The text of
//! a picture depends on its page only.

mod accuracy;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The page with the table, and the picture, below the repository.
const PAGE: &str = "docs/performance.md";
const PICTURE: &str = "docs/charts/performance.svg";
/// Title of the driver whose times are the unit.
const OURS: &str = "muxcl";
/// The other drivers: title of the column, name in the picture, colour.
const OTHERS: [(&str, &str, &str); 2] =
    [("intel", "Intel's runtime", "#0068b5"), ("pocl", "PoCL", "#d9480f")];

/// Size of the picture, and of the margins left, right, top and bottom, in pixels.
const SIZE: (f64, f64) = (820.0, 360.0);
const MARGINS: [f64; 4] = [70.0, 20.0, 50.0, 40.0];
/// The smallest and the largest ratio of the vertical axis, which is logarithmic.
const RANGE: (f64, f64) = (0.5, 1000.0);

/// Draws the pictures from the pages.
pub(crate) fn charts(root: &Path) -> Result<()> {
    for (picture, text) in pictures(root)? {
        let picture = root.join(picture);
        fs::create_dir_all(picture.parent().context("a file lies in a folder")?)?;
        fs::write(&picture, text).with_context(|| picture.display().to_string())?;
        println!("{}", picture.display());
    }
    Ok(())
}

/// Each picture with its text.
fn pictures(root: &Path) -> Result<[(&'static str, String); 2]> {
    Ok([(PICTURE, draw(root)?), (accuracy::PICTURE, accuracy::draw(root)?)])
}

fn draw(root: &Path) -> Result<String> {
    let page = fs::read_to_string(root.join(PAGE)).context(PAGE)?;
    let series = OTHERS
        .iter()
        .map(|(column, ..)| ratios(&page, column))
        .collect::<Result<Vec<_>>>()
        .context(PAGE)?;
    Ok(svg(&series))
}

/// The other driver's time divided by ours, for each row in which both have one, the largest first.
fn ratios(page: &str, other: &str) -> Result<Vec<f64>> {
    let mut rows = page.lines().filter(|line| line.starts_with('|')).map(cells);
    let header = rows.next().context("there is no table")?;
    let column = |title: &str| {
        header.iter().position(|cell| *cell == title).with_context(|| format!("no column {title}"))
    };
    let (ours, other) = (column(OURS)?, column(other)?);
    let mut ratios: Vec<f64> =
        rows.filter_map(|row| Some(seconds(row.get(other)?)? / seconds(row.get(ours)?)?)).collect();
    if ratios.is_empty() {
        bail!("no row has two times");
    }
    ratios.sort_by(|a, b| b.total_cmp(a));
    Ok(ratios)
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The seconds of a cell such as `1.19 ms`; `None` for other cells.
fn seconds(cell: &str) -> Option<f64> {
    let (number, unit) = cell.split_once(' ')?;
    let unit = match unit {
        "ns" => 1e-9,
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * unit)
}

fn svg(series: &[Vec<f64>]) -> String {
    let [left, right, top, bottom] = MARGINS;
    let (width, height) = (SIZE.0 - left - right, SIZE.1 - top - bottom);
    let y = |ratio: f64| {
        let (low, high) = (RANGE.0.ln(), RANGE.1.ln());
        top + height * (high - ratio.clamp(RANGE.0, RANGE.1).ln()) / (high - low)
    };
    let mut out = String::new();
    // Writing to a string does not fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "{text}");
    };
    line(format_args!("{}", header(SIZE)));
    for ratio in [1.0, 10.0, 100.0, 1000.0] {
        let (y, end) = (y(ratio), SIZE.0 - right);
        let colour = if ratio == 1.0 { "#000000" } else { "#cccccc" };
        line(format_args!(
            "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{end}\" y2=\"{y:.1}\" stroke=\"{colour}\"/>"
        ));
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ratio} x</text>",
            left - 8.0,
            y + 4.0
        ));
    }
    let longest = series.iter().map(Vec::len).max().unwrap_or(1).max(2);
    for (number, (ratios, (_, name, colour))) in series.iter().zip(&OTHERS).enumerate() {
        for (nth, ratio) in ratios.iter().enumerate() {
            line(format_args!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                left + width * count(nth) / count(longest - 1),
                y(*ratio)
            ));
        }
        let slower = ratios.iter().filter(|ratio| **ratio > 1.0).count();
        line(format_args!(
            "<text x=\"{left}\" y=\"{:.1}\" fill=\"{colour}\">{name}: {} rows, {slower} above \
             1</text>",
            18.0 + 18.0 * count(number),
            ratios.len()
        ));
    }
    line(format_args!(
        "<text x=\"{left}\" y=\"{:.1}\">Rows of the bench, sorted: time of the other driver / time \
         of muxcl (above 1: muxcl is faster)</text>",
        SIZE.1 - 14.0
    ));
    out + "</svg>\n"
}

/// The beginning of a picture of this width and height in pixels: white, with small text.
fn header((width, height): (f64, f64)) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    )
}

#[expect(clippy::cast_precision_loss, reason = "numbers of rows are small")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_show_the_pages() {
        let root = crate::run::root();
        for (picture, text) in pictures(&root).unwrap() {
            let drawn = fs::read_to_string(root.join(picture)).unwrap();
            assert!(drawn == text, "{picture}: run `cargo xtask charts`");
        }
    }

    #[test]
    fn ratios_come_from_times() {
        let page = "# A\n\n| median | muxcl | intel | pocl |\n|---|---:|---:|---:|\n\
                    | a | 1.00 ms | 500.00 us | failed |\n| b | 2.00 us | 1.00 s | 4.00 us |\n\
                    | libraries | 0 | 1 | 2 |\n";
        let of = |driver| -> Vec<String> {
            ratios(page, driver).unwrap().iter().map(|ratio| format!("{ratio:.2}")).collect()
        };
        assert_eq!(of("intel"), ["500000.00", "0.50"]);
        assert_eq!(of("pocl"), ["2.00"]);
        assert!(ratios(page, "other").is_err() && ratios("no table", "intel").is_err());
    }

    #[test]
    fn every_ratio_lies_in_the_picture() {
        let picture = svg(&[vec![1e9, 1.0, 1e-9], vec![2.0]]);
        assert_eq!(picture.matches("<circle").count(), 4);
        let ys = picture.split("cy=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        assert!(ys.map(|y| y.parse::<f64>().unwrap()).all(|y| y >= 0.0 && y <= SIZE.1));
    }
}
