//! The text of a function under construction: values, blocks, calls.

use crate::Math;
use crate::mangle::{C, mangle};
use crate::module::Tables;
use crate::output::{Effects, Output, global_name};
use crate::types::Type;
use muxcl_spirv::numbers::{Decoration, ExecutionMode};
use muxcl_spirv::{Error, Instruction};
use std::collections::{BTreeMap, BTreeSet};

/// The text of a function under construction.
pub(crate) struct Body<'a, 'm> {
    pub module: &'a Tables<'m>,
    pub out: &'a mut Output,
    /// The LLVM value of each SPIR-V id.
    values: BTreeMap<u32, String>,
    /// Image and sampler of each sampled image.
    pub sampled: BTreeMap<u32, (u32, u32)>,
    /// Addresses of members of packed structures. They have alignment 1.
    pub packed: BTreeSet<u32>,
    /// The names of `alloca` results.
    pub allocas: BTreeSet<String>,
    /// The beginning of the entry block.
    pub entry: String,
    /// The blocks written so far.
    pub blocks: Vec<BasicBlock<'m>>,
    /// The number of edges from one block to another.
    pub edges: BTreeMap<(u32, u32), u32>,
    /// By the block that continues a loop: the loop's header, and its metadata node.
    pub loops: BTreeMap<u32, (u32, String)>,
    next: u32,
    /// True if products and sums may be contracted.
    contract: bool,
}

/// A basic block under construction.
#[derive(Debug)]
pub(crate) struct BasicBlock<'m> {
    pub label: u32,
    pub phis: Vec<Instruction<'m>>,
    pub text: String,
}

impl<'a, 'm> Body<'a, 'm> {
    pub(crate) fn new(module: &'a Tables<'m>, out: &'a mut Output, function: u32) -> Self {
        Self {
            module,
            out,
            values: BTreeMap::new(),
            sampled: BTreeMap::new(),
            packed: BTreeSet::new(),
            allocas: BTreeSet::new(),
            entry: String::new(),
            blocks: Vec::new(),
            edges: BTreeMap::new(),
            loops: BTreeMap::new(),
            next: 0,
            contract: module.contracts(function),
        }
    }

    /// Appends an instruction to the last block.
    pub(crate) fn line(&mut self, text: &str) {
        if let Some(block) = self.blocks.last_mut() {
            block.text.push_str("  ");
            block.text.push_str(text);
            block.text.push('\n');
        }
    }

    /// A new name of a value.
    pub(crate) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%t{}", self.next)
    }

    /// Appends an instruction with a result; returns the result's name.
    pub(crate) fn temp(&mut self, text: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {text}"));
        name
    }

    /// Appends the instruction that computes the result of `i`.
    pub(crate) fn define(&mut self, i: Instruction<'_>, text: &str) {
        let Some(id) = i.result() else { return };
        let name = format!("%v{id}");
        self.line(&format!("{name} = {text}"));
        self.values.insert(id, name);
    }

    /// Sets the LLVM value of the result of `i`.
    pub(crate) fn set(&mut self, i: Instruction<'_>, value: String) {
        if let Some(id) = i.result() {
            self.values.insert(id, value);
        }
    }

    /// Sets the LLVM value of an id.
    pub(crate) fn set_id(&mut self, id: u32, value: String) {
        self.values.insert(id, value);
    }

    /// The LLVM value of an id, without its type.
    pub(crate) fn value(&self, i: Instruction<'_>, id: u32) -> Result<String, Error> {
        if let Some(value) = self.values.get(&id) {
            return Ok(value.clone());
        }
        if let Some(text) = self.module.constant_text(i, id)? {
            return Ok(text);
        }
        if let Some(address) = self.module.address_of(id) {
            return Ok(address);
        }
        Err(i.error(format_args!("id {id} is used before it is defined")))
    }

    /// The LLVM value of an id. A constant sampler becomes a call that makes the sampler.
    pub(crate) fn operand(&mut self, i: Instruction<'_>, id: u32) -> Result<String, Error> {
        if let Some(crate::constants::Constant::Sampler(bits)) = self.module.constants.get(&id) {
            let sampler = crate::types::SAMPLER;
            let declaration =
                format!("declare spir_func {sampler} @__translate_sampler_initializer(i32)");
            self.out.declare("__translate_sampler_initializer", || declaration);
            return Ok(self.temp(&format!(
                "call spir_func {sampler} @__translate_sampler_initializer(i32 {bits})"
            )));
        }
        self.value(i, id)
    }

    /// The LLVM value of an id, with its type in front.
    pub(crate) fn typed(&mut self, i: Instruction<'_>, id: u32) -> Result<String, Error> {
        let ty = self.text(i, self.type_of(i, id)?)?;
        Ok(format!("{ty} {}", self.operand(i, id)?))
    }

    /// The type id of a value.
    pub(crate) fn type_of(&self, i: Instruction<'_>, id: u32) -> Result<u32, Error> {
        self.module.type_of(i, id)
    }

    /// The LLVM type of a type id.
    pub(crate) fn text(&self, i: Instruction<'_>, ty: u32) -> Result<String, Error> {
        self.module.types.text(i, ty).map(str::to_owned)
    }

    /// The LLVM type of the result of `i`.
    pub(crate) fn result_text(&self, i: Instruction<'_>) -> Result<String, Error> {
        self.text(i, i.operand(0)?)
    }

    /// The LLVM type of a value.
    pub(crate) fn value_text(&self, i: Instruction<'_>, id: u32) -> Result<String, Error> {
        self.text(i, self.type_of(i, id)?)
    }

    /// The OpenCL C type of a type id.
    pub(crate) fn c_type(&self, i: Instruction<'_>, ty: u32, signed: bool) -> Result<C, Error> {
        let c = self.module.types.c(ty, signed);
        c.ok_or_else(|| i.error(format_args!("Op{:?} has an operand of a wrong type", i.op)))
    }

    /// The OpenCL C type of a value.
    pub(crate) fn c(&self, i: Instruction<'_>, id: u32, signed: bool) -> Result<C, Error> {
        self.c_type(i, self.type_of(i, id)?, signed)
    }

    /// The OpenCL C type of the result of `i`.
    pub(crate) fn c_result(&self, i: Instruction<'_>, signed: bool) -> Result<C, Error> {
        self.c_type(i, i.operand(0)?, signed)
    }

    /// `size_t`
    pub(crate) fn size_t(&self) -> C {
        C::Int(self.module.options.address_bits, false)
    }

    /// The value of an integer or bool constant; `None` if the id is no such constant.
    pub(crate) fn literal(&self, i: Instruction<'_>, id: u32) -> Option<u64> {
        let ty = self.type_of(i, id).ok()?;
        matches!(self.module.types.get(ty), Some(Type::Int(_) | Type::Bool))
            .then(|| self.module.bits(id))
            .flatten()
    }

    /// Calls a builtin of the library. Returns the result's name; empty for `void`.
    pub(crate) fn call(
        &mut self,
        name: &str,
        ret: &C,
        args: &[(C, String)],
        effects: Effects,
    ) -> String {
        let types: Vec<C> = args.iter().map(|(ty, _)| ty.clone()).collect();
        self.call_named(&mangle(name, &types), ret, args, effects)
    }

    /// Calls a builtin of the library that computes with floats, under the fast-math flags of the
    /// instruction `i`. Returns as [`Self::call`] does.
    pub(crate) fn call_math(
        &mut self,
        i: Instruction<'_>,
        name: &str,
        ret: &C,
        args: &[(C, String)],
        effects: Effects,
    ) -> String {
        let types: Vec<C> = args.iter().map(|(ty, _)| ty.clone()).collect();
        // LLVM accepts the flags only where the result is of floats.
        let flags = if ret.element().is_float() { self.fast(i) } else { String::new() };
        self.call_flagged(&mangle(name, &types), &flags, ret, args, effects)
    }

    /// Calls a function of the library by its mangled name. Returns as [`Self::call`] does.
    pub(crate) fn call_named(
        &mut self,
        name: &str,
        ret: &C,
        args: &[(C, String)],
        effects: Effects,
    ) -> String {
        self.call_flagged(name, "", ret, args, effects)
    }

    /// [`Self::call_named`] with fast-math flags, as [`Self::fast`] writes them.
    fn call_flagged(
        &mut self,
        name: &str,
        flags: &str,
        ret: &C,
        args: &[(C, String)],
        effects: Effects,
    ) -> String {
        let group = effects.group();
        let extension = ret.extension();
        let result = ret.llvm();
        let global = global_name(name);
        self.out.declare(name, || {
            let types: Vec<String> = args
                .iter()
                .map(|(ty, _)| format!("{} {}", ty.llvm(), ty.extension()).trim_end().to_owned())
                .collect();
            format!("declare spir_func {extension}{result} {global}({}) #{group}", types.join(", "))
        });
        let values: Vec<String> = args
            .iter()
            .map(|(ty, value)| format!("{} {}{value}", ty.llvm(), ty.extension()))
            .collect();
        let text = format!(
            "call {flags}spir_func {extension}{result} {global}({}) #{group}",
            values.join(", ")
        );
        if *ret == C::Void {
            self.line(&text);
            String::new()
        } else {
            self.temp(&text)
        }
    }

    /// Calls an LLVM intrinsic. Returns as [`Self::call`] does.
    pub(crate) fn intrinsic(&mut self, name: &str, ret: &str, args: &[(&str, &str)]) -> String {
        self.out.declare(name, || {
            let types: Vec<&str> = args.iter().map(|(ty, _)| *ty).collect();
            format!("declare {ret} @{name}({})", types.join(", "))
        });
        let values: Vec<String> = args.iter().map(|(ty, value)| format!("{ty} {value}")).collect();
        let text = format!("call {ret} @{name}({})", values.join(", "));
        if ret == "void" {
            self.line(&text);
            String::new()
        } else {
            self.temp(&text)
        }
    }

    /// Allocates stack memory in the entry block; returns its address.
    pub(crate) fn alloca(&mut self, ty: &str, align: u64) -> String {
        let name = self.fresh();
        self.entry.push_str(&format!("  {name} = alloca {ty}, align {align}\n"));
        name
    }

    /// Truncates or extends an integer of `from` bits to `to` bits.
    pub(crate) fn resize(&mut self, value: &str, from: u32, to: u32, signed: bool) -> String {
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => value.to_owned(),
            std::cmp::Ordering::Greater => self.temp(&format!("trunc i{from} {value} to i{to}")),
            std::cmp::Ordering::Less => self.temp(&format!(
                "{} i{from} {value} to i{to}",
                if signed { "sext" } else { "zext" }
            )),
        }
    }

    /// An integer scalar, truncated or extended to `to` bits.
    pub(crate) fn int_as(
        &mut self,
        i: Instruction<'_>,
        id: u32,
        to: u32,
        signed: bool,
    ) -> Result<String, Error> {
        let ty = self.type_of(i, id)?;
        let Some(Type::Int(bits)) = self.module.types.get(ty) else {
            return Err(i.error(format_args!("operand {id} of Op{:?} is no integer", i.op)));
        };
        let bits = *bits;
        let value = self.value(i, id)?;
        Ok(self.resize(&value, bits, to, signed))
    }

    /// A pointer, cast to another address space.
    pub(crate) fn pointer_as(
        &mut self,
        i: Instruction<'_>,
        id: u32,
        space: u32,
    ) -> Result<String, Error> {
        let from = self.module.pointer(i, id)?.1;
        let value = self.value(i, id)?;
        if from == space {
            return Ok(value);
        }
        let (from, to) = (crate::mangle::pointer_text(from), crate::mangle::pointer_text(space));
        Ok(self.temp(&format!("addrspacecast {from} {value} to {to}")))
    }

    /// The fast-math flags of a floating-point instruction, each with a space after it.
    pub(crate) fn fast(&self, i: Instruction<'_>) -> String {
        let mut math = self.module.options.math;
        if self.module.has_mode(ExecutionMode::SignedZeroInfNanPreserve) {
            // The module's execution mode has precedence over the build options.
            math = Math::default();
        }
        let bits = i
            .result()
            .and_then(|id| self.module.decoration_value(id, Decoration::FPFastMathMode))
            .unwrap_or(0);
        let has = |bit: u32| bits & bit != 0;
        let relaxed = math.fast_relaxed || has(0x10);
        let loose = math.unsafe_math || relaxed;
        let mut flags = String::new();
        for (set, name) in [
            (loose || has(0x2_0000), "reassoc "),
            (math.finite || relaxed || has(1), "nnan "),
            (math.finite || relaxed || has(2), "ninf "),
            (math.no_signed_zeros || loose || has(4), "nsz "),
            ((loose && !math.exact_quotients) || has(8), "arcp "),
            (self.contract || loose || has(0x1_0000), "contract "),
            (loose || has(0x4_0000), "afn "),
        ] {
            if set {
                flags.push_str(name);
            }
        }
        flags
    }
}
