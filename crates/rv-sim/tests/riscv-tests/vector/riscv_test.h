/* Environment of the first stage of riscv-vector-tests (docs/howto/riscv-tests.md). Its programs
   have no expected results: `.word` marks, by an instruction for a changed Spike, the registers
   that hold one. The build changes `.word` to RESULT, which adds these registers, vxsat if the
   instruction is about saturation, and fflags to the signature. Needs -DVLEN=BITS. */

#ifndef MUXCL_VECTOR_RISCV_TEST_H
#define MUXCL_VECTOR_RISCV_TEST_H

#include "../model_test.h"

#define TESTNUM gp

#define RVTEST_RV32U
#define RVTEST_RV32UV
#define RVTEST_RV32UVX
#define RVTEST_RV64U
#define RVTEST_RV64UV
#define RVTEST_RV64UVX

#define RVTEST_CODE_BEGIN \
    .section .text.init, "ax", @progbits; \
    .globl _start; \
_start: \
    RVMODEL_BOOT \
    li TESTNUM, 0;

#define RVTEST_CODE_END
#define RVTEST_PASS RVMODEL_HALT
#define RVTEST_FAIL ebreak;
#define RVTEST_DATA_BEGIN .balign 16;

/* Some programs store far behind their data, so the signature is not next to it. */
#define RVTEST_DATA_END \
    .space 0x10000; \
result_pointer: \
    .dword begin_signature; \
    RVMODEL_DATA_BEGIN \
    .space result_size; \
    RVMODEL_DATA_END

#if __riscv_xlen == 64
#define RESULT_LOAD ld
#define RESULT_STORE sd
#else
#define RESULT_LOAD lw
#define RESULT_STORE sw
#endif

.set result_size, 0

/* The fields of the word: 15 to 19, the first register; 20, whether vxsat counts; 21 up, the number
   of registers. The programs use t0, t2 and t6 for nothing that lasts. */
.macro RESULT word
    la t2, result_pointer
    RESULT_LOAD t0, 0(t2)
    csrr t6, vlenb
    .set result_register, (\word) >> 15 & 31
    .rept (\word) >> 21 & 15
    .word 0x02828027 | result_register << 7 /* vs1r.v, (t0) */
    add t0, t0, t6
    .set result_register, result_register + 1
    .set result_size, result_size + VLEN / 8
    .endr
    .if (\word) >> 20 & 1
    csrr t6, vxsat
    RESULT_STORE t6, 0(t0)
    addi t0, t0, 8
    .set result_size, result_size + 8
    .endif
    csrr t6, fflags
    RESULT_STORE t6, 0(t0)
    addi t0, t0, 8
    .set result_size, result_size + 8
    RESULT_STORE t0, 0(t2)
.endm

#endif
