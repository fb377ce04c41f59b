/* The machine of muxcl-rv-sim as a target of riscv-arch-test, frameworks 2 and 3. A test leaves
   its results between `begin_signature` and `end_signature` and ends with `ecall`, a7 = 0, a0 = 0.

   The same ELF runs on QEMU's `virt` machine. There the `ecall` traps to `muxcl_trap`, which writes
   the signature and then the low byte of `mcause` (11 for this `ecall`) to the serial port and
   switches the machine off. So QEMU can make a reference signature. */

#ifndef MUXCL_MODEL_TEST_H
#define MUXCL_MODEL_TEST_H

/* The trap vector, and the units that QEMU has switched off at reset (mstatus.FS and .VS). The
   machine of muxcl-rv-sim only stores these registers. */
#define RVMODEL_BOOT \
    la t0, muxcl_trap; \
    csrw mtvec, t0; \
    li t0, 0x6600; \
    csrs mstatus, t0;

#define RVMODEL_HALT \
    li a7, 0; \
    li a0, 0; \
    ecall; \
    .balign 4; \
muxcl_trap: \
    la t0, begin_signature; \
    la t1, end_signature; \
    li t2, 0x10000000; /* the serial port: data, and the line status at 5 */ \
991: \
    lbu t3, 5(t2); \
    andi t3, t3, 0x20; /* it takes a byte */ \
    beqz t3, 991b; \
    beq t0, t1, 992f; \
    lbu t3, 0(t0); \
    sb t3, 0(t2); \
    addi t0, t0, 1; \
    j 991b; \
992: \
    csrr t3, mcause; \
    sb t3, 0(t2); \
    li t2, 0x100000; /* the power switch */ \
    li t3, 0x5555; \
    sw t3, 0(t2); \
993: \
    j 993b;

#define RVMODEL_DATA_BEGIN \
    .balign 16; \
    .globl begin_signature; \
begin_signature:

#define RVMODEL_DATA_END \
    .balign 16; \
    .globl end_signature; \
end_signature:

/* Devices and checks that the machine does not have. */
#define RVMODEL_IO_INIT
#define RVMODEL_IO_WRITE_STR(register, text)
#define RVMODEL_IO_CHECK()
#define RVMODEL_IO_ASSERT_GPR_EQ(scratch, register, value)
#define RVMODEL_IO_ASSERT_SFPR_EQ(register, scratch, value)
#define RVMODEL_IO_ASSERT_DFPR_EQ(register, scratch, value)
#define RVMODEL_SET_MSW_INT
#define RVMODEL_CLEAR_MSW_INT
#define RVMODEL_CLEAR_MTIMER_INT
#define RVMODEL_CLEAR_MEXT_INT

#endif
