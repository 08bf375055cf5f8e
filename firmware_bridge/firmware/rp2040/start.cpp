// What a compiler without a C library leaves to do: the vector table, the way to main(), and the two
// functions that GCC calls by itself.
#include <stddef.h>
#include <stdint.h>

#include "usb_cdc.h"

extern "C" {
extern uint32_t stack_top, data_begin, data_end, data_in_flash, bss_begin, bss_end;
using Function = void (*)();
extern Function constructors_begin, constructors_end;

int main();

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memset(void *to, int value, size_t count) {
  auto *at = static_cast<uint8_t *>(to);
  while (count--) *at++ = uint8_t(value);
  return to;
}

__attribute__((optimize("no-tree-loop-distribute-patterns"))) void *memcpy(void *to, const void *from, size_t count) {
  auto *at = static_cast<uint8_t *>(to);
  auto *source = static_cast<const uint8_t *>(from);
  while (count--) *at++ = *source++;
  return to;
}

void timer_woke();
void pio_has_room();

// A fault ends in a circle, and the watchdog starts the program again.
[[noreturn]] void stuck() {
  for (;;) {
  }
}

[[noreturn]] void reset() {
  const uint32_t *source = &data_in_flash;
  for (uint32_t *at = &data_begin; at < &data_end;) *at++ = *source++;
  for (uint32_t *at = &bss_begin; at < &bss_end;) *at++ = 0;
  for (Function *made = &constructors_begin; made < &constructors_end; ++made) (*made)();
  main();
  stuck();
}
}

namespace {

union Vector {
  uint32_t *stack;
  Function function;
};

__attribute__((section(".vectors"), used)) const Vector vectors[16 + 8] = {
    {&stack_top}, {.function = reset}, {.function = stuck}, {.function = stuck},  // NMI, hard fault
    {nullptr}, {nullptr}, {nullptr}, {nullptr}, {nullptr}, {nullptr}, {nullptr},
    {.function = stuck}, {nullptr}, {nullptr}, {.function = stuck}, {.function = stuck},
    {.function = timer_woke},  // interrupt 0: alarm 0 of the timer
    {.function = stuck}, {.function = stuck}, {.function = stuck}, {.function = stuck},
    {.function = usb::interrupt},  // interrupt 5
    {.function = stuck},
    {.function = pio_has_room},  // interrupt 7
};

}  // namespace
