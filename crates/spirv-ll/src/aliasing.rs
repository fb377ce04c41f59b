//! `SPV_INTEL_memory_access_aliasing`: lists of alias scopes, as LLVM's `alias.scope` and `noalias`
//! metadata.
//!
//! The extension mirrors LLVM's metadata: a scope belongs to a domain, and an access names the list
//! of scopes it belongs to and the list of scopes it does not alias. Both are hints: an access
//! without LLVM metadata (an atomic, which is a call of a builtin) drops them.

use crate::body::Body;
use crate::module::Tables;
use crate::output::Output;
use muxcl_spirv::numbers::{Decoration, Op};
use muxcl_spirv::{Error, Instruction};

/// The lists of scopes of one memory access, by their ids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AliasLists {
    /// The scopes that the access belongs to.
    pub scopes: Option<u32>,
    /// The scopes whose accesses this one does not alias.
    pub no_alias: Option<u32>,
}

impl AliasLists {
    /// The lists that decorate the result of an instruction.
    pub(crate) fn of_decorations(module: &Tables<'_>, result: Option<u32>) -> Result<Self, Error> {
        let list = |decoration| {
            let i = result.and_then(|id| module.decoration(id, decoration));
            i.map(|i| i.operand(2)).transpose()
        };
        Ok(Self {
            scopes: list(Decoration::AliasScopeINTEL)?,
            no_alias: list(Decoration::NoAliasINTEL)?,
        })
    }

    /// These lists, with the lists of `other` in place of absent ones.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { scopes: self.scopes.or(other.scopes), no_alias: self.no_alias.or(other.no_alias) }
    }
}

/// The metadata attachments of an access, each with a comma in front.
///
/// # Errors
/// An id is not that of a list of scopes, or the list does not consist of scopes.
pub(crate) fn attachments(
    body: &mut Body<'_, '_>,
    i: Instruction<'_>,
    lists: AliasLists,
) -> Result<String, Error> {
    let mut text = String::new();
    for (kind, list) in [("alias.scope", lists.scopes), ("noalias", lists.no_alias)] {
        if let Some(list) = list {
            let node = node(body.module, body.out, i, list, Op::AliasScopeListDeclINTEL)?;
            text.push_str(&format!(", !{kind} {node}"));
        }
    }
    Ok(text)
}

/// The metadata node of a domain, scope or list, made at its first use.
fn node(
    module: &Tables<'_>,
    out: &mut Output,
    i: Instruction<'_>,
    id: u32,
    expected: Op,
) -> Result<String, Error> {
    let declaration = module.alias_declarations.get(&id).filter(|d| d.op == expected);
    let Some(&declaration) = declaration else {
        return Err(i.error(format_args!("id {id} is not declared by Op{expected:?}")));
    };
    if let Some(node) = out.alias_nodes.get(&id) {
        return Ok(node.clone());
    }
    let node = match expected {
        Op::AliasDomainDeclINTEL => distinct(out, ""),
        Op::AliasScopeDeclINTEL => {
            let domain = declaration.operand(1)?;
            let domain = node(module, out, declaration, domain, Op::AliasDomainDeclINTEL)?;
            distinct(out, &format!(", {domain}"))
        }
        _ => {
            let mut scopes = Vec::new();
            for &scope in declaration.rest(1) {
                scopes.push(node(module, out, declaration, scope, Op::AliasScopeDeclINTEL)?);
            }
            out.node(&format!("!{{{}}}", scopes.join(", ")))
        }
    };
    out.alias_nodes.insert(id, node.clone());
    Ok(node)
}

/// A node that refers to itself, so that LLVM keeps it apart from equal ones.
fn distinct(out: &mut Output, rest: &str) -> String {
    let own = out.next_node();
    out.node(&format!("distinct !{{!{own}{rest}}}"))
}
