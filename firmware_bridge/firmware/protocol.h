// The wire between host and controller; `firmware_bridge/protocol.py` says the same
// in Python, and a test holds the two together.
//
// A frame is COBS(payload, CRC-16) 0x00.  CRC-16/IBM-3740 (polynomial 0x1021, start
// 0xFFFF) over the payload, low byte first.  payload = type, sequence, body.
// Numbers of two bytes are little-endian.
#pragma once
#include <stdint.h>

namespace protocol {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kFirmwareMajor = 1, kFirmwareMinor = 1;
constexpr uint8_t kMaxPayload = 158;  // without the CRC
constexpr uint8_t kSlots = 32;        // slot 0 is always dark

enum FromHost : uint8_t {
  kHello = 0x01,      // body: version
  kConfig = 0x02,     // count16, order, brightness, budget_mA16, channel_mA*10, idle_mA*10
  kUpdate = 0x03,     // flags (bit 0: show now), then operations
  kPing = 0x04,       // nothing
  kStats = 0x05,      // nothing
  kButtonAck = 0x06,  // event number; is not acknowledged itself
};

enum Operation : uint8_t {
  kOpSlot = 0x01,   // slot, r, g, b, pattern
  kOpFill = 0x02,   // start16, count16, value
  kOpCopy = 0x03,   // start16, count8, value...
  kOpClear = 0x04,  // all pixels dark
};
// value of a pixel: slot << 3 | chase phase (0..7)

enum FromController : uint8_t {
  kHelloReply = 0x81,
  kAck = 0x82,    // status bits, epoch
  kNak = 0x83,    // reason
  kStatsReply = 0x84,
  kButton = 0x85,  // sequence = event number; button, pressed
};

enum Status : uint8_t {
  kHasState = 1,      // an update was taken since the last time everything went dark by itself
  kPowerLimited = 2,  // the budget dims what is shown
  kAnimating = 4,
  kConfigured = 8,
};

enum Reason : uint8_t { kBadFrame = 1, kMalformed = 2, kUnknownType = 3, kOutOfRange = 4, kWrongVersion = 5 };

enum Capability : uint16_t { kPatterns = 1, kBudget = 2, kGamma = 4, kColourOrder = 8, kButtonsCap = 16 };

}  // namespace protocol
