// COBS framing with CRC-16, byte by byte, without ever needing a resynchronisation
// command: a zero byte always begins a new frame.
#pragma once
#include <stdint.h>

#include "protocol.h"

namespace frame {

enum class Event : uint8_t { kNone, kFrame, kBad };

class Reader {
 public:
  Event take(uint8_t byte);
  const uint8_t *payload() const { return buffer_; }
  uint8_t size() const { return size_; }  // of the payload, after kFrame
  uint16_t crc() const { return crc_; }   // of the last good frame

 private:
  void push(uint8_t byte);
  Event finish();
  uint8_t buffer_[protocol::kMaxPayload + 2];
  uint8_t fill_ = 0, size_ = 0, left_ = 0, code_ = 0;
  bool begun_ = false, too_long_ = false;
  uint16_t crc_ = 0;
};

uint16_t crc16(const uint8_t *bytes, uint8_t count);

constexpr uint8_t kMaxReply = 44;
// Encodes payload (at most kMaxReply - 5 bytes) into `out` of kMaxReply bytes; returns the length.
uint8_t encode(const uint8_t *payload, uint8_t count, uint8_t *out);

}  // namespace frame
