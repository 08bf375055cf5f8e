#include "frame.h"

namespace frame {

uint16_t crc16(const uint8_t *bytes, uint8_t count) {
  uint16_t crc = 0xFFFF;
  while (count--) {
    // a byte at a time: the polynomial 0x1021 has its taps at 12, 5 and 0
    uint8_t x = uint8_t(crc >> 8) ^ *bytes++;
    x ^= uint8_t(x >> 4);
    crc = uint16_t(crc << 8) ^ uint16_t(uint16_t(x) << 12) ^ uint16_t(uint16_t(x) << 5) ^ x;
  }
  return crc;
}

void Reader::push(uint8_t byte) {
  if (fill_ < sizeof buffer_)
    buffer_[fill_++] = byte;
  else
    too_long_ = true;
}

Event Reader::finish() {
  bool begun = begun_, whole = left_ == 0 && !too_long_;
  uint8_t fill = fill_;
  fill_ = left_ = 0;
  begun_ = too_long_ = false;
  if (!begun) return Event::kNone;  // a second zero between frames is no fault
  if (!whole || fill < 4) return Event::kBad;
  size_ = uint8_t(fill - 2);
  uint16_t sent = uint16_t(buffer_[size_] | uint16_t(buffer_[size_ + 1]) << 8);
  if (crc16(buffer_, size_) != sent) return Event::kBad;
  crc_ = sent;
  return Event::kFrame;
}

Event Reader::take(uint8_t byte) {
  if (byte == 0) return finish();
  if (left_) {
    push(byte);
    --left_;
    return Event::kNone;
  }
  if (begun_ && code_ != 0xFF) push(0);
  begun_ = true;
  code_ = byte;
  left_ = uint8_t(byte - 1);
  return Event::kNone;
}

uint8_t encode(const uint8_t *payload, uint8_t count, uint8_t *out) {
  uint16_t crc = crc16(payload, count);
  uint8_t total = uint8_t(count + 2), code_at = 0, at = 1;
  for (uint8_t i = 0; i < total; ++i) {
    uint8_t byte = i < count ? payload[i] : i == count ? uint8_t(crc) : uint8_t(crc >> 8);
    if (byte) {
      out[at++] = byte;
    } else {
      out[code_at] = uint8_t(at - code_at);
      code_at = at++;
    }
  }
  out[code_at] = uint8_t(at - code_at);
  out[at++] = 0;
  return at;
}

}  // namespace frame
