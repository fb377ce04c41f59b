//! The text of the module under construction.

use crate::module::Tables;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The text written so far.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// Definitions of variables.
    pub globals: String,
    /// Definitions of functions.
    pub functions: String,
    /// Declarations of builtins and intrinsics, by name.
    declarations: BTreeMap<String, String>,
    /// The names of functions and variables that are defined or declared above.
    pub defined: BTreeSet<String>,
    metadata: Vec<String>,
    /// The node of [`Self::quotient_error`], once it exists.
    quotient_error: Option<String>,
    /// Metadata nodes of alias domains, scopes and lists, by their ids.
    pub alias_nodes: BTreeMap<u32, String>,
}

/// The memory effects of a builtin, as attributes of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effects {
    /// The result depends on the arguments and the work-item only.
    Nothing,
    /// The builtin reads memory.
    Reads,
    /// The builtin may have any effect.
    Any,
}

impl Effects {
    /// The number of the attribute group.
    pub(crate) fn group(self) -> u32 {
        match self {
            Self::Any => 0,
            Self::Nothing => 1,
            Self::Reads => 2,
        }
    }
}

const GROUPS: &str = "attributes #0 = { convergent nounwind }\n\
    attributes #1 = { convergent nounwind willreturn memory(none) }\n\
    attributes #2 = { convergent nounwind willreturn memory(read) }\n";

impl Output {
    /// Declares a function, once.
    pub(crate) fn declare(&mut self, name: &str, text: impl FnOnce() -> String) {
        if !self.declarations.contains_key(name) {
            self.declarations.insert(name.to_owned(), text());
        }
    }

    /// Adds a metadata node; returns its reference.
    pub(crate) fn node(&mut self, content: &str) -> String {
        self.metadata.push(content.to_owned());
        format!("!{}", self.metadata.len() - 1)
    }

    /// The metadata node of a quotient that may be wrong by 2.5 ULP.
    pub(crate) fn quotient_error(&mut self) -> String {
        if let Some(node) = &self.quotient_error {
            return node.clone();
        }
        let node = self.node("!{float 2.5}");
        self.quotient_error = Some(node.clone());
        node
    }

    /// The number of the next node, for a node that refers to itself.
    pub(crate) fn next_node(&self) -> usize {
        self.metadata.len()
    }

    /// The text of the whole module.
    pub(crate) fn finish(mut self, module: &Tables<'_>) -> String {
        let version = self.node("!{i32 3, i32 0}");
        let mut text = String::with_capacity(self.functions.len() + self.globals.len() + 4096);
        text.push_str(&module.header());
        text.push_str(&self.globals);
        text.push_str(&self.functions);
        for (name, declaration) in &self.declarations {
            if !self.defined.contains(name) {
                text.push_str(declaration);
                text.push('\n');
            }
        }
        // As clang lists constructors of program-scope objects.
        let initializers: Vec<String> = module
            .initializers()
            .into_iter()
            .map(|name| {
                format!("{{ i32, ptr, ptr }} {{ i32 65535, ptr @{}, ptr null }}", quoted(name))
            })
            .collect();
        if !initializers.is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "@llvm.global_ctors = appending global [{} x {{ i32, ptr, ptr }}] [{}]",
                initializers.len(),
                initializers.join(", ")
            );
        }
        text.push_str(GROUPS);
        text.push_str(&module.attribute_groups());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "!opencl.ocl.version = !{{{version}}}");
        for (n, node) in self.metadata.iter().enumerate() {
            let _ = writeln!(text, "!{n} = {node}");
        }
        text
    }
}

/// The LLVM text of a global name, with `@` in front.
pub(crate) fn global_name(name: &str) -> String {
    format!("@{}", quoted(name))
}

/// An LLVM string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in text.bytes() {
        if matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\' {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\{byte:02X}");
        }
    }
    out.push('"');
    out
}
