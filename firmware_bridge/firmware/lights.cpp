#include "lights.h"

#include "board.h"
#include "gamma_table.h"
#include "protocol.h"

namespace lights {

using namespace protocol;

namespace {

struct Slot {
  uint8_t rgb[3];
  uint8_t pattern;
};

Slot slots[kSlots];
uint8_t pixels[board::kMaxLeds];
uint8_t offsets[board::kMaxLeds + 1];  // into `table`; the strip driver reads one ahead
constexpr uint8_t kGlow = 3 * kSlots;  // second half of the table: afterglow of a chase
uint8_t table[6 * kSlots];
Settings now = {board::kMaxLeds, 0, 128, 400, 200, 10};
uint16_t scale = 256;  // of the budget, 256 = not dimmed
bool changed, moving;
uint32_t in_use;  // one bit a slot

// place of red, green, blue on the wire: GRB, RGB, BRG, RBG, GBR, BGR
const uint8_t kOrder[kOrders][3] BOARD_IN_FLASH = {{1, 0, 2}, {0, 1, 2}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {2, 1, 0}};

constexpr uint16_t kBlinkPeriod = 1000, kPulsePeriod = 1500, kBreathePeriod = 4000, kChaseStep = 125;
constexpr uint8_t kGlowLevel = 96;

uint8_t scaled(uint8_t value, uint8_t by) { return uint8_t(uint16_t(value) * (by + 1u) >> 8); }

uint8_t channel(uint8_t value, uint8_t level) {
  return scaled(BOARD_FLASH_BYTE(kGammaTable[scaled(value, level)]), now.brightness);
}

uint8_t budgeted(uint8_t value) { return uint8_t(uint16_t(value * scale) >> 8); }  // at most 255 * 256

uint8_t pulse_level(uint32_t clock) { return uint8_t(255 - clock % kPulsePeriod * 207 / kPulsePeriod); }

uint8_t breathe_level(uint32_t clock) {
  uint16_t at = uint16_t(clock % kBreathePeriod);
  uint32_t rise = uint32_t(at < kBreathePeriod / 2 ? at : kBreathePeriod - at) * 255 / (kBreathePeriod / 2);
  uint32_t smooth = rise * rise * (765 - 2 * rise) / 65025;
  return uint8_t(40 + smooth * 215 / 255);
}

uint8_t level_of(uint8_t pattern, uint32_t clock) {
  switch (pattern) {
    case kOff: return 0;
    case kPulse: return pulse_level(clock);
    case kBlink: return clock % kBlinkPeriod < kBlinkPeriod / 2 ? 255 : 0;
    case kBreathe: return breathe_level(clock);
    default: return 255;  // steady, and the bright pixel of a chase
  }
}

// The budget looks at what the patterns reach at their brightest, so that a
// steady light does not flicker because another one pulses.
void weigh() {
  uint16_t used[kSlots] = {};
  for (uint16_t i = 0; i < now.count; ++i) ++used[pixels[i] >> 3];
  uint32_t total = 0;
  moving = false;
  in_use = 0;
  for (uint8_t s = 1; s < kSlots; ++s) {
    if (!used[s] || slots[s].pattern == kOff) continue;
    moving |= slots[s].pattern != kSteady;
    in_use |= 1UL << s;
    uint16_t sum = 0;
    for (uint8_t c = 0; c < 3; ++c) sum += channel(slots[s].rgb[c], 255);
    total += uint32_t(sum) * used[s];
  }
  uint32_t idle = (uint32_t(now.count) * now.idle_ma10 + 9) / 10;
  uint32_t limit = now.budget_ma > idle ? (now.budget_ma - idle) * 2550 / now.channel_ma10 : 0;
  scale = total > limit ? uint16_t(limit * 256 / total) : 256;
}

void fill_table(uint32_t clock) {
  uint8_t levels[kPatternCount];
  for (uint8_t p = 0; p < kPatternCount; ++p) levels[p] = level_of(p, clock);
  uint32_t use = in_use;
  for (uint8_t s = 1; use >>= 1; ++s) {
    if (!(use & 1)) continue;
    uint8_t level = levels[slots[s].pattern];
    for (uint8_t c = 0; c < 3; ++c) {
      uint8_t at = uint8_t(3 * s + BOARD_FLASH_BYTE(kOrder[now.order][c]));
      uint8_t value = slots[s].rgb[c];
      table[at] = budgeted(channel(value, level));
      if (slots[s].pattern == kChase) table[kGlow + at] = budgeted(channel(value, kGlowLevel));
    }
  }
}

void fill_offsets(uint32_t clock) {
  uint8_t step = uint8_t(clock / kChaseStep);
  for (uint16_t i = 0; i < now.count; ++i) {
    uint8_t value = pixels[i], slot = value >> 3, offset = uint8_t(3 * slot);
    if (slots[slot].pattern == kChase) {
      uint8_t behind = uint8_t(step - value) & 3;  // the low bits of value are its phase
      if (behind) offset = behind == 1 ? uint8_t(offset + kGlow) : 0;
    }
    offsets[i] = offset;
  }
}

uint16_t word_at(const uint8_t *at) { return uint16_t(at[0] | uint16_t(at[1]) << 8); }

// Size of the operation at `op` with `left` bytes to the end; 0 if it is not well formed.
uint8_t size_of(const uint8_t *op, uint8_t left) {
  switch (op[0]) {
    case kOpClear: return 1;
    case kOpSlot: return left >= 6 && op[1] && op[1] < kSlots && op[5] < kPatternCount ? 6 : 0;
    case kOpFill:
      if (left < 6 || word_at(op + 1) > now.count) return 0;
      return word_at(op + 3) <= now.count - word_at(op + 1) ? 6 : 0;
    case kOpCopy:
      if (left < 4 || op[3] > left - 4 || word_at(op + 1) > now.count) return 0;
      return op[3] <= now.count - word_at(op + 1) ? uint8_t(4 + op[3]) : 0;
    default: return 0;
  }
}

void apply_one(const uint8_t *op) {
  uint8_t *at = pixels + word_at(op + 1);
  switch (op[0]) {
    case kOpSlot: {
      Slot &slot = slots[op[1]];
      for (uint8_t c = 0; c < 3; ++c) slot.rgb[c] = op[2 + c];
      slot.pattern = op[5];
      break;
    }
    case kOpFill:
      for (uint16_t n = word_at(op + 3); n; --n) *at++ = op[5];
      break;
    case kOpCopy:
      for (uint8_t i = 0; i < op[3]; ++i) *at++ = op[4 + i];
      break;
    default:
      clear();
  }
}

}  // namespace

const Settings &settings() { return now; }

void darken() { board::show(offsets, board::kMaxLeds, table); }

bool configure(const Settings &wanted) {
  if (!wanted.count || wanted.count > board::kMaxLeds || wanted.order >= kOrders || !wanted.channel_ma10) return false;
  now = wanted;
  for (uint16_t i = now.count; i < board::kMaxLeds; ++i) pixels[i] = offsets[i] = 0;
  changed = true;
  return true;
}

void clear() {
  for (uint16_t i = 0; i < board::kMaxLeds; ++i) pixels[i] = 0;
  changed = true;
}

bool well_formed(const uint8_t *ops, uint8_t size) {
  while (size) {
    uint8_t used = size_of(ops, size);
    if (!used) return false;
    ops += used;
    size = uint8_t(size - used);
  }
  return true;
}

void apply(const uint8_t *ops, uint8_t size) {
  while (size) {
    uint8_t used = size_of(ops, size);
    apply_one(ops);
    ops += used;
    size = uint8_t(size - used);
  }
  changed = true;
}

bool animated() { return moving; }

bool power_limited() { return scale < 256; }

void show(uint32_t clock, uint16_t count) {
  if (changed) weigh();
  changed = false;
  fill_table(clock);
  fill_offsets(clock);
  board::show(offsets, count, table);
}

}  // namespace lights
