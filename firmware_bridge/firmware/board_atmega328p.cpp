// ATmega328P at 16 MHz (Arduino Nano/Uno wiring):
//   D8  (PB0)  WS2812 data, through 330 ohm
//   D0/D1      serial, 250000 baud (exact at 16 MHz; 115200 would be 2.1 % off)
//   D2, D3     buttons to ground: confirm, call the arbiter
// Register names and timings: ATmega328P datasheet DS40002061, chapters 13, 15, 19.
#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

namespace board {

Survivors survivors __attribute__((section(".noinit")));

namespace {

uint8_t cause __attribute__((section(".noinit")));
uint8_t restarted __attribute__((section(".noinit")));
constexpr uint8_t kRestarted = 0xA5;
uint8_t ring[256];             // received bytes; 8-bit indices wrap by themselves
volatile uint8_t ring_head;    // written by the interrupt and by show()
uint8_t ring_tail;
constexpr uint8_t kOutSize = 64;
uint8_t out[kOutSize];
volatile uint8_t out_head, out_tail;
volatile uint16_t lost;

}  // namespace

// A watchdog reset leaves the watchdog running at 16 ms: stop it before main().  Many bootloaders clear
// MCUSR, so that the cause is 0 here; a start by restart_after_hang() is told by a byte of our own.
extern "C" void early_reset() __attribute__((naked, used, section(".init3")));
void early_reset() {
  cause = restarted == kRestarted ? uint8_t(kWatchdog) : MCUSR;
  restarted = 0;
  MCUSR = 0;
  wdt_disable();
}

// The watchdog's first time-out: start again by a jump.  A reset by the watchdog would never end on boards
// with the bootloader of 57600 baud: it does not stop the watchdog, which then bites it for ever.
// Interrupts stay off, since there is no reti.  A hang with interrupts off is left to the second time-out,
// which does reset; only show() and sleep() run so, and their way is bounded.
ISR(WDT_vect, ISR_NAKED) {
  asm volatile("clr __zero_reg__");
  MCUSR = 0;
  wdt_disable();
  restarted = kRestarted;
  UCSR0B = 0;
  TIMSK2 = 0;
  TCCR1B = 0;
  asm volatile("jmp 0");
}

ISR(USART_RX_vect) {
  if (UCSR0A & _BV(DOR0)) ++lost;
  uint8_t byte = UDR0;
  uint8_t head = ring_head;
  ring[head] = byte;
  ring_head = uint8_t(head + 1);
}

ISR(USART_UDRE_vect) {
  uint8_t tail = out_tail;
  if (tail == out_head) {
    UCSR0B &= uint8_t(~_BV(UDRIE0));
    return;
  }
  UDR0 = out[tail];
  out_tail = uint8_t(tail + 1) % kOutSize;
}

EMPTY_INTERRUPT(TIMER2_COMPA_vect)  // only wakes the processor

void hold_line_low() {
  PORTB &= uint8_t(~_BV(PB0));
  DDRB |= _BV(PB0);
}

void start() {
  PORTD |= _BV(PD2) | _BV(PD3);  // pull-ups of the buttons
  UCSR0A = 0;                    // a bootloader may have left the double speed on
  UBRR0 = 3;                     // 16 MHz / 16 / (3 + 1) = 250000
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
  TCCR1A = 0;
  TCCR1B = _BV(CS12);            // 16 MHz / 256, counts for ever
  TCCR2A = _BV(WGM21);
  TCCR2B = _BV(CS22) | _BV(CS21) | _BV(CS20);
  OCR2A = 77;                    // 16 MHz / 1024 / 78 = every 5 ms
  TIMSK2 = _BV(OCIE2A);
  wdt_enable(WDTO_500MS);
  WDTCSR |= _BV(WDIE);           // first the interrupt, then the reset
  set_sleep_mode(SLEEP_MODE_IDLE);
  sei();
}

uint8_t reset_cause() { return cause & 15; }

uint16_t ticks() {
  uint8_t sreg = SREG;
  cli();  // a 16-bit timer is read through a shared byte
  uint16_t now = TCNT1;
  SREG = sreg;
  return now;
}

void feed_watchdog() { wdt_reset(); }

bool receive(uint8_t &byte) {
  uint8_t tail = ring_tail;
  if (tail == ring_head) return false;
  byte = ring[tail];
  ring_tail = uint8_t(tail + 1);
  return true;
}

bool transmit(const uint8_t *bytes, uint8_t count) {
  uint8_t head = out_head;
  uint8_t used = uint8_t(head - out_tail) % kOutSize;
  if (count >= kOutSize - used) return false;
  while (count--) {
    out[head] = *bytes++;
    head = uint8_t(head + 1) % kOutSize;
  }
  out_head = head;
  UCSR0B |= _BV(UDRIE0);
  return true;
}

uint16_t overruns() {
  cli();
  uint16_t count = lost;
  sei();
  return count;
}

uint8_t buttons() { return uint8_t(~PIND >> PD2) & 3; }

void sleep() {
  cli();
  if (ring_tail == ring_head) {
    sleep_enable();
    sei();  // the instruction after sei runs before any interrupt: no lost wake-up
    sleep_cpu();
    sleep_disable();
  }
  sei();
}

// --- WS2812 -----------------------------------------------------------------
// One bit is 20 cycles (1.25 us): high for 5 (312 ns) or 13 (812 ns) cycles.
// The cycles in between do two jobs at no cost in time: the next pixel is
// looked up, and the serial receiver is emptied once a pixel (30 us; it can
// hold 80 us), so bytes that arrive while the strip is written are kept
// although interrupts are off.  W2 is exactly 7 cycles, W3 exactly 6.
#define BIT(reg, bit, W2, W3)        \
  "out %[port], %[hi]        \n\t"   \
  "nop                       \n\t"   \
  "rjmp .+0                  \n\t"   \
  "sbrs " reg ", " bit "     \n\t"   \
  "out %[port], %[lo]        \n\t"   \
  W2                                 \
  "out %[port], %[lo]        \n\t"   \
  W3
#define IDLE2 "rjmp .+0 \n\t rjmp .+0 \n\t rjmp .+0 \n\t nop \n\t"
#define IDLE3 "rjmp .+0 \n\t rjmp .+0 \n\t rjmp .+0 \n\t"
// Has a byte come?  The skip and the two-word load take 3 cycles either way.
#define POLL "lds %[st], %[ucsra] \n\t sbrc %[st], 7 \n\t lds %[rx], %[udr] \n\t rjmp .+0 \n\t"
// Store it at the head in any case (a free place) ...
#define KEEP "movw r30, %[ring] \n\t add r30, %[head] \n\t adc r31, __zero_reg__ \n\t st Z, %[rx] \n\t" \
             "rjmp .+0 \n\t"
// ... and move the head on only if there was one; count what the hardware lost.
#define MOVE "sbrc %[st], 7 \n\t inc %[head] \n\t sbrc %[st], 3 \n\t inc %[over] \n\t rjmp .+0 \n\t nop \n\t"
#define FIND "ld %[t], X+ \n\t movw r30, %[table] \n\t add r30, %[t] \n\t adc r31, __zero_reg__ \n\t" \
             "rjmp .+0 \n\t"
#define LOAD "ld %[c0], Z \n\t ldd %[c1], Z+1 \n\t ldd %[t], Z+2 \n\t nop \n\t"
#define NEXT "mov %[c2], %[t] \n\t sbiw %[count], 1 \n\t breq 2f \n\t rjmp 1b \n\t"
#define LAST5(reg)                                                                  \
  BIT(reg, "4", IDLE2, IDLE3) BIT(reg, "3", IDLE2, IDLE3) BIT(reg, "2", IDLE2, IDLE3) \
  BIT(reg, "1", IDLE2, IDLE3)

void show(const uint8_t *offsets, uint16_t count, const uint8_t *table) {
  if (!count) return;
  const uint8_t *first = table + *offsets++;
  uint8_t c0 = first[0], c1 = first[1], c2 = first[2];
  uint8_t t = 0, st = 0, rx = 0, over = 0;
  uint8_t sreg = SREG;
  cli();
  uint8_t head = ring_head;
  uint8_t lo = PORTB & uint8_t(~_BV(PB0)), hi = lo | _BV(PB0);
  asm volatile(
      "1:                                     \n\t"
      BIT("%[c0]", "7", POLL, IDLE3)
      BIT("%[c0]", "6", KEEP, IDLE3)
      BIT("%[c0]", "5", MOVE, IDLE3)
      LAST5("%[c0]")
      BIT("%[c0]", "0", IDLE2, IDLE3)
      BIT("%[c1]", "7", IDLE2, IDLE3)
      BIT("%[c1]", "6", IDLE2, IDLE3)
      BIT("%[c1]", "5", IDLE2, IDLE3)
      LAST5("%[c1]")
      BIT("%[c1]", "0", IDLE2, IDLE3)
      BIT("%[c2]", "7", FIND, IDLE3)
      BIT("%[c2]", "6", LOAD, IDLE3)
      BIT("%[c2]", "5", IDLE2, IDLE3)
      LAST5("%[c2]")
      BIT("%[c2]", "0", IDLE2, NEXT)
      "2:                                     \n\t"
      : [c0] "+r"(c0), [c1] "+r"(c1), [c2] "+r"(c2), [t] "+r"(t), [st] "+r"(st), [rx] "+r"(rx),
        [head] "+r"(head), [over] "+r"(over), [count] "+w"(count), "+x"(offsets)
      : [hi] "r"(hi), [lo] "r"(lo), [ring] "r"(ring), [table] "r"(table),
        [port] "I"(_SFR_IO_ADDR(PORTB)), [ucsra] "n"(_SFR_MEM_ADDR(UCSR0A)), [udr] "n"(_SFR_MEM_ADDR(UDR0))
      : "r30", "r31", "memory");
  ring_head = head;
  lost += over;
  SREG = sreg;
}

}  // namespace board
