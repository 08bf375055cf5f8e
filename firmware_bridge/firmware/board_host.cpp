// The board is a pair of pipes: the portable part of the firmware as a program on
// the developer's machine, built with the address and undefined-behaviour
// sanitizers.  Standard input is the serial line; 16 us pass for each byte and for
// each sleep.  At the end of input it prints its counters and the last picture.
#include "board.h"

#include <cstdio>
#include <cstdlib>

namespace board {

Survivors survivors = {0, 0, 0, 0};

namespace {
uint16_t now;
uint8_t last[3 * kMaxLeds];
uint16_t last_count;
unsigned long received, sent, pictures;
uint8_t ahead[64];  // as much as may wait while a picture is written
size_t ahead_fill, ahead_at;
}  // namespace

void hold_line_low() {}
void start() {}
uint8_t reset_cause() { return kPowerOn; }
uint16_t ticks() { return ++now; }
void feed_watchdog() {}
uint16_t overruns() { return 0; }
uint8_t buttons() { return uint8_t(received >> 12 & 3); }

bool receive(uint8_t &byte) {
  if (ahead_at == ahead_fill) {
    ahead_fill = fread(ahead, 1, 1 + received % sizeof ahead, stdin);
    ahead_at = 0;
    if (!ahead_fill) {
      printf("received %lu sent %lu pictures %lu last", received, sent, pictures);
      for (uint16_t i = 0; i < 3 * last_count; ++i) printf(" %u", last[i]);
      printf("\n");
      exit(0);
    }
    if (received % 5 == 0) return false;  // now and then nothing has come yet
  }
  byte = ahead[ahead_at++];
  ++received;
  return true;
}

bool transmit(const uint8_t *bytes, uint8_t count) {
  sent += count;
  return bytes[count - 1] == 0;
}

void sleep() { now = uint16_t(now + 300); }

void show(const uint8_t *offsets, uint16_t count, const uint8_t *table) {
  if (count > kMaxLeds) abort();
  ++pictures;
  last_count = count;
  for (uint16_t i = 0; i < count; ++i)
    for (uint8_t c = 0; c < 3; ++c) last[3 * i + c] = table[offsets[i] + c];
  volatile uint8_t one_ahead = offsets[count];  // as the strip driver of a real board
  (void)one_ahead;
}

}  // namespace board
