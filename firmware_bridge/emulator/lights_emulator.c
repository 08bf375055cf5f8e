/* The light controller without a soldering iron: the real firmware in simavr.
 *
 *   lights_emulator FIRMWARE.elf|.hex [--bootloader FILE.hex] [--link PATH] [--boot-ms N] [--seed N]
 *                   [--no-reset-on-open]
 *
 * - The UART is a pseudo terminal (PATH becomes a link to it, as udev links a
 *   real one).  Bytes travel at the UART's own speed; a byte that meets a full
 *   receiver (two bytes and the shift register, datasheet 19.7) is lost.
 *   A host at another speed (more than 3 % off) is not understood.
 * - Opening the port resets the controller, and the bootloader swallows what
 *   comes in the next --boot-ms, as on an Arduino.  With --bootloader a real one runs instead, from where
 *   its file says, as by the fuse BOOTRST.
 * - The WS2812 line is decoded bit by bit.  Standard output gets one JSON
 *   object a line for each picture the strip would latch, with its timing.
 * - Standard input takes commands: `reset`, `hang`, `button N 0|1`, `fault NAME P`,
 *   `hold 0|1`, `quit`.  End of input ends the program, so it never outlives
 *   whoever started it.
 */
#define _GNU_SOURCE
#include <asm/termbits.h> /* termios2: the speed of the port as a number */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

DEFINE_FIFO(uint16_t, uart_fifo);

enum { FREQUENCY = 16000000, POLL_CYCLES = 4000, MAX_BITS = 24 * 400, QUEUE = 4096 };
/* cycles of 62.5 ns: a low phase above QUIET ends a picture, from LATCH on the strip takes it */
enum { QUIET = 144, LATCH = 280 * 16 };

static avr_t *avr;
static avr_uart_t *uart;
static FILE *out;
static avr_cycle_count_t slept;
static int master = -1;
static const char *link_path;

/* ---- faults ---- */
enum { LOSE_IN, GARBLE_IN, NOISE_IN, LOSE_OUT, GARBLE_OUT, FAULTS };
static const char *fault_names[FAULTS] = {"lose_in", "garble_in", "noise_in", "lose_out", "garble_out"};
static double fault[FAULTS];
static uint64_t random_state = 1;

static uint32_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 16);
}
static int strikes(int which) { return fault[which] > 0 && next_random() / 4294967296.0 < fault[which]; }

/* ---- time ---- */
static double wall_base;
static int boot_ms = 50, reset_on_open = 1, held;
static double hold_until;

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
static double seconds(void) { return (double)avr->cycle / FREQUENCY; }
static void rebase(void) { wall_base = wall() - seconds(); }

/* ---- the strip ---- */
typedef struct { unsigned min, max; } Span;
static struct {
  uint8_t bytes[MAX_BITS / 8];
  unsigned bits;
  avr_cycle_count_t rise, fall, first;
  unsigned gap;                 /* low time before this picture */
  Span t0h, t1h, t0l, t1l;
  int high, last_bit;
  unsigned long pictures, short_gaps, too_long;
} strip;

static void reset_spans(void) {
  strip.t0h = strip.t1h = strip.t0l = strip.t1l = (Span){~0u, 0};
}
static void widen(Span *span, unsigned value) {
  if (value < span->min) span->min = value;
  if (value > span->max) span->max = value;
}
static void print_span(const char *name, Span span) {
  if (span.max) fprintf(out, ",\"%s\":[%u,%u]", name, span.min, span.max);
}

static void emit_picture(void) {
  fprintf(out, "{\"picture\":%lu,\"t\":%.6f,\"began\":%.6f,\"bits\":%u,\"gap_us\":%.2f,\"short_gaps\":%lu,\"slept\":%.6f", strip.pictures++,
          (double)strip.fall / FREQUENCY, (double)strip.first / FREQUENCY, strip.bits, strip.gap / 16.0,
          strip.short_gaps, (double)slept / FREQUENCY);
  print_span("t0h", strip.t0h);
  print_span("t1h", strip.t1h);
  print_span("t0l", strip.t0l);
  print_span("t1l", strip.t1l);
  fputs(",\"wire\":\"", out);
  for (unsigned i = 0; i < strip.bits / 8; i++) fprintf(out, "%02x", strip.bytes[i]);
  fputs("\"}\n", out);
  fflush(out);
  strip.bits = 0;
  reset_spans();
}

static void on_data_pin(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  int high = value & 1;
  if (high == strip.high) return;
  strip.high = high;
  if (high) {
    unsigned low = (unsigned)(avr->cycle - strip.fall);
    if (strip.bits && low < QUIET) {
      widen(strip.last_bit ? &strip.t1l : &strip.t0l, low);
    } else {
      if (strip.bits) emit_picture();
      if (strip.pictures && low < LATCH) strip.short_gaps++;
      strip.gap = strip.pictures ? low : 0;
      strip.first = avr->cycle;
    }
    strip.rise = avr->cycle;
    return;
  }
  unsigned width = (unsigned)(avr->cycle - strip.rise);
  strip.fall = avr->cycle;
  strip.last_bit = width > 9; /* 0.56 us: half way between the two widths of the datasheet */
  widen(strip.last_bit ? &strip.t1h : &strip.t0h, width);
  if (strip.bits >= MAX_BITS) { strip.too_long++; return; }
  uint8_t *byte = &strip.bytes[strip.bits / 8];
  *byte = (uint8_t)(*byte << 1 | strip.last_bit);
  strip.bits++;
}

/* ---- the serial line ---- */
static uint8_t queue[QUEUE];
static unsigned queue_head, queue_tail;
static unsigned long overruns;
static int host_there, bytes_flow;

static unsigned queued(void) { return (queue_head - queue_tail) % QUEUE; }
static void enqueue(uint8_t byte) {
  if (queued() == QUEUE - 1) return;
  queue[queue_head] = byte;
  queue_head = (queue_head + 1) % QUEUE;
}

static avr_cycle_count_t byte_arrives(struct avr_t *a, avr_cycle_count_t when, void *param) {
  (void)param;
  bytes_flow = queued() != 0;
  if (!bytes_flow) return 0;
  uint8_t byte = queue[queue_tail];
  queue_tail = (queue_tail + 1) % QUEUE;
  if (strikes(GARBLE_IN)) byte ^= (uint8_t)(1u << (next_random() & 7));
  if (!strikes(LOSE_IN)) {
    if (uart_fifo_get_read_size(&uart->input) >= 3)
      overruns++;
    else
      avr_raise_irq(avr_io_getirq(a, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
  }
  return when + (uart->cycles_per_byte ? uart->cycles_per_byte : 704);
}

static void let_bytes_flow(void) {
  if (bytes_flow || !queued()) return;
  bytes_flow = 1;
  avr_cycle_timer_register(avr, 704, byte_arrives, NULL);
}

static void on_sent_byte(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  if (!host_there || strikes(LOSE_OUT)) return;
  uint8_t byte = (uint8_t)value;
  if (strikes(GARBLE_OUT)) byte ^= (uint8_t)(1u << (next_random() & 7));
  if (write(master, &byte, 1) < 0 && errno != EAGAIN && errno != EIO) perror("pty");
}

static void event(const char *name) {
  fprintf(out, "{\"event\":\"%s\",\"t\":%.6f,\"overruns\":%lu}\n", name, seconds(), overruns);
  fflush(out);
}

/* Whether host and controller send and expect bits of the same length. */
static int same_speed(void) {
  struct termios2 host;
  if (ioctl(master, TCGETS2, &host)) return 1;
  unsigned divisor = (avr->data[0xC4] | avr->data[0xC5] << 8) + 1u; /* UBRR0 */
  double ours = FREQUENCY / (avr->data[0xC0] & 2 ? 8.0 : 16.0) / divisor; /* U2X0 */
  return host.c_ospeed > 0.97 * ours && host.c_ospeed < 1.03 * ours;
}

static void drain(int keep) {
  uint8_t chunk[512];
  while (!keep || queued() < QUEUE / 2) {
    ssize_t got = read(master, chunk, sizeof chunk);
    if (got <= 0) return;
    if (!keep) continue;
    int understood = same_speed();
    for (ssize_t i = 0; i < got; i++) {
      enqueue(understood ? chunk[i] : (uint8_t)next_random());
      if (strikes(NOISE_IN)) enqueue((uint8_t)next_random());
    }
    let_bytes_flow();
  }
}

static void start_timers(void);
static int button_down[2];

/* A reset makes simavr forget the level of its pins, and setting the same level again does nothing
 * there; a real button to ground with a pull-up keeps its level. */
static void hold_buttons(void) {
  for (int b = 0; b < 2; b++) {
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2 + b);
    avr_raise_irq(pin, button_down[b]);
    avr_raise_irq(pin, !button_down[b]);
  }
}

static void reset_controller(int power_on) {
  avr_reset(avr);
  avr_regbit_set(avr, power_on ? avr->reset_flags.porf : avr->reset_flags.extrf);
  queue_head = queue_tail = 0;
  start_timers();
  strip.high = 0;
  hold_until = wall() + (power_on ? 0 : boot_ms / 1000.0);
  event(power_on ? "power" : "reset");
}

/* ---- commands ---- */
static int wants_reset, wants_end, poisoned;
static avr_flashaddr_t poisoned_at;
static uint8_t healthy[2];

/* Make the processor run in a circle where it stands, as after a bit flip: only the watchdog helps. */
static void poison(void) {
  static const uint8_t jump_to_itself[2] = {0xFF, 0xCF};
  if (poisoned) return;
  poisoned = 1;
  poisoned_at = avr->pc;
  memcpy(healthy, avr->flash + poisoned_at, 2);
  memcpy(avr->flash + poisoned_at, jump_to_itself, 2);
}

static void obey(char *line) {
  char name[32];
  double value;
  int number, state;
  if (!strcmp(line, "reset")) {
    wants_reset = 1;
  } else if (!strcmp(line, "quit")) {
    wants_end = 1;
  } else if (!strcmp(line, "hang")) {
    poison();
  } else if (sscanf(line, "hold %d", &state) == 1) {
    held = state;
    event(held ? "held" : "released");
  } else if (sscanf(line, "button %d %d", &number, &state) == 2 && number >= 0 && number < 2) {
    button_down[number] = state != 0;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2 + number), !state);
  } else if (sscanf(line, "fault %31s %lf", name, &value) == 2) {
    for (int i = 0; i < FAULTS; i++)
      if (!strcmp(name, fault_names[i])) fault[i] = value;
  } else {
    fprintf(stderr, "unknown command: %s\n", line);
  }
}

static void read_commands(void) {
  static char line[256];
  static size_t fill;
  char chunk[256];
  ssize_t got = read(STDIN_FILENO, chunk, sizeof chunk);
  if (got == 0) wants_end = 1;
  for (ssize_t i = 0; i < got; i++) {
    if (chunk[i] != '\n') {
      if (fill < sizeof line - 1) line[fill++] = chunk[i];
      continue;
    }
    line[fill] = 0;
    fill = 0;
    obey(line);
  }
}

static void look_outside(int timeout_ms) {
  struct pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {master, POLLIN, 0}};
  poll(fds, 2, timeout_ms);
  if (fds[0].revents & (POLLIN | POLLHUP)) read_commands();
  int there = !(fds[1].revents & POLLHUP);
  if (there && !host_there) {
    if (reset_on_open) wants_reset = 1;
    event("opened");
  }
  if (!there && host_there) event("closed");
  host_there = there;
  if (fds[1].revents & POLLIN) drain(!held && wall() >= hold_until && !wants_reset);
}

static avr_cycle_count_t last_housekeeping;

/* Every 250 us of controller time: emit a latched picture, look outside, keep to the wall clock. */
static avr_cycle_count_t housekeeping(struct avr_t *a, avr_cycle_count_t when, void *param) {
  (void)param;
  last_housekeeping = a->cycle;
  if (strip.bits && !strip.high && a->cycle - strip.fall >= LATCH) {
    emit_picture();
    /* the next gap is measured from the same falling edge */
  }
  look_outside(0);
  double ahead = seconds() - (wall() - wall_base);
  if (ahead < -0.1) rebase();           /* the machine was busy: do not race to catch up */
  if (ahead > 0 && !queued()) {         /* with bytes waiting, run as fast as it goes */
    struct timespec nap = {0, (long)(ahead * 1e9) % 1000000000L};
    nanosleep(&nap, NULL);
  } else if (ahead > 0.02) {
    rebase();
  }
  return when + POLL_CYCLES;
}

static void start_timers(void) {
  avr_cycle_timer_cancel(avr, housekeeping, NULL);
  avr_cycle_timer_cancel(avr, byte_arrives, NULL);
  avr_cycle_timer_register(avr, POLL_CYCLES, housekeeping, NULL);
  last_housekeeping = avr->cycle;
  bytes_flow = 0;
  hold_buttons();
}

/* The wall clock is kept in housekeeping; here the sleep is only counted. */
static void count_sleep(avr_t *a, avr_cycle_count_t cycles) { (void)a, slept += cycles; }

static void quiet_log(avr_t *a, const int level, const char *format, va_list args) {
  (void)a;
  if (level <= LOG_ERROR) vfprintf(stderr, format, args);
}

static const char *open_terminal(void) {
  master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) || unlockpt(master)) { perror("pty"); exit(2); }
  const char *name = ptsname(master);
  int slave = open(name, O_RDWR | O_NOCTTY);
  struct termios2 raw;
  ioctl(slave, TCGETS2, &raw);
  raw.c_iflag &= ~(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
  raw.c_oflag &= ~OPOST;
  raw.c_lflag &= ~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  raw.c_cflag = (raw.c_cflag & ~(CSIZE | PARENB)) | CS8;
  ioctl(slave, TCSETS2, &raw);
  close(slave); /* from now on a hang-up tells that nobody has the port open */
  fcntl(master, F_SETFL, O_NONBLOCK);
  if (link_path) {
    unlink(link_path);
    if (symlink(name, link_path)) { perror(link_path); exit(2); }
  }
  return name;
}

/* The data records of an Intel HEX file into the flash; returns where the lowest begins.  (simavr's own
 * reader merges what does not belong together where a file has a start record.) */
static uint32_t load_hex(const char *path) {
  FILE *file = fopen(path, "r");
  char record[600];
  uint32_t start = ~0u;
  while (file && fgets(record, sizeof record, file)) {
    unsigned count, at, kind, byte;
    if (sscanf(record, ":%2x%4x%2x", &count, &at, &kind) != 3 || kind != 0) continue;
    if (at + count > (avr->flashend | 1) + 1) { fprintf(stderr, "%s: too large: %x + %x, flash ends at %x\n", path, at, count, avr->flashend); exit(2); }
    for (unsigned i = 0; i < count && sscanf(record + 9 + 2 * i, "%2x", &byte) == 1; i++)
      avr->flash[at + i] = (uint8_t)byte;
    if (at < start) start = at;
  }
  if (file) fclose(file);
  if (start == ~0u) { fprintf(stderr, "cannot read %s\n", path); exit(2); }
  return start;
}

static void load(const char *path, const char *bootloader) {
  const char *dot = strrchr(path, '.');
  int is_hex = dot && !strcmp(dot, ".hex");
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  if (!is_hex && elf_read_firmware(path, &firmware)) { fprintf(stderr, "cannot read %s\n", path); exit(2); }
  avr = avr_make_mcu_by_name("atmega328p");
  if (!avr) { fprintf(stderr, "simavr does not know the atmega328p\n"); exit(2); }
  avr_init(avr);
  avr->frequency = FREQUENCY;
  avr->sleep = count_sleep;
  if (is_hex) load_hex(path);
  else avr_load_firmware(avr, &firmware);
  if (bootloader) avr->reset_pc = load_hex(bootloader);
  avr->codeend = avr->flashend;
  for (avr_io_t *io = avr->io_port; io; io = io->next)
    if (!strcmp(io->kind, "uart")) uart = (avr_uart_t *)io;
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_sent_byte, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), IOPORT_IRQ_PIN0), on_data_pin, NULL);
}

static void heal(void) {
  if (poisoned) memcpy(avr->flash + poisoned_at, healthy, 2);
  poisoned = 0;
}

/* simavr's watchdog resets the processor behind our back and stops all timers */
static void came_back_by_itself(void) {
  heal();
  start_timers();
  let_bytes_flow();
  event("watchdog");
}

static int run(void) {
  while (!wants_end) {
    if (held || wall() < hold_until) {
      look_outside(1);
      rebase();
      if (wants_reset) { wants_reset = 0; reset_controller(0); }
      continue;
    }
    for (int i = 0; i < 2000 && !wants_reset && !held; i++) {
      int state = avr_run(avr);
      if (state == cpu_Done || state == cpu_Crashed) { event("crashed"); return 3; }
      if (poisoned && avr->pc == 0) { /* the program started itself again, without a reset */
        heal();
        event("watchdog");
      }
    }
    if (wants_reset) { wants_reset = 0; reset_controller(0); }
    if (avr->cycle - last_housekeeping > 4 * POLL_CYCLES) came_back_by_itself();
  }
  return 0;
}

int main(int argc, char **argv) {
  const char *firmware = NULL, *bootloader = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--link") && i + 1 < argc) link_path = argv[++i];
    else if (!strcmp(argv[i], "--bootloader") && i + 1 < argc) bootloader = argv[++i];
    else if (!strcmp(argv[i], "--boot-ms") && i + 1 < argc) boot_ms = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--seed") && i + 1 < argc) random_state = strtoull(argv[++i], NULL, 10) * 2654435761u + 1;
    else if (!strcmp(argv[i], "--no-reset-on-open")) reset_on_open = 0;
    else firmware = argv[i];
  }
  if (!firmware) { fprintf(stderr, "usage: lights_emulator FIRMWARE.elf [--link PATH] ...\n"); return 2; }
  out = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO); /* simavr prints to standard output */
  avr_global_logger_set(quiet_log);
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  const char *name = open_terminal();
  load(firmware, bootloader);
  reset_spans();
  rebase();
  reset_controller(1);
  fprintf(out, "{\"event\":\"ready\",\"t\":0,\"port\":\"%s\"}\n", name);
  fflush(out);
  int code = run();
  if (link_path) unlink(link_path);
  return code;
}
