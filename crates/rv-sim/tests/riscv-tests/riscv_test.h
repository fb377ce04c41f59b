/* Environment of the tests in riscv-tests (folder isa) on the machine of muxcl-rv-sim. The machine
   has one privilege level, its floating-point and vector units are always on, and it takes no
   traps: a test ends with `ecall`, a7 = 0, and a0 = 0 or the number of the failing case. */

#ifndef MUXCL_RISCV_TEST_H
#define MUXCL_RISCV_TEST_H

/* The tests keep the number of the running case here. */
#define TESTNUM gp

/* What a test needs of the machine; ours has all of it, and the ELF class tells the width. */
#define RVTEST_RV32U
#define RVTEST_RV32UF
#define RVTEST_RV32UH
#define RVTEST_RV32UV
#define RVTEST_RV64U
#define RVTEST_RV64UF
#define RVTEST_RV64UH
#define RVTEST_RV64UV

#define RVTEST_CODE_BEGIN \
    .section .text.init, "ax", @progbits; \
    .globl _start; \
_start: \
    li TESTNUM, 0;

#define RVTEST_CODE_END

#define RVTEST_PASS \
    li a0, 0; \
    li a7, 0; \
    ecall;

/* A failure before the first case must not look like a pass. */
#define RVTEST_FAIL \
    mv a0, TESTNUM; \
    bnez a0, 991f; \
    li a0, -1; \
991: \
    li a7, 0; \
    ecall;

#define RVTEST_DATA_BEGIN .balign 16;
#define RVTEST_DATA_END .balign 16;

#endif
