// What the port tells of itself: USB 2.0 chapter 9.6, and CDC 1.2 with its PSTN subclass for a modem-like port.
#pragma once
#include <stdint.h>

namespace usb {

constexpr uint8_t kPacket = 64;
constexpr uint8_t kNotify = 1, kData = 2;  // endpoints

enum Descriptor : uint8_t { kDevice = 1, kConfiguration = 2, kString = 3, kInterface = 4, kEndpoint = 5, kCdc = 0x24 };

constexpr uint8_t kDeviceDescriptor[] = {
    18, kDevice, 0x00, 0x02,  // USB 2.0
    2, 0, 0, kPacket,         // the class is said here: communications
    0x8A, 0x2E, 0x0A, 0x00,   // 2e8a:000a, the id of serial programs on a Raspberry Pi Pico
    0x00, 0x01, 1, 2, 0, 1,   // release 1.0; maker, product, no serial number; one configuration
};

constexpr uint8_t kConfigurationSize = 67;
constexpr uint8_t kConfigurationDescriptor[] = {
    9, kConfiguration, kConfigurationSize, 0, 2, 1, 0, 0x80, 250,  // from the bus, up to 500 mA with a short strip
    9, kInterface, 0, 0, 1, 2, 2, 0, 0,                            // communications, abstract control model
    5, kCdc, 0x00, 0x20, 0x01,                                     // CDC 1.2
    5, kCdc, 0x01, 0, 1,                                           // no call management
    4, kCdc, 0x02, 0x02,                                           // line coding and control lines
    5, kCdc, 0x06, 0, 1,                                           // interface 0 rules interface 1
    7, kEndpoint, 0x80 | kNotify, 3, 8, 0, 16,                     // notifications (never sent)
    9, kInterface, 1, 0, 2, 10, 0, 0, 0,                           // data
    7, kEndpoint, kData, 2, kPacket, 0, 0,
    7, kEndpoint, 0x80 | kData, 2, kPacket, 0, 0,
};
static_assert(sizeof kConfigurationDescriptor == kConfigurationSize, "the length is part of it");

constexpr char kMaker[] = "Table Referee", kProduct[] = "Table lights";

}  // namespace usb
