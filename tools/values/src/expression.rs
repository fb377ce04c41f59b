//! The language of values: numbers, C's operators, a few functions, and the initial contents of
//! buffers.
//!
//! Integers are 128 bits wide. They wrap only at a cast (`i8(x)` to `f64(x)`) and when they are
//! stored in an element. An operation with a floating-point operand is computed in double
//! precision. `sum(k, from, to, e)` adds `e` for `k` in `from..to`; `[a, b, c][i]` selects an
//! element. `a0[i]` is element `i` of argument 0 before the kernel runs. `1.5f` is rounded to a
//! float.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};

use crate::Element;

/// A value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
}

impl Number {
    /// Converts to an integer, rounding towards zero.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the conversion rounds towards zero")]
    pub fn integer(self) -> i128 {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value as i128,
        }
    }

    /// Converts to a floating-point number.
    #[must_use]
    pub fn float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    fn truth(self) -> bool {
        match self {
            Self::Int(value) => value != 0,
            Self::Float(value) => value != 0.0,
        }
    }
}

/// The variables of an expression.
#[derive(Debug, Default, Clone)]
pub struct Scope {
    /// `i`, `n`, `gx`, ...
    pub names: BTreeMap<String, Number>,
    /// The initial contents of the buffers among the arguments, by argument index.
    pub buffers: BTreeMap<usize, (Element, Vec<u8>)>,
}

/// A parsed expression.
#[derive(Debug, Clone)]
pub struct Expression(Node);

#[derive(Debug, Clone)]
enum Node {
    Constant(Number),
    Name(String),
    Buffer(usize, Box<Self>),
    Pick(Vec<Self>, Box<Self>),
    Unary(char, Box<Self>),
    Binary(&'static str, Box<Self>, Box<Self>),
    Choice(Box<Self>, Box<Self>, Box<Self>),
    Call(String, Vec<Self>),
    Sum(String, Box<Self>, Box<Self>, Box<Self>),
}

/// Binary operators by rising precedence. Longer operators come first, so that `<<` does not parse
/// as `<`.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Expression {
    /// Parses the whole of `text`.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser { text, position: 0 };
        let node = parser.choice().with_context(|| format!("in `{text}`"))?;
        parser.space();
        ensure!(parser.rest().is_empty(), "`{}` is left over of `{text}`", parser.rest());
        Ok(Self(node))
    }

    /// Evaluates the expression.
    pub fn value(&self, scope: &mut Scope) -> Result<Number> {
        self.0.value(scope)
    }
}

/// The bytes of `count` elements with the value of `expression`, in which `i` is the number of the
/// element and `n` is `count`.
///
/// # Errors
/// The expression has no value for an element.
pub fn fill(
    element: Element,
    count: usize,
    expression: &Expression,
    scope: &mut Scope,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count.saturating_mul(element.size()));
    scope.names.insert("n".to_owned(), Number::Int(i128::try_from(count)?));
    for i in 0..count {
        scope.names.insert("i".to_owned(), Number::Int(i128::try_from(i)?));
        element.put(expression.value(scope)?, &mut bytes);
    }
    Ok(bytes)
}

/// Splits at the commas outside parentheses and brackets.
#[must_use]
pub fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&text[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn space(&mut self) {
        self.position += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        ensure!(self.eat(token), "`{token}` expected before `{}`", self.rest());
        Ok(())
    }

    fn choice(&mut self) -> Result<Node> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.choice()?;
        self.expect(":")?;
        let no = self.choice()?;
        Ok(Node::Choice(condition.into(), yes.into(), no.into()))
    }

    fn binary(&mut self, level: usize) -> Result<Node> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1)?;
            left = Node::Binary(operator, left.into(), right.into());
        }
        Ok(left)
    }

    /// Parses the next operator if it is one of `operators` and not a prefix of a longer one.
    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.space();
        let longest = LEVELS
            .iter()
            .copied()
            .flatten()
            .filter(|op| self.rest().starts_with(**op))
            .max_by_key(|op| op.len())?;
        let found = operators.iter().find(|op| *op == longest)?;
        self.position += found.len();
        Some(found)
    }

    fn unary(&mut self) -> Result<Node> {
        for sign in ['-', '~', '!'] {
            if self.eat(&sign.to_string()) {
                return Ok(Node::Unary(sign, self.unary()?.into()));
            }
        }
        self.primary()
    }

    fn list(&mut self, end: &str) -> Result<Vec<Node>> {
        let mut nodes = vec![self.choice()?];
        while self.eat(",") {
            nodes.push(self.choice()?);
        }
        self.expect(end)?;
        Ok(nodes)
    }

    fn primary(&mut self) -> Result<Node> {
        if self.eat("(") {
            let node = self.choice()?;
            self.expect(")")?;
            return Ok(node);
        }
        if self.eat("[") {
            let nodes = self.list("]")?;
            self.expect("[")?;
            let index = self.choice()?;
            self.expect("]")?;
            return Ok(Node::Pick(nodes, index.into()));
        }
        self.space();
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let length =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        ensure!(length > 0, "a value expected before `{rest}`");
        let name = rest[..length].to_owned();
        self.position += length;
        if self.eat("(") {
            if name == "sum" {
                self.space();
                let end = self.rest().find(',').context("sum(name, from, to, value)")?;
                let variable = self.rest()[..end].trim().to_owned();
                self.position += end + 1;
                let [from, to, body] = <[Node; 3]>::try_from(self.list(")")?)
                    .map_err(|_| anyhow::anyhow!("sum(name, from, to, value)"))?;
                return Ok(Node::Sum(variable, from.into(), to.into(), body.into()));
            }
            return Ok(Node::Call(name, self.list(")")?));
        }
        if let Some(index) = name.strip_prefix('a').and_then(|digits| digits.parse().ok())
            && self.eat("[")
        {
            let element = self.choice()?;
            self.expect("]")?;
            return Ok(Node::Buffer(index, element.into()));
        }
        Ok(Node::Name(name))
    }

    fn number(&mut self) -> Result<Node> {
        let rest = self.rest();
        if let Some(digits) = rest.strip_prefix("0x") {
            let length = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
            self.position += 2 + length;
            return Ok(Node::Constant(Number::Int(i128::from_str_radix(&digits[..length], 16)?)));
        }
        let mut length = 0;
        let bytes = rest.as_bytes();
        while length < bytes.len() {
            let exponent_sign = length > 0
                && matches!(bytes[length - 1], b'e')
                && matches!(bytes[length], b'-' | b'+');
            if !(bytes[length].is_ascii_digit()
                || matches!(bytes[length], b'.' | b'e')
                || exponent_sign)
            {
                break;
            }
            length += 1;
        }
        self.position += length;
        let digits = &rest[..length];
        if digits.contains(['.', 'e']) && self.rest().starts_with('f') {
            self.position += 1;
            let value: f32 = digits.parse().with_context(|| format!("`{digits}` is no number"))?;
            return Ok(Node::Constant(Number::Float(value.into())));
        }
        Ok(Node::Constant(match digits.parse() {
            Ok(value) => Number::Int(value),
            Err(_) => {
                Number::Float(digits.parse().with_context(|| format!("`{digits}` is no number"))?)
            }
        }))
    }
}

impl Node {
    fn value(&self, scope: &mut Scope) -> Result<Number> {
        Ok(match self {
            Self::Constant(value) => *value,
            Self::Name(name) => match name.as_str() {
                "inf" => Number::Float(f64::INFINITY),
                "nan" => Number::Float(f64::NAN),
                "pi" => Number::Float(std::f64::consts::PI),
                name => *scope.names.get(name).with_context(|| format!("`{name}` is not known"))?,
            },
            Self::Buffer(argument, index) => {
                let index = usize::try_from(index.value(scope)?.integer())?;
                let (element, bytes) = scope
                    .buffers
                    .get(argument)
                    .with_context(|| format!("a{argument} is no buffer"))?;
                element
                    .get(bytes, index)
                    .with_context(|| format!("a{argument}[{index}] is outside"))?
            }
            Self::Pick(nodes, index) => {
                let index = usize::try_from(index.value(scope)?.integer())?;
                nodes
                    .get(index)
                    .with_context(|| format!("[{index}] of {} values", nodes.len()))?
                    .value(scope)?
            }
            Self::Unary(operator, node) => match (operator, node.value(scope)?) {
                ('-', Number::Int(value)) => Number::Int(value.wrapping_neg()),
                ('-', Number::Float(value)) => Number::Float(-value),
                ('~', value) => Number::Int(!value.integer()),
                (_, value) => truth(!value.truth()),
            },
            Self::Binary("&&", left, right) => {
                truth(left.value(scope)?.truth() && right.value(scope)?.truth())
            }
            Self::Binary("||", left, right) => {
                truth(left.value(scope)?.truth() || right.value(scope)?.truth())
            }
            Self::Binary(operator, left, right) => {
                binary(operator, left.value(scope)?, right.value(scope)?)?
            }
            Self::Choice(condition, yes, no) => {
                if condition.value(scope)?.truth() {
                    yes.value(scope)?
                } else {
                    no.value(scope)?
                }
            }
            Self::Call(name, arguments) => {
                let values =
                    arguments.iter().map(|node| node.value(scope)).collect::<Result<Vec<_>>>()?;
                call(name, &values)?
            }
            Self::Sum(variable, from, to, body) => {
                let (from, to) = (from.value(scope)?.integer(), to.value(scope)?.integer());
                let outer = scope.names.get(variable).copied();
                let mut total = Number::Int(0);
                for k in from..to {
                    scope.names.insert(variable.clone(), Number::Int(k));
                    total = binary("+", total, body.value(scope)?)?;
                }
                match outer {
                    Some(value) => scope.names.insert(variable.clone(), value),
                    None => scope.names.remove(variable),
                };
                total
            }
        })
    }
}

fn truth(value: bool) -> Number {
    Number::Int(i128::from(value))
}

fn binary(operator: &str, left: Number, right: Number) -> Result<Number> {
    if let (Number::Int(a), Number::Int(b)) = (left, right) {
        let shift = || u32::try_from(b).context("a shift by a negative number");
        return Ok(match operator {
            "+" => Number::Int(a.wrapping_add(b)),
            "-" => Number::Int(a.wrapping_sub(b)),
            "*" => Number::Int(a.wrapping_mul(b)),
            "/" => Number::Int(a.checked_div(b).context("division by zero")?),
            "%" => Number::Int(a.checked_rem(b).context("division by zero")?),
            "<<" => Number::Int(a.wrapping_shl(shift()?)),
            ">>" => Number::Int(a.wrapping_shr(shift()?)),
            "&" => Number::Int(a & b),
            "|" => Number::Int(a | b),
            "^" => Number::Int(a ^ b),
            "<" => truth(a < b),
            "<=" => truth(a <= b),
            ">" => truth(a > b),
            ">=" => truth(a >= b),
            "==" => truth(a == b),
            "!=" => truth(a != b),
            _ => bail!("operator {operator}"),
        });
    }
    let (a, b) = (left.float(), right.float());
    #[expect(clippy::float_cmp, reason = "the language's comparison is exact")]
    Ok(match operator {
        "+" => Number::Float(a + b),
        "-" => Number::Float(a - b),
        "*" => Number::Float(a * b),
        "/" => Number::Float(a / b),
        "%" => Number::Float(a % b),
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        _ => bail!("operator {operator} on floating-point numbers"),
    })
}

fn call(name: &str, values: &[Number]) -> Result<Number> {
    if let (Ok(element), [value]) = (Element::parse(name), values) {
        return Ok(element.convert(*value));
    }
    Ok(match (name, values) {
        ("min", [a, b]) => {
            if binary("<", *b, *a)?.truth() {
                *b
            } else {
                *a
            }
        }
        ("max", [a, b]) => {
            if binary("<", *a, *b)?.truth() {
                *b
            } else {
                *a
            }
        }
        ("abs", [Number::Int(a)]) => Number::Int(a.abs()),
        ("abs", [Number::Float(a)]) => Number::Float(a.abs()),
        ("sqrt", [a]) => Number::Float(a.float().sqrt()),
        ("exp", [a]) => Number::Float(a.float().exp()),
        ("log", [a]) => Number::Float(a.float().ln()),
        ("sin", [a]) => Number::Float(a.float().sin()),
        ("cos", [a]) => Number::Float(a.float().cos()),
        ("floor", [a]) => Number::Float(a.float().floor()),
        ("ceil", [a]) => Number::Float(a.float().ceil()),
        ("rint", [a]) => Number::Float(a.float().round_ties_even()),
        ("trunc", [a]) => Number::Float(a.float().trunc()),
        ("fma", [a, b, c]) => Number::Float(a.float().mul_add(b.float(), c.float())),
        ("clamp", [a, low, high]) => call("min", &[call("max", &[*a, *low])?, *high])?,
        ("popcount", [a]) => Number::Int(i128::from(a.integer().count_ones())),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the result is the bits of the rounded number"
        )]
        ("bits32", [a]) => Number::Int(i128::from((a.float() as f32).to_bits())),
        ("bits64", [a]) => Number::Int(i128::from(a.float().to_bits())),
        _ => bail!("no function {name} with {} value(s)", values.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Number {
        let mut scope = Scope::default();
        scope.names.insert("i".to_owned(), Number::Int(5));
        scope.buffers.insert(1, (Element::Int(1), vec![1, 2, 255]));
        Expression::parse(text).unwrap().value(&mut scope).unwrap()
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("1+2*3", 7),
            ("(1+2)*3", 9),
            ("i<<2|1", 21),
            ("i<4 ? 1 : i==5 ? 2 : 3", 2),
            ("a1[2]*2", -2),
            ("sum(k, 0, 4, k*i)", 30),
            ("[7,8,9][i-4]", 8),
            ("u8(-1)", 255),
            ("-7/2", -3),
            ("0xff & ~0xf", 0xf0),
            ("min(3, i) - max(3, i)", -2),
            ("!0 && 1 || 0", 1),
        ] {
            assert_eq!(value(text), Number::Int(expected), "{text}");
        }
        assert_eq!(value("1.5e1*2"), Number::Float(30.0));
        assert_eq!(value("1e-1*i"), Number::Float(0.5));
        assert_eq!(value("-0.1f"), Number::Float(f64::from(-0.1_f32)));
    }

    #[test]
    fn mistakes_are_errors() {
        for text in ["1+", "(1", "f(1)", "1 2", "a1[3]", "a1", "x", "[1][2]", "1/0"] {
            let result = Expression::parse(text).and_then(|e| {
                let mut scope = Scope::default();
                scope.buffers.insert(1, (Element::Int(1), vec![1]));
                e.value(&mut scope)
            });
            assert!(result.is_err(), "{text}");
        }
    }
}
