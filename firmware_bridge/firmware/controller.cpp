#include "controller.h"

#include "board.h"
#include "frame.h"
#include "lights.h"
#include "protocol.h"

namespace controller {

using namespace protocol;

namespace {

constexpr uint32_t kMs = board::kTicksPerSecond / 1000;  // 62 ticks, rounded down
constexpr uint32_t kSilence = 3UL * board::kTicksPerSecond;
constexpr uint32_t kAnimation = board::kTicksPerSecond / 40;
constexpr uint32_t kRefresh = board::kTicksPerSecond;
constexpr uint32_t kButtonSample = 5 * kMs, kButtonRepeat = 100 * kMs;
constexpr uint16_t kLatch = 20;  // 320 us; WS2812B revisions after 2015 want 280

frame::Reader reader;
uint32_t clock_ticks, last_heard, last_shown, last_sample, last_button_sent;
uint16_t last_reading;
bool has_state, configured, may_show;

struct Counters {
  uint16_t frames, bad_frames, naks, duplicates, shown, silences, unsent;
} counters;

uint8_t last_type, last_sequence;
uint16_t last_crc;
bool last_valid;

struct ButtonEvent {
  uint8_t button, pressed;
};
constexpr uint8_t kEvents = 4;
ButtonEvent events[kEvents];
uint8_t event_count, event_number, event_tries;
uint8_t button_state, button_steady[board::kButtons];

void tell_time() {
  uint16_t reading = board::ticks();
  clock_ticks += uint16_t(reading - last_reading);
  last_reading = reading;
}

void send(const uint8_t *payload, uint8_t count) {
  uint8_t out[frame::kMaxReply];
  if (!board::transmit(out, frame::encode(payload, count, out))) ++counters.unsent;
}

void put(uint8_t *at, uint16_t value) {
  at[0] = uint8_t(value);
  at[1] = uint8_t(value >> 8);
}

uint8_t status() {
  return uint8_t((has_state ? kHasState : 0) | (lights::power_limited() ? kPowerLimited : 0) |
                 (lights::animated() ? kAnimating : 0) | (configured ? kConfigured : 0));
}

void acknowledge(uint8_t sequence) {
  uint8_t reply[] = {kAck, sequence, status(), board::survivors.epoch};
  send(reply, sizeof reply);
}

void refuse(uint8_t sequence, uint8_t reason) {
  ++counters.naks;
  uint8_t reply[] = {kNak, sequence, reason};
  send(reply, sizeof reply);
}

// A supply that rises slowly sets the brown-out bit as well: then it was no brown-out.
uint8_t start_cause() {
  uint8_t cause = board::reset_cause();
  return cause & board::kPowerOn ? uint8_t(cause & ~board::kBrownOut) : cause;
}

void hello(uint8_t sequence) {
  uint8_t reply[20] = {kHelloReply, sequence, 'T', 'R', 'L', kVersion, kFirmwareMajor, kFirmwareMinor};
  put(reply + 8, board::kMaxLeds);
  put(reply + 10, lights::settings().count);
  put(reply + 12, kPatterns | kBudget | kGamma | kColourOrder | kButtonsCap);
  reply[14] = kSlots;
  reply[15] = board::kButtons;
  reply[16] = uint8_t(start_cause() | board::survivors.brown_outs << 4);
  reply[17] = board::survivors.epoch;
  put(reply + 18, lights::settings().budget_ma);
  send(reply, sizeof reply);
}

void stats(uint8_t sequence) {
  uint8_t reply[2 + 18] = {kStatsReply, sequence};
  const uint16_t values[] = {counters.frames,     counters.bad_frames, counters.naks,
                             counters.duplicates, board::overruns(),   counters.shown,
                             counters.silences,   counters.unsent,     board::survivors.watchdog_resets};
  for (uint8_t i = 0; i < 9; ++i) put(reply + 2 + 2 * i, values[i]);
  send(reply, sizeof reply);
}

void show(uint16_t count) {
  // the strip takes over what it got only after the line was low long enough
  do tell_time();
  while (clock_ticks - last_shown < kLatch);
  lights::show(clock_ticks >> 6, count);
  tell_time();
  last_shown = clock_ticks;
  ++counters.shown;
}

void show() { show(lights::settings().count); }

uint8_t configure(const uint8_t *body, uint8_t size) {
  if (size != 8) return kMalformed;
  lights::Settings wanted = {uint16_t(body[0] | uint16_t(body[1]) << 8), body[2], body[3],
                             uint16_t(body[4] | uint16_t(body[5]) << 8), body[6], body[7]};
  if (!lights::configure(wanted)) return kOutOfRange;
  configured = true;
  show(board::kMaxLeds);  // pixels beyond a smaller count go dark as well
  return 0;
}

uint8_t update(const uint8_t *body, uint8_t size) {
  if (size < 1) return kMalformed;
  if (!lights::well_formed(body + 1, uint8_t(size - 1))) return kMalformed;
  lights::apply(body + 1, uint8_t(size - 1));
  has_state = true;
  may_show = body[0] & 1;  // half an update is not shown by the next animation step
  if (may_show) show();
  return 0;
}

void drop_event(uint8_t number) {
  if (!event_count || number != event_number) return;
  --event_count;
  for (uint8_t i = 0; i < event_count; ++i) events[i] = events[i + 1];
  ++event_number;
  event_tries = 0;
  last_button_sent = clock_ticks - kButtonRepeat;
}

// The frame's answer: 0 = acknowledge, kNoReply = answered already, else the reason to refuse.
constexpr uint8_t kNoReply = 0xFF;
uint8_t obey(uint8_t type, uint8_t sequence, const uint8_t *body, uint8_t size) {
  switch (type) {
    case kHello:
      if (size != 1) return kMalformed;
      if (body[0] != kVersion) return kWrongVersion;
      hello(sequence);
      return kNoReply;
    case kConfig: return configure(body, size);
    case kUpdate: return update(body, size);
    case kPing: return 0;
    case kStats: stats(sequence); return kNoReply;
    case kButtonAck: drop_event(sequence); return kNoReply;
    default: return kUnknownType;
  }
}

void handle() {
  const uint8_t *payload = reader.payload();
  uint8_t type = payload[0], sequence = payload[1];
  last_heard = clock_ticks;
  // A frame whose acknowledgement was lost comes again: acknowledge, do not repeat it.
  bool changes = type == kUpdate || type == kConfig;
  if (changes && last_valid && type == last_type && sequence == last_sequence && reader.crc() == last_crc) {
    ++counters.duplicates;
    acknowledge(sequence);
    return;
  }
  uint8_t answer = obey(type, sequence, payload + 2, uint8_t(reader.size() - 2));
  if (answer != kNoReply && answer != 0) {
    refuse(sequence, answer);
    return;
  }
  ++counters.frames;
  if (changes) {
    last_valid = true;
    last_type = type;
    last_sequence = sequence;
    last_crc = reader.crc();
  }
  if (answer == 0) acknowledge(sequence);
}

void fall_dark_after_silence() {
  if (!has_state || clock_ticks - last_heard < kSilence) return;
  has_state = last_valid = false;
  may_show = true;
  ++board::survivors.epoch;
  ++counters.silences;
  lights::clear();
  show();
}

void report_buttons() {
  if (!event_count || event_tries >= 20 || clock_ticks - last_button_sent < kButtonRepeat) return;
  uint8_t frame[] = {kButton, event_number, events[0].button, events[0].pressed};
  send(frame, sizeof frame);
  last_button_sent = clock_ticks;
  if (++event_tries == 20) drop_event(event_number);  // nobody listens
}

void sample_buttons() {
  if (clock_ticks - last_sample < kButtonSample) return;
  last_sample = clock_ticks;
  uint8_t raw = board::buttons();
  for (uint8_t b = 0; b < board::kButtons; ++b) {
    uint8_t mask = uint8_t(1 << b);
    bool differs = (raw ^ button_state) & mask;
    button_steady[b] = differs ? uint8_t(button_steady[b] + 1) : 0;
    if (button_steady[b] < 4) continue;  // 20 ms without bouncing
    button_steady[b] = 0;
    button_state ^= mask;
    if (event_count < kEvents) events[event_count++] = {b, uint8_t((button_state & mask) != 0)};
  }
}

void remember_boot() {
  constexpr uint16_t kMagic = 0x7A3D;
  uint8_t cause = start_cause();
  bool kept = board::survivors.magic == kMagic && !(cause & board::kPowerOn);
  if (!kept) board::survivors = {kMagic, 0, 0, 0};
  ++board::survivors.epoch;
  if (cause & board::kWatchdog) ++board::survivors.watchdog_resets;
  if (cause & board::kBrownOut && board::survivors.brown_outs < 15) ++board::survivors.brown_outs;
}

}  // namespace

void start() {
  last_reading = board::ticks();
  remember_boot();
  may_show = true;
  show(board::kMaxLeds);
  last_button_sent = clock_ticks - kButtonRepeat;
  hello(0);
}

void poll() {
  board::feed_watchdog();
  uint8_t byte;
  while (board::receive(byte)) {
    tell_time();
    frame::Event event = reader.take(byte);
    if (event == frame::Event::kFrame) handle();
    if (event == frame::Event::kBad) {
      ++counters.bad_frames;
      refuse(0, kBadFrame);
    }
    board::feed_watchdog();
  }
  tell_time();
  fall_dark_after_silence();
  sample_buttons();
  report_buttons();
  if (may_show && clock_ticks - last_shown >= (lights::animated() ? kAnimation : kRefresh)) show();
  board::sleep();
}

}  // namespace controller
