// What the controller needs from a board.  A port to another microcontroller
// implements this header in one file and touches nothing else.
#pragma once
#include <stdint.h>

// Constant tables: on an AVR they must be read from flash by a special instruction.
#ifdef __AVR__
#include <avr/pgmspace.h>
#define BOARD_IN_FLASH PROGMEM
#define BOARD_FLASH_BYTE(place) pgm_read_byte(&(place))
#else
#define BOARD_IN_FLASH
#define BOARD_FLASH_BYTE(place) (place)
#endif

namespace board {

constexpr uint16_t kMaxLeds = 300;
constexpr uint8_t kButtons = 2;
constexpr uint16_t kTicksPerSecond = 62500;  // ticks() advances every 16 us

enum ResetCause : uint8_t { kPowerOn = 1, kExternal = 2, kBrownOut = 4, kWatchdog = 8 };

// Facts that outlive a reset but not a power cut; checked by `magic`.
struct Survivors {
  uint16_t magic;
  uint8_t epoch;
  uint8_t watchdog_resets;
  uint8_t brown_outs;
};
extern Survivors survivors;

void hold_line_low();          // first call of all: LED data line to 0 V
void start();                  // serial port, clock, buttons, watchdog, interrupts on
uint8_t reset_cause();         // bits of ResetCause
uint16_t ticks();              // free running, wraps after 1.048 s
void feed_watchdog();
bool receive(uint8_t &byte);   // next byte from the host, false if there is none
bool transmit(const uint8_t *bytes, uint8_t count);  // all or nothing, never waits
uint16_t overruns();           // bytes that the hardware lost
uint8_t buttons();             // one bit a button, 1 = pressed now (bouncing)
void sleep();                  // until a byte arrives or at most 5 ms
// Clocks `count` pixels out: pixel i is the three bytes at table + offsets[i].
// `offsets` must have one readable byte after the last pixel.
void show(const uint8_t *offsets, uint16_t count, const uint8_t *table);

}  // namespace board
