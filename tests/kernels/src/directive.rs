//! The comments that define how a kernel file runs.
//!
//! ```text
//! // needs: cl_khr_fp64 CL2.0         extensions, features (__opencl_c_...) or a version
//! // build: -DX=1                     options
//! // variants: source                 only these, else all
//! // queue: 65536|none                bytes of the default queue on the device
//! // run: add global=64 local=16|8|null offset=0
//!                                     1 to 3 numbers joined by x; | separates alternatives
//! //   buf f32 64 = i * 2 => a0[i] + 1 ~ 1e-6
//!                                     type, length, initial value, expected value, tolerance
//! //   val i32 5, 6                   one value, or the components of a vector
//! //   rec i32 5, f32 2.5, i8 1       a struct, with its members' natural alignment
//! //   local 256                      bytes of a local memory argument
//! //   queue 4096                     bytes of a queue on the device
//! ```
//! In values, `i` is the element and `n` the buffer's length; `gx gy gz`, `lx ly lz`, `ox oy oz`
//! are global size, local size and offset (1 for a local size that the driver chooses). Without
//! `=>` a buffer must stay unchanged; `=> any` accepts any result.

use anyhow::{Context as _, Result, bail, ensure};
use muxcl_values::{Element, Expression, Tolerance, split};

/// A kernel file and its directives.
#[derive(Debug)]
pub struct File {
    /// The path below the root folder, without the extension; empty for files from elsewhere.
    pub name: String,
    /// The OpenCL C text.
    pub source: String,
    /// Build options.
    pub options: String,
    /// Required device features.
    pub needs: Vec<String>,
    /// The variants to run; empty for all.
    pub variants: Vec<String>,
    /// The default device queue for files that need one: size in bytes, or none.
    pub queue: Option<u32>,
    /// The run directives.
    pub runs: Vec<Run>,
}

/// Default size in bytes of the default queue.
const QUEUE: u32 = 1 << 20;

/// One way to run a kernel of the file.
#[derive(Debug)]
pub struct Run {
    /// The line of the directive.
    pub line: usize,
    /// The kernel's name.
    pub kernel: String,
    /// Global size.
    pub global: Vec<usize>,
    /// Local sizes to try; `None` leaves the choice to the driver.
    pub locals: Vec<Option<Vec<usize>>>,
    /// Global offset.
    pub offset: Option<Vec<usize>>,
    /// The kernel's arguments.
    pub arguments: Vec<Argument>,
}

/// An argument.
#[derive(Debug)]
pub enum Argument {
    /// A buffer.
    Buffer {
        /// Type of the elements.
        element: Element,
        /// Number of elements.
        length: usize,
        /// Initial values.
        initial: Expression,
        /// Expected values.
        expected: Expected,
    },
    /// A value, vector or struct, member by member.
    Value(Vec<(Element, Expression)>),
    /// Local memory of this many bytes.
    Local(usize),
    /// A queue on the device of this many bytes.
    Queue(u32),
}

/// The expected contents of a buffer after the kernel.
#[derive(Debug)]
pub enum Expected {
    /// The initial contents.
    Unchanged,
    /// Any contents.
    Any,
    /// These values, within a tolerance.
    Value(Expression, Tolerance),
}

impl File {
    /// Reads the directives of `source`.
    pub fn parse(source: &str) -> Result<Self> {
        let mut file = Self {
            name: String::new(),
            source: source.to_owned(),
            options: String::new(),
            needs: vec![],
            variants: vec![],
            queue: None,
            runs: vec![],
        };
        let mut queue = None;
        for (number, line) in (1..).zip(source.lines()) {
            let Some(comment) = line.trim().strip_prefix("//") else { continue };
            let comment = comment.trim();
            match comment.strip_prefix("queue:").map(str::trim) {
                Some("none") => queue = Some(None),
                Some(bytes) => {
                    queue = Some(Some(bytes.parse().with_context(|| format!("line {number}"))?))
                }
                None => file.comment(number, comment).with_context(|| format!("line {number}"))?,
            }
        }
        if file.needs.iter().any(|need| need == "__opencl_c_device_enqueue") {
            file.queue = queue.unwrap_or(Some(QUEUE));
        }
        ensure!(!file.runs.is_empty(), "no `// run:` line");
        for run in &file.runs {
            let looks = run.arguments.iter().any(|argument| {
                matches!(argument, Argument::Buffer { expected: Expected::Value(..), .. })
            });
            ensure!(looks, "line {}: no argument has an expected value", run.line);
        }
        Ok(file)
    }

    fn comment(&mut self, number: usize, comment: &str) -> Result<()> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        if let Some(rest) = comment.strip_prefix("needs:") {
            self.needs.extend(words(rest));
        } else if let Some(rest) = comment.strip_prefix("build:") {
            rest.trim().clone_into(&mut self.options);
        } else if let Some(rest) = comment.strip_prefix("variants:") {
            self.variants.extend(words(rest));
        } else if let Some(rest) = comment.strip_prefix("run:") {
            self.runs.push(Run::parse(number, rest.trim())?);
        } else {
            let Some((kind, rest)) = comment.split_once(' ') else { return Ok(()) };
            if !["buf", "val", "rec", "local", "queue"].contains(&kind) {
                return Ok(());
            }
            let run = self.runs.last_mut().context("an argument before the first `// run:`")?;
            run.arguments.push(argument(kind, rest.trim())?);
        }
        Ok(())
    }
}

impl Run {
    fn parse(line: usize, text: &str) -> Result<Self> {
        let mut words = text.split_whitespace();
        let kernel = words.next().context("run: needs a kernel")?.to_owned();
        let mut run =
            Self { line, kernel, global: vec![], locals: vec![], offset: None, arguments: vec![] };
        for word in words {
            match word.split_once('=').with_context(|| format!("`{word}`"))? {
                ("global", value) => run.global = sizes(value)?,
                ("offset", value) => run.offset = Some(sizes(value)?),
                ("local", value) => {
                    run.locals = value
                        .split('|')
                        .map(|one| if one == "null" { Ok(None) } else { sizes(one).map(Some) })
                        .collect::<Result<_>>()?;
                }
                _ => bail!("`{word}` is not known"),
            }
        }
        ensure!(!run.global.is_empty(), "run: needs global=");
        if run.locals.is_empty() {
            run.locals.push(None);
        }
        let others = run.locals.iter().flatten().chain(&run.offset);
        ensure!(
            others.into_iter().all(|sizes| sizes.len() == run.global.len()),
            "local and offset need global's dimensions"
        );
        Ok(run)
    }
}

fn sizes(text: &str) -> Result<Vec<usize>> {
    let sizes = text
        .split('x')
        .map(|number| number.parse().with_context(|| format!("`{text}`")))
        .collect::<Result<Vec<_>>>()?;
    ensure!((1..=3).contains(&sizes.len()), "`{text}`: 1 to 3 dimensions");
    Ok(sizes)
}

fn argument(kind: &str, text: &str) -> Result<Argument> {
    Ok(match kind {
        "local" => Argument::Local(text.parse()?),
        "queue" => Argument::Queue(text.parse()?),
        "val" => {
            let (element, values) = text.split_once(' ').context("val TYPE VALUE, ...")?;
            let element = Element::parse(element)?;
            Argument::Value(
                split(values)
                    .iter()
                    .map(|value| Ok((element, Expression::parse(value)?)))
                    .collect::<Result<_>>()?,
            )
        }
        "rec" => Argument::Value(
            split(text)
                .iter()
                .map(|member| {
                    let (element, value) =
                        member.trim().split_once(' ').context("rec TYPE VALUE, ...")?;
                    Ok((Element::parse(element)?, Expression::parse(value)?))
                })
                .collect::<Result<_>>()?,
        ),
        _ => {
            let (head, tail) = text.split_once('=').context("buf TYPE LENGTH = VALUE")?;
            let (element, length) =
                head.trim().split_once(' ').context("buf TYPE LENGTH = VALUE")?;
            let (initial, expected) = match tail.split_once("=>") {
                None => (tail, Expected::Unchanged),
                Some((initial, "any")) => (initial, Expected::Any),
                Some((initial, expected)) if expected.trim() == "any" => (initial, Expected::Any),
                Some((initial, expected)) => {
                    let (value, tolerance) = match expected.rsplit_once(" ~ ") {
                        Some((value, bound)) => {
                            let bound = Some(bound.trim().parse()?);
                            (value, Tolerance { absolute: bound, relative: bound, ulps: None })
                        }
                        None => (expected, Tolerance::default()),
                    };
                    (initial, Expected::Value(Expression::parse(value)?, tolerance))
                }
            };
            let length = length.trim().parse().with_context(|| format!("the length `{length}`"))?;
            Argument::Buffer {
                element: Element::parse(element)?,
                length,
                initial: Expression::parse(initial)?,
                expected,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read() {
        let file = File::parse(
            "// needs: cl_khr_fp64\n// run: f global=4x2 local=2x1|null offset=1x1\n//   buf i32 8 = i => i+1\n//   val f32 1, 2\n",
        )
        .unwrap();
        assert_eq!(file.needs, ["cl_khr_fp64"]);
        assert_eq!(file.runs[0].global, [4, 2]);
        assert_eq!(file.runs[0].locals, [Some(vec![2, 1]), None]);
        assert_eq!(file.runs[0].arguments.len(), 2);
    }

    #[test]
    fn a_file_that_checks_nothing_is_an_error() {
        assert!(File::parse("kernel void f() {}").is_err());
        assert!(File::parse("// run: f global=1\n//   buf i32 1 = 0\n").is_err());
        assert!(File::parse("// run: f global=1 local=1x1\n//   buf i32 1 = 0 => 1\n").is_err());
    }
}
