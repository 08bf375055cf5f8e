// The USB port of the RP2040 as a serial port (CDC ACM), which every system drives without a driver of its own.
#pragma once
#include <stdint.h>

namespace usb {

void start();        // show up on the bus; the interrupt must be enabled by the caller
void interrupt();
bool receive(uint8_t &byte);
bool anything_received();
bool transmit(const uint8_t *bytes, uint8_t count);  // all or nothing; false while nobody has the port open
// Somebody opened the port at 1200 baud and closed it: the custom to ask a board for its loader.
bool loader_wanted();

}  // namespace usb
