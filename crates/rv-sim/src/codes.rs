//! The table of codes, the operations of decoded cells. Invariant: the enumeration of codes, the
//! fusion of pairs (`code.rs`) and the arms of the loop (`run`) are made from this table, so they
//! agree.

/// Calls the macro `$then` with the table. Its sections:
///
/// * `branches`: conditional branches, which end a block.
/// * `terminators`: the other codes that end a block. Each has a function in `run/terminators.rs`.
/// * `frequent`: codes that execute one specific instruction. Each has a function with its name in
///   `run`.
/// * `general`: codes for groups of less frequent instructions, such as all atomics. The cell of
///   such a code holds the whole instruction, and a function in `run/general.rs` interprets it.
/// * `pairs`: codes that execute two frequent instructions of adjacent cells.
/// * `branch_pairs`: codes that execute a frequent instruction and the branch in the next cell.
macro_rules! with_codes {
    ($then:ident) => {
        $then! {
            branches: Beq Bne Blt Bge Bltu Bgeu;
            terminators: Illegal FetchFault Return Break Goto Jal Jalr Csr Ecall Ebreak Wfi FenceI;
            frequent: Nop Li Mv Addi Slti Sltiu Xori Ori Andi Slli Srli Srai
                Add Sub Sll Slt Sltu Xor Srl Sra Or And
                Addiw Slliw Srliw Sraiw Addw Subw Sllw Srlw Sraw
                Mul Mulw Mulhu Div Divu Rem Remu Divw Divuw Remw Remuw
                Sh1add Sh2add Sh3add AddUw Sh1addUw Sh2addUw Sh3addUw SlliUw
                Andn Min Minu Max Maxu SextB SextH ZextH
                Lb Lh Lw Ld Lbu Lhu Lwu Sb Sh Sw Sd Flw Fld Fsw Fsd
                FaddS FsubS FmulS FmaddS FaddD FsubD FmulD FmaddD
                FdivS FsqrtS FmsubS FnmsubS FnmaddS FsgnjS FsgnjnS FsgnjxS FleS FltS FeqS
                FmvXW FmvWX
                FdivD FsqrtD FmsubD FnmsubD FnmaddD FsgnjD FsgnjnD FsgnjxD FleD FltD FeqD;
            general: IntR IntI Float Atomic Vector Fence;
            pairs:
                FmulSFaddS = FmulS + FaddS, FmulSFmulS = FmulS + FmulS, FmulSFsubS = FmulS + FsubS,
                AddiAddi = Addi + Addi, AddiAdd = Addi + Add, AddAdd = Add + Add,
                AddAddi = Add + Addi, SlliAdd = Slli + Add, SlliSrli = Slli + Srli,
                SlliXor = Slli + Xor, SrliXor = Srli + Xor, XorSlli = Xor + Slli,
                XorSrli = Xor + Srli, XorXor = Xor + Xor, AddXor = Add + Xor,
                SrliAdd = Srli + Add, SrliAndi = Srli + Andi, AndiAdd = Andi + Add,
                MulAdd = Mul + Add, AddMul = Add + Mul, MulwAddw = Mulw + Addw,
                AddLd = Add + Ld, AddLw = Add + Lw, AddLbu = Add + Lbu,
                AddiLd = Addi + Ld, AddiLw = Addi + Lw, AddiLbu = Addi + Lbu,
                Sh2addLw = Sh2add + Lw, Sh3addLd = Sh3add + Ld, LdAdd = Ld + Add,
                LdAddi = Ld + Addi, LwAddw = Lw + Addw, LwAddi = Lw + Addi,
                LwLw = Lw + Lw, LdLd = Ld + Ld, LbuAddi = Lbu + Addi,
                SdAddi = Sd + Addi, SwAddi = Sw + Addi, SbAddi = Sb + Addi,
                AddSd = Add + Sd, AddwSw = Addw + Sw, AddwAddi = Addw + Addi,
                AddiSd = Addi + Sd, AddiSw = Addi + Sw, XorLi = Xor + Li,
                LiAdd = Li + Add, AndSubw = And + Subw, XorAnd = Xor + And,
                AndXor = And + Xor, SrliSlli = Srli + Slli;
            branch_pairs:
                AddiBeq = Addi + Beq, AddiBne = Addi + Bne, AddiBlt = Addi + Blt,
                AddiBltu = Addi + Bltu, AddiBge = Addi + Bge, AddiBgeu = Addi + Bgeu,
                AddiwBne = Addiw + Bne, AddiwBlt = Addiw + Blt, AddBne = Add + Bne,
                AddBltu = Add + Bltu, AndiBeq = Andi + Beq, AndiBne = Andi + Bne,
                FleSBeq = FleS + Beq, FleSBne = FleS + Bne,
                FltSBeq = FltS + Beq, FltSBne = FltS + Bne;
        }
    };
}
pub(crate) use with_codes;
