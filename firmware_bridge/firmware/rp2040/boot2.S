// The second stage of booting: the mask ROM copies these 252 bytes (and a CRC-32 that make_uf2.py adds) to
// the end of the SRAM and jumps there.  It lets the flash be read as memory with the plain read command
// 0x03, which every serial flash knows, at a quarter of the system clock, and starts the program.
// Datasheet 2.8.1.3 (what the ROM does), 4.10 (the flash interface).
  .syntax unified
  .cpu cortex-m0plus
  .thumb

  .section .boot2, "ax"
  .global boot2
  .thumb_func
boot2:
  ldr r3, =0x18000000   // SSI
  movs r0, #0
  str r0, [r3, #0x08]   // SSIENR: off while it is set up
  movs r0, #4
  str r0, [r3, #0x14]   // BAUDR
  ldr r0, =0x001F0300   // CTRLR0: frames of 32 bits, one data line, send the address and read
  str r0, [r3, #0x00]
  movs r0, #0
  str r0, [r3, #0x04]   // CTRLR1: one frame a read
  ldr r0, =0x03000218   // SPI_CTRLR0: command 0x03 of 8 bits, 24 bits of address
  movs r1, #0xF4
  str r0, [r3, r1]
  movs r0, #1
  str r0, [r3, #0x08]
  ldr r0, =0x10000100   // the vector table
  ldr r1, =0xE000ED08   // VTOR
  str r0, [r1]
  ldmia r0, {r0, r1}    // first stack pointer, first instruction
  msr msp, r0
  bx r1
  .align 2
  .pool
