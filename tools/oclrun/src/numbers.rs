//! The contents of buffers and images: from fills and files, to files and devices.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use muxcl_values::{Element, Expression, Number, Scope, fill};

use crate::argument::Fill;
use crate::kind::{Kind, fits};

/// The numbers of a buffer or an image.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// The type of the elements.
    pub(crate) kind: Kind,
    /// The numbers without padding, one after the other.
    bytes: Vec<u8>,
}

/// Whether a file holds numbers as text.
fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "txt" || extension == "csv")
}

impl Numbers {
    /// `count` elements as `fill` says; without a count as many as a file has, or `items`. `number`
    /// is that of the argument; expressions see `scope`. At most `limit` bytes.
    pub(crate) fn new(
        from: &Fill,
        kind: Kind,
        (count, items): (Option<usize>, usize),
        number: usize,
        scope: &mut Scope,
        limit: u64,
    ) -> Result<Self> {
        let element = kind.element;
        let numbers = |elements: usize| {
            let size = elements.checked_mul(kind.size()).filter(|size| *size as u64 <= limit);
            ensure!(
                size.is_some(),
                "{elements} elements of {kind} are more than a device allocates ({limit} bytes)"
            );
            Ok(elements * kind.lanes)
        };
        let count_of_items = || numbers(count.unwrap_or(items));
        let bytes = match from {
            Fill::Zero => vec![0; count_of_items()? * element.size()],
            Fill::Iota => fill(element, count_of_items()?, &Expression::parse("i")?, scope)?,
            Fill::Each(value) => fill(element, count_of_items()?, value, scope)?,
            Fill::Random { seed, range } => {
                let mut random = fastrand::Rng::with_seed(seed.unwrap_or(number as u64));
                let range = match range {
                    Some([low, high]) => Some([low.value(scope)?, high.value(scope)?]),
                    None => None,
                };
                let mut next = generator(element, range)?;
                let mut bytes = Vec::new();
                (0..count_of_items()?).for_each(|_| element.put(next(&mut random), &mut bytes));
                bytes
            }
            Fill::File(path) => {
                let all = Self::read(path, kind).with_context(|| path.display().to_string())?;
                let (has, wanted) = (all.elements(), count.unwrap_or(all.elements().max(1)));
                let path = path.display();
                ensure!(wanted <= has, "{path} has {has} element(s) of {kind}, not {wanted}");
                all.bytes[..numbers(wanted)? * element.size()].to_vec()
            }
        };
        Ok(Self { kind, bytes })
    }

    fn read(path: &Path, kind: Kind) -> Result<Self> {
        let bytes = fs::read(path)?;
        let bytes = if is_text(path) {
            let text = String::from_utf8(bytes).context("it is not text")?;
            let (mut bytes, mut scope) = (Vec::new(), Scope::default());
            for (line, words) in (1..).zip(text.lines()) {
                let words = words.split([',', ' ', '\t']).filter(|word| !word.is_empty());
                for word in words {
                    let put = || -> Result<Number> {
                        let value = Expression::parse(word)?.value(&mut scope)?;
                        fits(kind.element, value)?;
                        Ok(value)
                    };
                    let value = { put }().with_context(|| format!("line {line}"))?;
                    kind.element.put(value, &mut bytes);
                }
            }
            bytes
        } else {
            bytes
        };
        let size = kind.element.size() * kind.lanes;
        ensure!(
            bytes.len().is_multiple_of(size),
            "its {} bytes are not whole elements of {kind}, {size} bytes each",
            bytes.len()
        );
        Ok(Self { kind, bytes })
    }

    /// Writes the numbers to a file: an element on each line of text, or their bytes.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let written = if is_text(path) {
            let lines = (0..self.elements()).map(|element| self.components(element) + "\n");
            fs::write(path, lines.collect::<String>())
        } else {
            fs::write(path, &self.bytes)
        };
        written.with_context(|| path.display().to_string())
    }

    /// Number of elements.
    pub(crate) fn elements(&self) -> usize {
        self.len() / self.kind.lanes
    }

    /// Number of numbers.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.kind.element.size()
    }

    /// The numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Number> {
        (0..self.len()).filter_map(|index| self.kind.element.get(&self.bytes, index))
    }

    /// The components of an element, with commas between them.
    fn components(&self, element: usize) -> String {
        let Kind { element: scalar, lanes } = self.kind;
        let numbers = element * lanes..(element + 1) * lanes;
        let all = numbers.filter_map(|index| scalar.get(&self.bytes, index));
        all.map(|number| scalar.text(number)).collect::<Vec<_>>().join(", ")
    }

    /// An element as text, a vector in parentheses.
    pub(crate) fn text(&self, element: usize) -> String {
        let components = self.components(element);
        if self.kind.lanes > 1 { format!("({components})") } else { components }
    }

    /// What expressions see as `aN[i]`.
    pub(crate) fn for_expressions(&self) -> (Element, Vec<u8>) {
        (self.kind.element, self.bytes.clone())
    }

    /// The bytes of the elements as devices have them: with padding behind vectors of three.
    pub(crate) fn to_device(&self) -> Vec<u8> {
        let size = self.kind.element.size() * self.kind.lanes;
        let mut bytes = Vec::with_capacity(self.elements() * self.kind.size());
        for element in self.bytes.chunks(size) {
            bytes.extend_from_slice(element);
            bytes.resize(bytes.len() + self.kind.size() - size, 0);
        }
        bytes
    }

    /// The opposite of [`Self::to_device`].
    pub(crate) fn from_device(kind: Kind, bytes: &[u8]) -> Self {
        let size = kind.element.size() * kind.lanes;
        let elements = bytes.chunks(kind.size()).filter_map(|element| element.get(..size));
        Self { kind, bytes: elements.flatten().copied().collect() }
    }
}

/// What makes the next random number: from `range`, both ends included, or any integer of the type,
/// or a number from 0 to 1.
fn generator(
    element: Element,
    range: Option<[Number; 2]>,
) -> Result<impl FnMut(&mut fastrand::Rng) -> Number> {
    for end in range.iter().flatten() {
        fits(element, *end)?;
    }
    let integers = element.range().map(|all| match range {
        Some([low, high]) => (low.integer(), high.integer()),
        None => all,
    });
    let [low, high] = range.map_or([0.0, 1.0], |ends| ends.map(Number::float));
    let ordered = integers.map_or(low <= high, |(low, high)| low <= high);
    ensure!(ordered, "the smallest random number is larger than the largest");
    Ok(move |random: &mut fastrand::Rng| match integers {
        Some((low, high)) => Number::Int(random.i128(low..=high)),
        None => Number::Float(low + (high - low) * random.f64()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(fill: &str, kind: &str, count: usize) -> Result<Numbers> {
        let kind = Kind::parse(kind)?;
        Numbers::new(&Fill::parse(fill)?, kind, (None, count), 3, &mut Scope::default(), 1 << 20)
    }

    #[test]
    fn fills_count_numbers_not_elements() {
        let found = numbers("iota", "i32x3", 2).unwrap();
        assert_eq!((found.text(0).as_str(), found.text(1).as_str()), ("(0, 1, 2)", "(3, 4, 5)"));
        let device = found.to_device();
        assert_eq!((device.len(), device[16]), (32, 3));
        assert_eq!(Numbers::from_device(found.kind, &device), found);
        assert_eq!(numbers("i * n", "u8", 3).unwrap().text(2), "6");
    }

    #[test]
    fn random_numbers_repeat_and_keep_their_range() {
        let found = numbers("rand=1,-2,2", "i8", 100).unwrap();
        assert!(found.iter().all(|n| (-2..=2).contains(&n.integer())));
        assert!(found.iter().any(|n| n.integer() == 2) && found.iter().any(|n| n.integer() == -2));
        assert_eq!(found, numbers("rand=1,-2,2", "i8", 100).unwrap());
        let floats = numbers("rand", "f32", 100).unwrap();
        assert!(floats.iter().all(|n| (0.0..=1.0).contains(&n.float())));
        assert_eq!(floats, numbers("rand=3", "f32", 100).unwrap());
        assert!(numbers("rand=1,2,-2", "i8", 1).is_err());
        assert!(numbers("rand=1,0,300", "i8", 1).is_err());
    }

    #[test]
    fn files_hold_text_or_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.txt", "a.bin"] {
            let path = folder.path().join(name);
            let written = numbers("i * 0.5 - 1", "f64x2", 3).unwrap();
            written.write(&path).unwrap();
            let read = numbers(&format!("file={}", path.display()), "f64x2", 7).unwrap();
            assert_eq!(read, written);
            let other = numbers(&format!("file={}", path.display()), "f64x4", 7);
            assert!(other.is_err_and(|e| format!("{e:#}").contains("not whole elements of f64x4")));
        }
        let text = folder.path().join("b.csv");
        fs::write(&text, "1, 0x10,-3\n300").unwrap();
        let read = |kind| numbers(&format!("file={}", text.display()), kind, 1);
        assert_eq!(read("i16").unwrap().len(), 4);
        let message = format!("{:#}", read("i8").unwrap_err());
        assert!(message.contains("line 2: 300 is not in i8"), "{message}");
    }

    #[test]
    fn too_much_is_refused_before_it_is_allocated() {
        let error = numbers("zero", "f64", usize::MAX / 4).unwrap_err().to_string();
        assert!(error.contains("more than a device allocates"), "{error}");
    }
}
