//! Mangles names of builtins as clang does (Itanium ABI, with OpenCL's address spaces).

/// A type of OpenCL C in a builtin's signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum C {
    Void,
    Bool,
    /// Width in bits; whether it is signed.
    Int(u32, bool),
    /// Width in bits.
    Float(u32),
    Vector(Box<Self>, u32),
    Pointer(Box<Pointer>),
    /// The mangled name, and the type in LLVM IR.
    Named(String, String),
}

/// A pointer type with its qualifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub to: C,
    pub space: u32,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_atomic: bool,
}

pub(crate) const INT: C = C::Int(32, true);
pub(crate) const UINT: C = C::Int(32, false);

impl C {
    /// A pointer without qualifiers.
    pub(crate) fn pointer(self, space: u32) -> Self {
        Self::Pointer(Box::new(Pointer {
            to: self,
            space,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
        }))
    }

    /// A pointer to constant.
    pub(crate) fn pointer_to_const(self, space: u32) -> Self {
        Self::Pointer(Box::new(Pointer {
            to: self,
            space,
            is_const: true,
            is_volatile: false,
            is_atomic: false,
        }))
    }

    /// A pointer to a volatile atomic.
    pub(crate) fn pointer_to_atomic(self, space: u32) -> Self {
        Self::Pointer(Box::new(Pointer {
            to: self,
            space,
            is_const: false,
            is_volatile: true,
            is_atomic: true,
        }))
    }

    /// An enumeration.
    pub(crate) fn enumeration(name: &str) -> Self {
        Self::Named(format!("{}{name}", name.len()), "i32".into())
    }

    /// An opaque type of OpenCL: `event`, `sampler`, ...
    pub(crate) fn opaque(name: &str, llvm: &str) -> Self {
        let name = format!("ocl_{name}");
        Self::Named(format!("{}{name}", name.len()), llvm.into())
    }

    /// A vector of `count` lanes; the type itself if `count` is 1.
    pub(crate) fn times(self, count: u32) -> Self {
        if count > 1 { Self::Vector(Box::new(self), count) } else { self }
    }

    /// The number of lanes; 1 for a scalar.
    pub(crate) fn lanes(&self) -> u32 {
        if let Self::Vector(_, count) = self { *count } else { 1 }
    }

    /// The element of a vector, or the type itself.
    pub(crate) fn element(&self) -> &Self {
        if let Self::Vector(of, _) = self { of } else { self }
    }

    /// True for a scalar of floating point.
    pub(crate) fn is_float(&self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// The type with another element.
    pub(crate) fn with_element(&self, element: Self) -> Self {
        element.times(self.lanes())
    }

    /// The type in LLVM IR.
    pub(crate) fn llvm(&self) -> String {
        match self {
            Self::Void => "void".into(),
            Self::Bool => "i1".into(),
            Self::Int(bits, _) => format!("i{bits}"),
            Self::Float(16) => "half".into(),
            Self::Float(32) => "float".into(),
            Self::Float(_) => "double".into(),
            Self::Vector(of, count) => format!("<{count} x {}>", of.llvm()),
            Self::Pointer(p) => pointer_text(p.space),
            Self::Named(_, llvm) => llvm.clone(),
        }
    }

    /// The attribute of a small integer's extension, with a space after it.
    pub(crate) fn extension(&self) -> &'static str {
        match self {
            Self::Bool | Self::Int(8 | 16, false) => "zeroext ",
            Self::Int(8 | 16, true) => "signext ",
            _ => "",
        }
    }

    /// The type's name in OpenCL C, as in `convert_uchar4`.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Int(bits, signed) => {
                let name = match bits {
                    8 => "char",
                    16 => "short",
                    64 => "long",
                    _ => "int",
                };
                format!("{}{name}", if *signed { "" } else { "u" })
            }
            Self::Float(16) => "half".into(),
            Self::Float(32) => "float".into(),
            Self::Float(_) => "double".into(),
            Self::Bool => "bool".into(),
            Self::Vector(of, count) => format!("{}{count}", of.name()),
            Self::Void | Self::Pointer(_) | Self::Named(..) => "void".into(),
        }
    }
}

/// A pointer type in LLVM IR.
pub(crate) fn pointer_text(space: u32) -> String {
    if space == 0 { "ptr".into() } else { format!("ptr addrspace({space})") }
}

/// The mangled name of a builtin.
pub(crate) fn mangle(name: &str, parameters: &[C]) -> String {
    let mut mangler = Mangler { text: format!("_Z{}{name}", name.len()), seen: Vec::new() };
    if parameters.is_empty() {
        mangler.text.push('v');
    }
    for parameter in parameters {
        mangler.add(parameter);
    }
    mangler.text
}

struct Mangler {
    text: String,
    /// The components that a later substitution (`S_`) may refer to, written in full.
    seen: Vec<String>,
}

impl Mangler {
    /// Writes the substitution of an earlier component; returns false if none matches.
    fn substitute(&mut self, full: &str) -> bool {
        let Some(n) = self.seen.iter().position(|s| s == full) else { return false };
        self.text.push('S');
        if let Some(n) = n.checked_sub(1) {
            self.text.push_str(&base_36(n));
        }
        self.text.push('_');
        true
    }

    fn add(&mut self, ty: &C) {
        let full = full(ty);
        match ty {
            C::Void | C::Bool | C::Int(..) | C::Float(_) => return self.text.push_str(&full),
            _ if self.substitute(&full) => return,
            C::Named(name, _) => self.text.push_str(name),
            C::Vector(of, count) => {
                self.text.push_str(&format!("Dv{count}_"));
                self.add(of);
            }
            C::Pointer(p) => {
                self.text.push('P');
                self.add_qualified(p);
            }
        }
        self.seen.push(full);
    }

    /// A qualified type is a substitution component, even if its address space is private and not
    /// written.
    fn add_qualified(&mut self, p: &Pointer) {
        let full = full_qualified(p);
        if self.substitute(&full) {
            return;
        }
        self.text.push_str(&qualifiers(p));
        if p.is_atomic {
            let atomic = format!("U7_Atomic{}", self::full(&p.to));
            if !self.substitute(&atomic) {
                self.text.push_str("U7_Atomic");
                self.add(&p.to);
                self.seen.push(atomic);
            }
        } else {
            self.add(&p.to);
        }
        self.seen.push(full);
    }
}

fn qualifiers(p: &Pointer) -> String {
    let space = if p.space == 0 { String::new() } else { format!("U3AS{}", p.space) };
    format!("{space}{}{}", if p.is_volatile { "V" } else { "" }, if p.is_const { "K" } else { "" })
}

fn full_qualified(p: &Pointer) -> String {
    // The bar makes a qualified private type differ from the unqualified type.
    format!("|{}{}{}", qualifiers(p), if p.is_atomic { "U7_Atomic" } else { "" }, full(&p.to))
}

fn full(ty: &C) -> String {
    match ty {
        C::Void => "v".into(),
        C::Bool => "b".into(),
        C::Int(8, true) => "c".into(),
        C::Int(8, false) => "h".into(),
        C::Int(16, true) => "s".into(),
        C::Int(16, false) => "t".into(),
        C::Int(64, true) => "l".into(),
        C::Int(64, false) => "m".into(),
        C::Int(_, true) => "i".into(),
        C::Int(_, false) => "j".into(),
        C::Float(16) => "Dh".into(),
        C::Float(32) => "f".into(),
        C::Float(_) => "d".into(),
        C::Vector(of, count) => format!("Dv{count}_{}", full(of)),
        C::Pointer(p) => format!("P{}", full_qualified(p)),
        C::Named(name, _) => name.clone(),
    }
}

fn base_36(mut n: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 36]);
        n /= 36;
        if n == 0 {
            digits.reverse();
            return String::from_utf8(digits).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_clang_does() {
        let f4 = || C::Float(32).times(4);
        assert_eq!(mangle("get_work_dim", &[]), "_Z12get_work_dimv");
        assert_eq!(mangle("pow", &[f4(), f4()]), "_Z3powDv4_fS_");
        assert_eq!(mangle("modf", &[f4(), f4().pointer(4)]), "_Z4modfDv4_fPU3AS4S_");
        assert_eq!(mangle("modf", &[f4(), f4().pointer(0)]), "_Z4modfDv4_fPS_");
        assert_eq!(
            mangle("remquo", &[f4(), f4(), INT.times(4).pointer(4)]),
            "_Z6remquoDv4_fS_PU3AS4Dv4_i"
        );
        let size = C::Int(64, false);
        assert_eq!(
            mangle("vload4", &[size.clone(), C::Float(32).pointer_to_const(1)]),
            "_Z6vload4mPU3AS1Kf"
        );
        let (order, scope) = (C::enumeration("memory_order"), C::enumeration("memory_scope"));
        let exchange = |space| {
            [
                INT.pointer_to_atomic(1),
                INT.pointer(space),
                INT,
                order.clone(),
                order.clone(),
                scope.clone(),
            ]
        };
        assert_eq!(
            mangle("atomic_compare_exchange_strong_explicit", &exchange(0)),
            "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPii12memory_orderS4_12memory_scope"
        );
        assert_eq!(
            mangle("atomic_compare_exchange_strong_explicit", &exchange(3)),
            "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPU3AS3ii12memory_orderS4_12memory_scope"
        );
        let image = C::opaque("image2d_ro", "x");
        let f2 = || C::Float(32).times(2);
        assert_eq!(
            mangle("read_imagef", &[image, C::opaque("sampler", "x"), f2(), f2(), f2()]),
            "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_fS1_S1_"
        );
        let copy = [f4().pointer(3), f4().pointer_to_const(1), size, C::opaque("event", "x")];
        assert_eq!(
            mangle("async_work_group_copy", &copy),
            "_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event"
        );
        assert_eq!(UINT.times(4).name(), "uint4");
    }
}
