// RP2040, as on the Raspberry Pi Pico:
//   GP2 (pin 4)            WS2812 data, through the level shifter
//   USB                    the serial port (rp2040/usb_cdc.cpp); no chip in between
//   GP6, GP7 (pins 9, 10)  buttons to ground: confirm, call the arbiter
// One PLL makes 48 MHz for the processor and for USB.  Opening the port does not reset this board; the
// watchdog does, and then the port goes and comes again.
#include "board.h"

#include "rp2040/registers.h"
#include "rp2040/usb_cdc.h"

namespace board {

using namespace rp2040;

Survivors survivors __attribute__((section(".noinit")));

namespace {

constexpr uint8_t kDataPin = 2, kFirstButton = 6;
constexpr uint32_t kAlarmIn = 5000;             // microseconds
constexpr uint32_t kBiteIn = 500 * 1000 * 2;    // the watchdog counts each microsecond twice (RP2040-E1)
constexpr uint32_t kOurRun = 0x54524C52;        // in a scratch register while the program runs

uint8_t cause;

// Crystal 12 MHz; PLL 12 * 100 / 5 / 5 = 48 MHz; the timer's microseconds come from the crystal.
void start_clocks() {
  at(kXoscStartup) = 47;  // a millisecond
  at(kXosc) = kXoscRange;
  set(kXosc, kXoscEnable);
  wait_for(kXoscStatus, kXoscStable);
  at(kClockRef) = kRefFromXosc;
  wait_for(kClockRefSelected, 1u << kRefFromXosc);
  at(kPllUsb) = 1;
  at(kPllFeedback) = 100;
  clear(kPllPower, kPllMainOff | kPllOscillatorOff);
  wait_for(kPllUsb, kPllLocked);
  at(kPllDividers) = 5u << 16 | 5u << 12;
  clear(kPllPower, kPllDividersOff);
  at(kClockSys) = kSysAuxPllUsb;  // first the source, then the switch: only that one is free of glitches
  set(kClockSys, kSysFromAux);
  wait_for(kClockSysSelected, 1u << kSysFromAux);
  at(kClockUsb) = kClockEnable;  // from PLL_USB
  at(kWatchdogTick) = kWatchdogTickEnable | 12;
}

// --- WS2812 by PIO -------------------------------------------------------------------------------------------
// 16 MHz, a bit is 20 steps (1.25 us): high for 5 (312 ns) or 13 (812 ns), the same as on the other board.
// While nothing is left to send, the first instruction waits with the line low.
constexpr uint16_t kProgram[] = {
    0x6621,  // 0: out x, 1     side 0 [6]
    0x1423,  // 1: jmp !x, 3    side 1 [4]
    0x1700,  // 2: jmp 0        side 1 [7]
    0xA742,  // 3: nop          side 0 [7]
};
constexpr uint16_t kSetPinOut = 0xE081;  // set pindirs, 1

void start_pio() {
  for (uint8_t i = 0; i < 4; ++i) at(kPioProgram + 4u * i) = kProgram[i];
  at(kPioDivider) = 3u << 16;
  at(kPioExecution) = 3u << 12;                                                  // wrap from 3 to 0
  at(kPioShift) = 1u << 30 | 24u << 25 | 1u << 17;                               // 8 words; 24 bits each, by themselves
  at(kPioPins) = 1u << 29 | 1u << 26 | uint32_t(kDataPin) << 10 | uint32_t(kDataPin) << 5;
  at(kPioInstruction) = kSetPinOut;
  at(kPio0) = kPioRun | kPioRestart;
  at(gpio_control(kDataPin)) = kFunctionPio0;
  at(kNvicEnable) = 1u << kIrqPio0;
}

// Eight pixels wait in the PIO; the processor sleeps until there is room for one more, or USB wants it.
void send_pixel(const uint8_t *rgb) {
  while (at(kPioStatus) & kPioFull) {
    interrupts_off();
    at(kPioInterruptEnable) = kPioHasRoom;
    wait_for_interrupt();
    interrupts_on();
  }
  at(kPioOut) = uint32_t(rgb[0]) << 24 | uint32_t(rgb[1]) << 16 | uint32_t(rgb[2]) << 8;
}

void until_sent() {
  at(kPioDebug) = kPioStalled;
  wait_for(kPioDebug, kPioStalled);
}

// --- the loader in the mask ROM (2.8.3) -------------------------------------------------------------------------
using Lookup = void *(*)(uint16_t *table, uint32_t code);
using ResetToLoader = void (*)(uint32_t activity_pin, uint32_t disabled);

[[noreturn]] void enter_loader() {
  static const uint8_t black[3] = {0, 0, 0};
  for (uint16_t i = 0; i < kMaxLeds; ++i) send_pixel(black);
  until_sent();
  at(kWatchdogScratch0) = 0;  // what follows is no hang
  uint32_t rom = 0;
  asm volatile("" : "+r"(rom));  // or the compiler calls reading from address 0 a mistake
  auto *pointers = reinterpret_cast<volatile uint16_t *>(rom);
  auto lookup = reinterpret_cast<Lookup>(uint32_t(pointers[0x18 / 2]));
  auto *table = reinterpret_cast<uint16_t *>(uint32_t(pointers[0x14 / 2]));
  reinterpret_cast<ResetToLoader>(lookup(table, 'B' << 8 | 'U'))(0, 0);
  for (;;) {
  }
}

}  // namespace

// Also what comes before it: the reset lines, and clocks without which a bit has no length.
void hold_line_low() {
  constexpr uint32_t needed = kResetIo | kResetPads | kResetPio0 | kResetPllUsb | kResetTimer;
  clear(kResets, needed);
  wait_for(kResetDone, needed);
  at(kGpioOutClear) = 1u << kDataPin;
  at(kGpioOeSet) = 1u << kDataPin;
  at(gpio_control(kDataPin)) = kFunctionSio;
  start_clocks();
  start_pio();
}

void start() {
  bool bitten = at(kWatchdogReason) != 0 && at(kWatchdogScratch0) == kOurRun;
  cause = bitten ? kWatchdog : at(kChipReset) & kHadRun ? kExternal : kPowerOn;
  at(kWatchdogScratch0) = kOurRun;
  for (uint8_t b = 0; b < kButtons; ++b) {
    at(pad(uint8_t(kFirstButton + b))) = kPadInput | kPadPullUp | kPadSchmitt | kPadDrive4mA;
    at(gpio_control(uint8_t(kFirstButton + b))) = kFunctionSio;
  }
  at(kTimerInterruptEnable) = 1;
  usb::start();
  at(kNvicEnable) = 1u << kIrqTimer0 | 1u << kIrqUsb;
  at(kPowerWatchdogSelect) = 0x1FFFC;  // the watchdog resets everything but the oscillators
  feed_watchdog();
  set(kWatchdogControl, kWatchdogEnable);
  interrupts_on();
}

uint8_t reset_cause() { return cause; }

uint16_t ticks() { return uint16_t(at(kTimerNow) >> 4); }

void feed_watchdog() { at(kWatchdogLoad) = kBiteIn; }

bool receive(uint8_t &byte) { return usb::receive(byte); }

bool transmit(const uint8_t *bytes, uint8_t count) { return usb::transmit(bytes, count); }

uint16_t overruns() { return 0; }  // a host waits until there is room

uint8_t buttons() { return uint8_t(~at(kGpioIn) >> kFirstButton) & 3; }

void sleep() {
  if (usb::loader_wanted()) enter_loader();
  interrupts_off();
  if (!usb::anything_received()) {
    at(kTimerAlarm0) = at(kTimerNow) + kAlarmIn;
    wait_for_interrupt();  // wakes although interrupts are off, so that none slips in before it
  }
  interrupts_on();
}

void show(const uint8_t *offsets, uint16_t count, const uint8_t *table) {
  if (!count) return;
  for (uint16_t i = 0; i < count; ++i) send_pixel(table + offsets[i]);
  until_sent();
}

}  // namespace board

extern "C" void timer_woke() { rp2040::at(rp2040::kTimerInterrupt) = 1; }
extern "C" void pio_has_room() { rp2040::at(rp2040::kPioInterruptEnable) = 0; }
