// What the strip shows: a slot table, one byte a pixel, and the rendering of one
// moment of it with patterns, gamma, brightness and current budget.
#pragma once
#include <stdint.h>

namespace lights {

enum Pattern : uint8_t { kOff, kSteady, kPulse, kBlink, kChase, kBreathe, kPatternCount };

struct Settings {
  uint16_t count;
  uint8_t order;       // index into the six orders, see lights.cpp
  uint8_t brightness;  // 0..255
  uint16_t budget_ma;
  uint8_t channel_ma10;  // one channel at 255, in tenths of a milliampere
  uint8_t idle_ma10;     // one dark pixel, in tenths of a milliampere
};

constexpr uint8_t kOrders = 6;

void darken();  // sends black to the longest strip; needs nothing but zeroed memory
bool configure(const Settings &settings);  // false: out of range, nothing changed
const Settings &settings();
void clear();
// Checks a list of operations, then applies all of them or none.
bool well_formed(const uint8_t *ops, uint8_t size);
void apply(const uint8_t *ops, uint8_t size);
bool animated();
bool power_limited();
// clock: units of 1.024 ms; count: pixels to send, at least settings().count to reach all
void show(uint32_t clock, uint16_t count);

}  // namespace lights
