//! Runs the function under test in kernels.

use anyhow::{Context as _, Result};
use muxcl_client::{Buffer, Context, Device, Kernel, Queue, sys};

use crate::catalogue::{Function, Parameters};
use crate::format::Format;

/// A device with a context and a queue.
#[derive(Debug)]
pub struct Session {
    device: Device,
    context: Context,
    queue: Queue,
}

impl Session {
    /// Creates a context and a queue on `device`.
    pub fn new(device: Device) -> Result<Self> {
        let context = Context::new(device)?;
        let queue = context.queue(device, 0)?;
        Ok(Self { device, context, queue })
    }

    /// True if the device supports the type.
    pub fn has(&self, format: Format) -> Result<bool> {
        let features = self.device.features()?;
        let wanted = match format {
            Format::Float => return Ok(true),
            Format::Double => "cl_khr_fp64",
            Format::Half => "cl_khr_fp16",
        };
        Ok(features.iter().any(|feature| feature == wanted))
    }
}

/// The arguments of many calls, as bits.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The first, second and third arguments; empty if the function has fewer.
    pub numbers: [Vec<u64>; 3],
    /// The `int` arguments; empty if the function has none.
    pub whole: Vec<i32>,
}

impl Arguments {
    /// The number of calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers[0].len()
    }

    /// True if there are no calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The arguments of the calls `from..to`.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> Self {
        let cut = |all: &Vec<u64>| if all.is_empty() { Vec::new() } else { all[from..to].to_vec() };
        Self {
            numbers: [cut(&self.numbers[0]), cut(&self.numbers[1]), cut(&self.numbers[2])],
            whole: if self.whole.is_empty() { Vec::new() } else { self.whole[from..to].to_vec() },
        }
    }

    /// Repeats the last call until the number of calls is a multiple of `of`.
    pub fn fill(&mut self, of: usize) {
        let left = (of - self.len() % of) % of;
        for numbers in self.numbers.iter_mut().filter(|numbers| !numbers.is_empty()) {
            let last = numbers[numbers.len() - 1];
            numbers.extend(std::iter::repeat_n(last, left));
        }
        if let Some(last) = self.whole.last().copied() {
            self.whole.extend(std::iter::repeat_n(last, left));
        }
    }
}

/// A function compiled for one type, with a kernel for each vector width.
#[derive(Debug)]
pub struct Compiled<'a> {
    session: &'a Session,
    function: &'static Function,
    format: Format,
    kernels: Vec<(usize, Kernel)>,
    buffers: Option<(usize, [Buffer; 5])>,
}

/// The number of calls must be a multiple of this number, which every vector width divides.
pub const STEP: usize = 48;

/// The source of the program.
#[must_use]
pub fn source(function: &Function, format: Format, widths: &[usize]) -> String {
    let scalar = format.name();
    let (result, kind) = if function.int { ("int", "I") } else { (scalar, "T") };
    let mut text = String::new();
    if format == Format::Half {
        text.push_str("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    }
    let call = match (function.call, function.parameters) {
        ("", Parameters::Unary) => format!("r = {}(x);", function.name),
        ("", Parameters::Binary) => format!("r = {}(x, y);", function.name),
        ("", Parameters::WithInt) => format!("r = {}(x, n);", function.name),
        ("", Parameters::Ternary) => format!("r = {}(x, y, z);", function.name),
        (call, _) => call.to_owned(),
    };
    let numbers: &[(&str, &str)] = match function.parameters {
        Parameters::Unary | Parameters::WithInt => &[("x", "a")],
        Parameters::Binary => &[("x", "a"), ("y", "b")],
        Parameters::Ternary => &[("x", "a"), ("y", "b"), ("z", "c")],
    };
    for width in widths {
        let of = |kind: &str| if *width == 1 { kind.to_owned() } else { format!("{kind}{width}") };
        let load = |from: &str| {
            if *width == 1 { format!("{from}[i]") } else { format!("vload{width}(i, {from})") }
        };
        text.push_str(&format!(
            "#define T {}\n#define I {}\nkernel void run{width}(global const {scalar} *a, global const {scalar} *b, \
             global const {scalar} *c, global const int *d, global {result} *out) {{\n  size_t i = get_global_id(0);\n",
            of(scalar),
            of("int")
        ));
        for (name, from) in numbers {
            text.push_str(&format!("  T {name} = {};\n", load(from)));
        }
        if function.parameters == Parameters::WithInt {
            text.push_str(&format!("  I n = {};\n", load("d")));
        }
        let store =
            if *width == 1 { "out[i] = r".to_owned() } else { format!("vstore{width}(r, i, out)") };
        text.push_str(&format!("  {kind} r;\n  {call}\n  {store};\n}}\n#undef T\n#undef I\n"));
    }
    text
}

impl<'a> Compiled<'a> {
    /// Builds the program of `function`.
    pub fn new(
        session: &'a Session,
        function: &'static Function,
        format: Format,
        widths: &[usize],
        options: &str,
    ) -> Result<Self> {
        let source = source(function, format, widths);
        let program = session
            .context
            .build(session.device, &source, options)
            .with_context(|| format!("{} of {}", function.name, format.name()))?;
        let kernels = widths
            .iter()
            .map(|width| Ok((*width, program.kernel(&format!("run{width}"))?)))
            .collect::<Result<_>>()?;
        Ok(Self { session, function, format, kernels, buffers: None })
    }

    /// Runs every width over `arguments`; returns the bytes of the results by width. The number of
    /// calls must be a multiple of [`STEP`].
    pub fn run(&mut self, arguments: &Arguments) -> Result<Vec<(usize, Vec<u8>)>> {
        let count = arguments.len();
        let size = if self.function.int { 4 } else { self.format.bytes() };
        let needed = count * 8;
        if self.buffers.as_ref().is_none_or(|(room, _)| *room < needed) {
            let make = || self.session.context.buffer(sys::CL_MEM_READ_WRITE, needed);
            self.buffers = Some((needed, [make()?, make()?, make()?, make()?, make()?]));
        }
        let Some((_, buffers)) = &self.buffers else { unreachable!("made above") };
        for (numbers, buffer) in arguments.numbers.iter().zip(buffers) {
            if !numbers.is_empty() {
                self.session.queue.write(buffer, &self.format.pack(numbers))?;
            }
        }
        if !arguments.whole.is_empty() {
            self.session.queue.write(&buffers[3], &arguments.whole)?;
        }
        let mut results = Vec::new();
        let stale = vec![0xa5_u8; count * size];
        for (width, kernel) in &mut self.kernels {
            self.session.queue.write(&buffers[4], &stale)?;
            for (index, buffer) in (0..).zip(buffers) {
                kernel.set_buffer(index, buffer)?;
            }
            self.session.queue.run(kernel, &[count / *width], None, None)?;
            let mut out = vec![0; count * size];
            self.session.queue.read(&buffers[4], &mut out)?;
            results.push((*width, out));
        }
        Ok(results)
    }

    /// The called expression.
    #[must_use]
    pub fn function(&self) -> &'static Function {
        self.function
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, STEP, source};
    use crate::catalogue::find;
    use crate::format::Format;

    #[test]
    fn the_source_calls_the_function() {
        let text = source(find("pow").unwrap(), Format::Double, &[1, 3]);
        assert!(text.contains("r = pow(x, y);") && text.contains("vstore3(r, i, out)"), "{text}");
        let text = source(find("sincos: cosine").unwrap(), Format::Half, &[4]);
        assert!(text.contains("#define T half4") && text.contains("sincos(x, &r);"), "{text}");
    }

    #[test]
    fn filling_keeps_every_call_whole() {
        let mut arguments =
            Arguments { numbers: [vec![1, 2], vec![3, 4], Vec::new()], whole: vec![5, 6] };
        arguments.fill(STEP);
        assert_eq!(arguments.len(), STEP);
        assert_eq!((arguments.numbers[1][STEP - 1], arguments.whole[STEP - 1]), (4, 6));
        assert!(arguments.numbers[2].is_empty());
    }
}
