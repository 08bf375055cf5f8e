// The Raspberry Pi Pico without a Pico: the real firmware in rp2040js, with what that leaves out.
//
//   node pico_emulator.mjs RP2040JS/index.js LIGHTS.uf2
//
// - The mask ROM is a stand-in: it checks the CRC of the second boot stage, copies it to the SRAM and jumps.
// - The PIO keeps step with the processor, divider and delays included (rp2040js runs it whenever it likes).
// - A peripheral that is still held in reset may not be touched; what the ROM does not set up is not set up.
// - The USB host (pico_usb_host.mjs) enumerates as Linux does and is as strict as the standard.
// - The WS2812 line is decoded edge by edge.  Standard output gets one JSON object a line: pictures, events, and
//   `tx`, bytes for whoever has the serial port open.  Commands come as lines on standard input, which must not
//   block: rx HEX, open BAUD, close BAUD, power, reset, hang, hold 0|1, button N 0|1, quit.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Fault, MS, fault } from './pico_faults.mjs';
import { UsbHost } from './pico_usb_host.mjs';

const [, , library, image] = process.argv;
const { RP2040 } = await import(pathToFileURL(library).href);
Error.stackTraceLimit = 0;

const DATA_PIN = 2;
const BUTTON_PINS = [6, 7];
const QUIET = 9000; // ns: a low phase above this ends a picture,
const LATCH = 280000; // from this on the strip takes it
const HALF_WAY = 562; // between the two widths of a high
const MAX_BYTES = 3 * 400;
const ROSC = 6.5e6; // Hz, on which the chip starts

const say = (message) => fs.writeSync(1, `${JSON.stringify(message)}\n`);
const wall = () => Number(process.hrtime.bigint());

let rp = null;
let clock = null;
let born = 0; // ns of all runs before this one, so that time goes on over a reset
let slept = 0;
const now = () => born + clock.nanos;
const event = (name, more = {}) => say({ event: name, t: now() / 1e9, ...more });

// ---- the file that goes onto the board -------------------------------------------------------------------
function readUf2(path) {
  const file = fs.readFileSync(path);
  const flash = new Map();
  for (let at = 0; at < file.length; at += 512) {
    const word = (place) => file.readUInt32LE(at + place);
    if (word(0) !== 0x0a324655 || word(4) !== 0x9e5d5157 || word(508) !== 0x0ab16f30) fault('no UF2 block');
    if (!(word(8) & 0x2000) || word(28) !== 0xe48bff56) fault('not for an RP2040');
    if (word(20) !== at / 512 || word(24) !== file.length / 512) fault('blocks are missing');
    flash.set(word(12) - 0x10000000, file.subarray(at + 32, at + 32 + word(16)));
  }
  return flash;
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let i = 0; i < 8; i++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

// ---- the strip ---------------------------------------------------------------------------------------------
const strip = { bytes: new Uint8Array(MAX_BYTES), bits: 0, rise: 0, fall: 0, first: 0, gap: 0, high: false };
Object.assign(strip, { pictures: 0, shortGaps: 0, lastBit: 0, spans: {} });

function widen(name, value) {
  const span = (strip.spans[name] ??= [value, value]);
  span[0] = Math.min(span[0], value);
  span[1] = Math.max(span[1], value);
}

function emitPicture() {
  say({
    picture: strip.pictures++,
    t: strip.fall / 1e9,
    began: strip.first / 1e9,
    bits: strip.bits,
    gap_us: strip.gap / 1e3,
    short_gaps: strip.shortGaps,
    slept: slept / 1e9,
    ...strip.spans,
    wire: Buffer.from(strip.bytes.subarray(0, strip.bits >> 3)).toString('hex'),
  });
  strip.bits = 0;
  strip.spans = {};
}

function onDataPin(high) {
  if (high === strip.high) return;
  strip.high = high;
  const time = now();
  if (high) {
    const low = time - strip.fall;
    if (strip.bits && low < QUIET) {
      widen(strip.lastBit ? 't1l' : 't0l', low);
    } else {
      if (strip.bits) emitPicture();
      if (strip.pictures && low < LATCH) strip.shortGaps++;
      strip.gap = strip.pictures ? low : 0;
      strip.first = time;
    }
    strip.rise = time;
    return;
  }
  const width = time - strip.rise;
  strip.fall = time;
  strip.lastBit = width > HALF_WAY ? 1 : 0;
  widen(strip.lastBit ? 't1h' : 't0h', width);
  const place = strip.bits >> 3;
  if (place >= MAX_BYTES) return;
  strip.bytes[place] = (strip.bytes[place] << 1) | strip.lastBit;
  strip.bits++;
}

// ---- the PIO's first state machine, in time -------------------------------------------------------------------
const pio = { next: 0, counted: 0, stalled: true };

function runPio() {
  const machine = rp.pio[0].machines[0];
  if (!machine.enabled) return;
  const time = clock.nanos;
  const step = ((machine.clockDivInt + machine.clockDivFrac / 256) * 1e9) / rp.clkSys;
  if (machine.waiting) {
    pio.stalled = true;
    return;
  }
  if (pio.stalled) {
    pio.stalled = false;
    pio.next = time + (machine.cycles - pio.counted) * step;
    pio.counted = machine.cycles;
  }
  while (pio.next <= time && !machine.waiting) {
    const at = clock.nanosCounter;
    clock.nanosCounter = pio.next; // edges are stamped when they happen, not when the processor looks
    machine.step();
    rp.pio[0].checkChangedPins();
    clock.nanosCounter = at;
    pio.next += (machine.cycles - pio.counted) * step;
    pio.counted = machine.cycles;
  }
}

// ---- the board -------------------------------------------------------------------------------------------------
const buttonDown = [false, false];
let poisoned = null;
let loader = false;
let chip = 0; // CHIP_RESET, which a watchdog leaves as it is
let host = null;
const flash = readUf2(image);

/** What is held in reset and must be let go first (datasheet 2.14): bit in RESETS -> base >> 12. */
const HELD = { 5: 0x40014, 8: 0x4001c, 10: 0x50200, 13: 0x4002c, 21: 0x40054, 24: 0x50110 };

function guardResets() {
  let held = 0x1ffffff;
  const atomic = [(_, value) => value, (old, value) => old ^ value, (old, value) => old | value];
  atomic.push((old, value) => old & ~value);
  rp.peripherals[0x4000c] = {
    readUint32: (offset) => (offset === 8 ? ~held & 0x1ffffff : held),
    writeUint32: () => fault('RESETS'),
    writeUint32Atomic: (offset, value, kind) => (held = atomic[kind](held, value)),
  };
  for (const [bit, base] of Object.entries(HELD)) {
    const peripheral = rp.peripherals[base];
    const write = peripheral.writeUint32Atomic.bind(peripheral);
    peripheral.writeUint32Atomic = (offset, value, kind) => {
      if (held & (1 << bit)) fault(`${peripheral.name} is held in reset`);
      write(offset, value, kind);
    };
  }
}

function maskRom(cause) {
  const second = rp.flash.subarray(0, 252);
  if (crc32(second) !== rp.flashView.getUint32(252, true)) fault('the second boot stage has a wrong CRC');
  rp.sram.set(second, 0x41f00);
  const { core } = rp;
  core.VTOR = 0;
  core.SP = 0x20042000;
  core.LR = 0;
  core.PC = 0x20041f00;
  // the table of the ROM's functions: looking one up, and the only one that is used
  rp.bootrom[0x14 >> 2] = 0x0040;
  rp.bootrom[0x18 >> 2] = 0x0051; // a Thumb address
  rp.bootrom[0x50 >> 2] = 0x4770be01; // bkpt 1; bx lr
  rp.bootrom[0x60 >> 2] = 0xe7febe02; // bkpt 2; b .
  rp.onBreak = (number) => {
    if (number === 1) core.registers[0] = core.registers[1] === 0x4255 ? 0x61 : 0;
    if (number === 2) loader = true;
  };
  if (cause !== 'watchdog') chip = cause === 'power' ? 1 << 8 : 1 << 16;
  rp.peripherals[0x40064] = {
    readUint32: () => chip,
    writeUint32Atomic: () => fault('CHIP_RESET'),
  };
}

function unplug() {
  if (host?.attached) event('detached');
  if (host) host.attached = false;
}

function powerUp(cause) {
  const before = rp;
  if (clock) born += clock.nanos;
  if (cause === 'power') {
    born = slept = 0;
    Object.assign(strip, { bits: 0, rise: 0, fall: 0, gap: 0, high: false, pictures: 0, shortGaps: 0, spans: {} });
  }
  rp = new RP2040();
  clock = rp.clock;
  rp.clkSys = ROSC;
  rp.logger = { debug() {}, info() {}, warn: (part, text) => complain(part, text), error: complain };
  for (const [at, bytes] of flash) rp.flash.set(bytes, at);
  rp.pio[0].run = () => {};
  const write = rp.writeUint32.bind(rp);
  rp.writeUint32 = (address, value) => {
    if (address >>> 0 < 0x18000000) fault(`write to ${(address >>> 0).toString(16)}, which is no RAM`);
    write(address, value);
  };
  if (before && cause !== 'power') rp.sram.set(before.sram);
  const watchdog = rp.peripherals[0x40058];
  if (cause === 'watchdog') {
    watchdog.scratchData.set(before.peripherals[0x40058].scratchData);
    watchdog.reason = 1;
  }
  let bitten = false;
  watchdog.onWatchdogTrigger = () => {
    bitten = true;
    watchdog.timer.enable = false; // rp2040js would let it bite for ever at the same moment
  };
  rp.bitten = () => bitten;
  guardResets();
  maskRom(cause);
  event(cause);
  unplug();
  host = new UsbHost(rp, say, event);
  Object.assign(pio, { next: 0, counted: 0, stalled: true });
  onDataPin(false);
  rp.gpio[DATA_PIN].addListener((state) => onDataPin(state === 1));
  BUTTON_PINS.forEach((pin, button) => rp.gpio[pin].setInputValue(!buttonDown[button]));
  poisoned = null;
  loader = false;
}

function complain(part, text) {
  // rp2040js knows no ring oscillator and no QSPI pads, which nothing here touches either
  fault(`${part}: ${text}`);
}

// ---- commands ---------------------------------------------------------------------------------------------------
let held = false;
let ended = false;

const commands = {
  rx: (hex) => host.queue.push(...Buffer.from(hex, 'hex')),
  open: (baud) => host.wish(host.lineOpened(Number(baud))),
  close: (baud) => host.wish(host.lineClosed(Number(baud))),
  power: () => powerUp('power'),
  reset: () => powerUp('reset'),
  hang: () => {
    poisoned = rp.core.PC & ~1;
    rp.flash.set([0xfe, 0xe7], poisoned & 0xffffff); // b .
  },
  hold: (state) => {
    held = state === '1';
    event(held ? 'held' : 'released');
  },
  button: (number, state) => {
    buttonDown[number] = state === '1';
    rp.gpio[BUTTON_PINS[number]].setInputValue(state !== '1');
  },
  quit: () => (ended = true),
};

let unread = '';
const chunk = Buffer.alloc(65536);

function readCommands() {
  if (host.queue.length > 4096) return; // a host's driver takes no more either
  let count = 0;
  try {
    count = fs.readSync(0, chunk, 0, chunk.length, null);
  } catch (error) {
    if (error.code === 'EAGAIN') return;
    throw error;
  }
  if (count === 0) ended = true;
  unread += chunk.toString('latin1', 0, count);
  const lines = unread.split('\n');
  unread = lines.pop();
  for (const line of lines) {
    const [name, ...rest] = line.split(' ');
    commands[name](...rest);
  }
  if (host.queue.length) host.comeBy(45000);
}

// ---- time -------------------------------------------------------------------------------------------------------
function run(until) {
  const { core } = rp;
  const mine = rp;
  const machine = rp.pio[0].machines[0];
  while (clock.nanos < until && rp === mine && !rp.bitten() && !loader) {
    const asked = core.pendingInterrupts & core.enabledInterrupts;
    if (core.waiting && asked) core.waiting = false;
    const circling = core.PC === poisoned && (core.PM || !asked); // nothing but time goes on
    if (core.waiting || circling) {
      let next = until;
      if (clock.nextAlarm) next = Math.min(next, clock.nextAlarm.nanos);
      if (machine.enabled && !machine.waiting) next = Math.min(next, pio.next);
      const idle = Math.max(next - clock.nanos, 0);
      if (core.waiting) slept += idle;
      clock.tick(idle);
    } else {
      clock.tick((core.executeInstruction() * 1e9) / rp.clkSys);
    }
    runPio();
  }
}

const nap = new Int32Array(new SharedArrayBuffer(4));

function main() {
  powerUp('power');
  event('ready');
  let base = wall() - now();
  while (!ended) {
    readCommands();
    if (held || loader) {
      Atomics.wait(nap, 0, 0, 2);
      base = wall() - now();
      continue;
    }
    host.lookForDevice();
    run(clock.nanos + MS);
    if (strip.bits && !strip.high && now() - strip.fall >= LATCH) emitPicture();
    if (rp.bitten()) powerUp('watchdog');
    if (loader) {
      unplug();
      if (strip.bits) emitPicture();
      event('loader');
    }
    const ahead = now() - (wall() - base);
    if (ahead < -100 * MS || ahead > 20 * MS) base = wall() - now();
    else if (ahead > 0 && !host.queue.length) Atomics.wait(nap, 0, 0, ahead / MS);
  }
}

try {
  main();
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  event('crashed', { why: error.message });
  process.exitCode = 3;
}
