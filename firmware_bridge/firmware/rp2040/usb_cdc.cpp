// A CDC ACM device on the RP2040's own controller (datasheet 4.1).  Everything here runs in the interrupt,
// except what is said to be called from the program; those turn the interrupt off where both write.
//
// A buffer belongs to the controller from the moment when its AVAILABLE bit is set until BUFF_STATUS says that
// it is through.  A packet that comes while the ring of received bytes has no room stays with the host, which
// is told to wait: nothing that was sent is ever lost.
#include "usb_cdc.h"

#include "registers.h"
#include "usb_descriptors.h"

namespace usb {

using namespace rp2040;

namespace {

constexpr uint32_t kMemory = 0x50100000, kBase = 0x50110000;
constexpr uint32_t kAddress = kBase, kMain = kBase + 0x40, kControl = kBase + 0x4C, kStatus = kBase + 0x50,
                   kBufferStatus = kBase + 0x58, kStallArm = kBase + 0x68, kMuxing = kBase + 0x74, kPower = kBase + 0x78,
                   kInterruptEnable = kBase + 0x90, kInterruptStatus = kBase + 0x98;
constexpr uint32_t kPullUp = 1u << 16, kEndpoint0Interrupt = 1u << 29;
constexpr uint32_t kOnBuffer = 1u << 4, kOnBusReset = 1u << 12, kOnSetup = 1u << 16;
constexpr uint32_t kStatusSetup = 1u << 17, kStatusBusReset = 1u << 19;
constexpr uint32_t kFull = 1u << 15, kData1 = 1u << 13, kStall = 1u << 11, kAvailable = 1u << 10, kLength = 0x3FF;
constexpr uint32_t kEndpointOn = 1u << 31, kEndpointInterrupt = 1u << 29, kBulk = 2u << 26, kInterruptType = 3u << 26;

// Places in the controller's memory: setup packet, controls, and a buffer for each endpoint that has one.
constexpr uint32_t kSetupPacket = kMemory, kBuffer0 = kMemory + 0x100, kNotifyBuffer = 0x180, kInBuffer = 0x1C0,
                   kOutBuffer = 0x200;
inline uint32_t endpoint_control(uint8_t endpoint, bool out) { return kMemory + 8u * endpoint + (out ? 4 : 0); }
inline uint32_t buffer_control(uint8_t endpoint, bool out) { return kMemory + 0x80 + 8u * endpoint + (out ? 4 : 0); }
inline uint32_t done_bit(uint8_t endpoint, bool out) { return 1u << (2 * endpoint + (out ? 1 : 0)); }

enum Request : uint16_t {  // type << 8 | request
  kGetStatusDevice = 0x8000, kGetStatusInterface = 0x8100, kGetStatusEndpoint = 0x8200,
  kClearFeatureEndpoint = 0x0201, kSetAddress = 0x0005, kGetDescriptor = 0x8006,
  kGetConfiguration = 0x8008, kSetConfiguration = 0x0009, kGetInterface = 0x810A, kSetInterface = 0x010B,
  kSetLineCoding = 0x2120, kGetLineCoding = 0xA121, kSetControlLines = 0x2122, kSendBreak = 0x2123,
};

// --- the two rings; sizes are powers of two ----------------------------------------------------------------
constexpr uint16_t kReceiveSize = 1024, kSendSize = 512;
uint8_t received[kReceiveSize];
uint8_t to_send[kSendSize];
volatile uint16_t received_head, received_tail, send_head, send_tail;

uint16_t received_count() { return uint16_t(received_head - received_tail); }
uint16_t send_count() { return uint16_t(send_head - send_tail); }

// --- state ---------------------------------------------------------------------------------------------------
const uint8_t *answer;      // what is left to send on endpoint 0
uint16_t answer_left;
bool answer_ends_short;     // a packet of no bytes follows, since the host asked for more
bool status_next, coding_next;
uint8_t address_next, configuration;
uint32_t toggle_0;          // of the next packet on endpoint 0
uint32_t toggle_in, toggle_out;
bool sending;               // the data endpoint's IN buffer is with the controller
bool receiving;             // its OUT buffer is
volatile bool port_open, wants_loader;
uint8_t line_coding[7] = {0x90, 0xD0, 0x03, 0, 0, 0, 8};  // 250000 baud, 8N1
uint8_t small[2 + 2 * 16];  // an answer that is made, not kept

uint8_t byte_at(uint32_t address) { return *reinterpret_cast<volatile uint8_t *>(address); }
void put_byte(uint32_t address, uint8_t value) { *reinterpret_cast<volatile uint8_t *>(address) = value; }

// Gives a buffer to the controller.  AVAILABLE may only be set once the rest has got there: the two run on
// different clocks (4.1.2.5.1).
void hand_over(uint8_t endpoint, bool out, uint32_t control) {
  Register &place = at(buffer_control(endpoint, out));
  place = control;
  for (uint8_t i = 0; i < 12; ++i) asm volatile("nop");
  place = control | kAvailable;
}

void take_back(uint8_t endpoint) {
  at(buffer_control(endpoint, false)) = 0;
  at(buffer_control(endpoint, true)) = 0;
}

// --- endpoint 0 ------------------------------------------------------------------------------------------------
void send_0(uint16_t count) {
  for (uint16_t i = 0; i < count; ++i) put_byte(kBuffer0 + i, answer[i]);
  hand_over(0, false, kFull | toggle_0 | count);
  toggle_0 ^= kData1;
  answer += count;
  answer_left = uint16_t(answer_left - count);
}

void take_0(uint16_t most) {
  hand_over(0, true, toggle_0 | most);
  toggle_0 ^= kData1;
}

void reply(const uint8_t *bytes, uint16_t count, uint16_t wanted) {
  answer = bytes;
  answer_left = count < wanted ? count : wanted;
  answer_ends_short = answer_left < wanted && answer_left % kPacket == 0;
  status_next = true;
  send_0(answer_left < kPacket ? answer_left : kPacket);
}

void agree() {
  answer_left = 0;
  answer_ends_short = status_next = false;
  toggle_0 = kData1;
  send_0(0);
}

void refuse() {
  at(kStallArm) = 3;
  at(buffer_control(0, false)) = kStall;
  at(buffer_control(0, true)) = kStall;
}

void reply_string(uint8_t number, uint16_t wanted) {
  uint8_t count = 2;
  if (number == 0) {
    small[2] = 0x09;  // English
    small[3] = 0x04;
    count = 4;
  } else {
    for (const char *at = number == 1 ? kMaker : kProduct; *at; ++at) {
      small[count++] = uint8_t(*at);
      small[count++] = 0;
    }
  }
  small[0] = count;
  small[1] = kString;
  reply(small, count, wanted);
}

void reply_descriptor(uint8_t kind, uint8_t number, uint16_t wanted) {
  if (kind == kDevice) return reply(kDeviceDescriptor, sizeof kDeviceDescriptor, wanted);
  if (kind == kConfiguration) return reply(kConfigurationDescriptor, sizeof kConfigurationDescriptor, wanted);
  if (kind == kString && number <= 2) return reply_string(number, wanted);
  refuse();  // a device of full speed has no qualifier
}

// --- the data endpoint -------------------------------------------------------------------------------------------
// Never a whole packet: a host waits for more after one, and a shorter one ends its wait.
void send_data() {
  uint16_t count = send_count();
  if (sending || !configuration || !count) return;
  if (count > kPacket - 1) count = kPacket - 1;
  for (uint16_t i = 0; i < count; ++i) put_byte(kMemory + kInBuffer + i, to_send[uint16_t(send_tail + i) % kSendSize]);
  send_tail = uint16_t(send_tail + count);
  sending = true;
  hand_over(kData, false, kFull | toggle_in | count);
  toggle_in ^= kData1;
}

void take_data() {
  if (receiving || !configuration || kReceiveSize - received_count() < kPacket) return;
  receiving = true;
  hand_over(kData, true, toggle_out | kPacket);
  toggle_out ^= kData1;
}

void keep_data() {
  uint16_t count = uint16_t(at(buffer_control(kData, true)) & kLength);
  if (count > kPacket) count = kPacket;
  uint16_t head = received_head;
  for (uint16_t i = 0; i < count; ++i) received[uint16_t(head + i) % kReceiveSize] = byte_at(kMemory + kOutBuffer + i);
  received_head = uint16_t(head + count);
  receiving = false;
  take_data();
}

void close_port() {
  port_open = false;
  send_tail = send_head;  // nobody is there to read it
}

void configure(uint8_t number) {
  configuration = number;
  close_port();
  take_back(kData);
  sending = receiving = false;
  toggle_in = toggle_out = 0;
  uint32_t on = number ? kEndpointOn | kEndpointInterrupt : 0;
  at(endpoint_control(kNotify, false)) = on ? on | kInterruptType | kNotifyBuffer : 0;
  at(endpoint_control(kData, false)) = on ? on | kBulk | kInBuffer : 0;
  at(endpoint_control(kData, true)) = on ? on | kBulk | kOutBuffer : 0;
  take_data();
}

void set_control_lines(bool terminal_ready) {
  uint32_t baud = line_coding[0] | uint32_t(line_coding[1]) << 8 | uint32_t(line_coding[2]) << 16;
  if (port_open && !terminal_ready && baud == 1200) wants_loader = true;
  if (!terminal_ready) close_port();
  port_open = terminal_ready;
}

// A halted endpoint that is set free begins again with DATA0.  Only the data endpoint is ever asked.
void begin_anew(uint8_t endpoint) {
  if (endpoint == kData) {
    at(buffer_control(kData, true)) = 0;
    receiving = false;
    toggle_out = 0;
    take_data();
  } else if (endpoint == (0x80 | kData)) {
    uint32_t waiting = at(buffer_control(kData, false)) & kLength;
    if (sending) hand_over(kData, false, kFull | waiting);
    toggle_in = sending ? kData1 : 0;
  }
}

// --- requests ------------------------------------------------------------------------------------------------------
void handle_setup() {
  uint8_t setup[8];
  for (uint8_t i = 0; i < 8; ++i) setup[i] = byte_at(kSetupPacket + i);
  uint16_t value = uint16_t(setup[2] | setup[3] << 8), wanted = uint16_t(setup[6] | setup[7] << 8);
  take_back(0);  // whatever was going on is over
  clear(kBufferStatus, done_bit(0, false) | done_bit(0, true));
  toggle_0 = kData1;
  coding_next = status_next = false;
  address_next = 0;
  small[0] = small[1] = 0;
  switch (setup[0] << 8 | setup[1]) {
    case kGetStatusDevice:
    case kGetStatusInterface:
    case kGetStatusEndpoint: return reply(small, 2, wanted);
    case kGetInterface: return reply(small, 1, wanted);
    case kGetConfiguration: return reply(&configuration, 1, wanted);
    case kGetDescriptor: return reply_descriptor(setup[3], setup[2], wanted);
    case kGetLineCoding: return reply(line_coding, sizeof line_coding, wanted);
    case kSetAddress: address_next = uint8_t(value & 0x7F); return agree();
    case kSetConfiguration:
      if (value > 1) return refuse();
      configure(uint8_t(value));
      return agree();
    case kSetInterface:
      return value ? refuse() : agree();
    case kClearFeatureEndpoint: begin_anew(setup[4]); return agree();
    case kSetLineCoding:
      if (wanted != sizeof line_coding) return refuse();
      coding_next = true;
      return take_0(kPacket);
    case kSetControlLines: set_control_lines(value & 1); return agree();
    case kSendBreak: return agree();
    default: refuse();
  }
}

// A packet of ours on endpoint 0 has gone.
void sent_0() {
  if (address_next) {  // counts from the end of the request on
    at(kAddress) = address_next;
    address_next = 0;
  }
  if (answer_left) return send_0(answer_left < kPacket ? answer_left : kPacket);
  if (answer_ends_short) {
    answer_ends_short = false;
    return send_0(0);
  }
  if (!status_next) return;
  status_next = false;
  toggle_0 = kData1;
  take_0(0);  // the host's word that it has got it
}

void taken_0() {
  if (!coding_next) return;
  coding_next = false;
  if ((at(buffer_control(0, true)) & kLength) != sizeof line_coding) return refuse();
  for (uint8_t i = 0; i < sizeof line_coding; ++i) line_coding[i] = byte_at(kBuffer0 + i);
  agree();
}

void handle_bus_reset() {
  at(kAddress) = 0;
  address_next = 0;
  coding_next = status_next = false;
  take_back(0);
  configure(0);
}

}  // namespace

void start() {
  set(kResets, kResetUsb);
  clear(kResets, kResetUsb);
  wait_for(kResetDone, kResetUsb);
  for (uint32_t place = kMemory; place < kMemory + 0x1000; place += 4) at(place) = 0;
  at(kMuxing) = 1u << 0 | 1u << 3;  // to the pins of the USB port, which are driven by us
  at(kPower) = 1u << 3 | 1u << 2;   // there is power, else nothing would run
  at(kMain) = 1;                    // as a device
  at(kControl) = kEndpoint0Interrupt;
  at(kInterruptEnable) = kOnBuffer | kOnBusReset | kOnSetup;
  set(kControl, kPullUp);
}

void interrupt() {
  uint32_t happened = at(kInterruptStatus);
  if (happened & kOnBusReset) {
    clear(kStatus, kStatusBusReset);
    handle_bus_reset();
  }
  if (happened & kOnSetup) {
    clear(kStatus, kStatusSetup);
    handle_setup();
  }
  uint32_t done = at(kBufferStatus);
  clear(kBufferStatus, done);
  if (done & done_bit(0, false)) sent_0();
  if (done & done_bit(0, true)) taken_0();
  if (done & done_bit(kData, false)) {
    sending = false;
    send_data();
  }
  if (done & done_bit(kData, true)) keep_data();
}

bool receive(uint8_t &byte) {
  if (!received_count()) return false;
  byte = received[received_tail % kReceiveSize];
  received_tail = uint16_t(received_tail + 1);
  if (!receiving && kReceiveSize - received_count() >= kPacket) {
    interrupts_off();
    take_data();
    interrupts_on();
  }
  return true;
}

bool anything_received() { return received_count() != 0; }

bool transmit(const uint8_t *bytes, uint8_t count) {
  interrupts_off();
  bool fits = port_open && kSendSize - send_count() >= count;
  if (fits) {
    uint16_t head = send_head;
    for (uint8_t i = 0; i < count; ++i) to_send[uint16_t(head + i) % kSendSize] = bytes[i];
    send_head = uint16_t(head + count);
    send_data();
  }
  interrupts_on();
  return fits;
}

bool loader_wanted() { return wants_loader; }

}  // namespace usb
