// Registers of the RP2040 that the firmware uses.  Names, addresses and bits: RP2040 datasheet
// (RP-008371-DS), chapters 2.14 to 2.19 (reset, clocks, GPIO), 3.7 (PIO), 4.1 (USB), 4.6 (timer), 4.7 (watchdog).
#pragma once
#include <stdint.h>

namespace rp2040 {

using Register = volatile uint32_t;
inline Register &at(uint32_t address) { return *reinterpret_cast<Register *>(address); }
// Peripherals (not SIO) have aliases that change single bits without a read (2.1.2).
inline void set(uint32_t address, uint32_t bits) { at(address + 0x2000) = bits; }
inline void clear(uint32_t address, uint32_t bits) { at(address + 0x3000) = bits; }
inline void wait_for(uint32_t address, uint32_t bits) {
  while ((at(address) & bits) != bits) {
  }
}

inline void interrupts_off() { asm volatile("cpsid i" ::: "memory"); }
inline void interrupts_on() { asm volatile("cpsie i" ::: "memory"); }
inline void wait_for_interrupt() { asm volatile("dsb \n\t wfi" ::: "memory"); }

constexpr uint32_t kSio = 0xD0000000, kGpioIn = kSio + 0x04, kGpioOutClear = kSio + 0x18, kGpioOeSet = kSio + 0x24;
inline uint32_t gpio_control(uint8_t pin) { return 0x40014004u + 8u * pin; }
inline uint32_t pad(uint8_t pin) { return 0x4001C004u + 4u * pin; }
constexpr uint32_t kFunctionSio = 5, kFunctionPio0 = 6, kFunctionNone = 31;
constexpr uint32_t kPadSchmitt = 1u << 1, kPadPullUp = 1u << 3, kPadDrive4mA = 1u << 4, kPadInput = 1u << 6;

constexpr uint32_t kResets = 0x4000C000, kResetDone = kResets + 8;
constexpr uint32_t kResetIo = 1u << 5, kResetPads = 1u << 8, kResetPio0 = 1u << 10, kResetPllUsb = 1u << 13,
                   kResetTimer = 1u << 21, kResetUsb = 1u << 24;

constexpr uint32_t kXosc = 0x40024000, kXoscStatus = kXosc + 0x04, kXoscStartup = kXosc + 0x0C;
constexpr uint32_t kXoscRange = 0xAA0, kXoscEnable = 0xFABu << 12, kXoscStable = 1u << 31;

constexpr uint32_t kPllUsb = 0x4002C000, kPllPower = kPllUsb + 4, kPllFeedback = kPllUsb + 8, kPllDividers = kPllUsb + 12;
constexpr uint32_t kPllLocked = 1u << 31, kPllMainOff = 1u << 0, kPllDividersOff = 1u << 3, kPllOscillatorOff = 1u << 5;

constexpr uint32_t kClocks = 0x40008000;
constexpr uint32_t kClockRef = kClocks + 0x30, kClockRefSelected = kClocks + 0x38;
constexpr uint32_t kClockSys = kClocks + 0x3C, kClockSysSelected = kClocks + 0x44;
constexpr uint32_t kClockUsb = kClocks + 0x54;
constexpr uint32_t kRefFromXosc = 2, kSysFromAux = 1, kSysAuxPllUsb = 1u << 5, kClockEnable = 1u << 11;

constexpr uint32_t kTimer = 0x40054000, kTimerAlarm0 = kTimer + 0x10, kTimerNow = kTimer + 0x28,
                   kTimerInterrupt = kTimer + 0x34, kTimerInterruptEnable = kTimer + 0x38;

constexpr uint32_t kWatchdogControl = 0x40058000, kWatchdogLoad = kWatchdogControl + 4,
                   kWatchdogReason = kWatchdogControl + 8, kWatchdogScratch0 = kWatchdogControl + 0x0C,
                   kWatchdogTick = kWatchdogControl + 0x2C;
constexpr uint32_t kWatchdogEnable = 1u << 30, kWatchdogTickEnable = 1u << 9;
constexpr uint32_t kPowerWatchdogSelect = 0x40010008;
constexpr uint32_t kChipReset = 0x40064008, kHadRun = 1u << 16;

constexpr uint32_t kPio0 = 0x50200000, kPioStatus = kPio0 + 4, kPioDebug = kPio0 + 8, kPioOut = kPio0 + 0x10,
                   kPioProgram = kPio0 + 0x48, kPioDivider = kPio0 + 0xC8, kPioExecution = kPio0 + 0xCC,
                   kPioShift = kPio0 + 0xD0, kPioInstruction = kPio0 + 0xD8, kPioPins = kPio0 + 0xDC,
                   kPioInterruptEnable = kPio0 + 0x12C;
constexpr uint32_t kPioFull = 1u << 16, kPioHasRoom = 1u << 4, kPioStalled = 1u << 24, kPioRun = 1u << 0, kPioRestart = 1u << 4;

constexpr uint32_t kNvicEnable = 0xE000E100;
constexpr uint8_t kIrqTimer0 = 0, kIrqUsb = 5, kIrqPio0 = 7;

}  // namespace rp2040
