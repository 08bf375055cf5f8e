// The USB host of the emulated Pico: it enumerates as Linux does, refuses a wrong data toggle, a buffer handed over
// in one write, or a packet that is too long, and polls: a buffer stays with the controller until it comes for it.
import { MS, fault } from './pico_faults.mjs';

const AVAILABLE = 1 << 10;
const STALL = 1 << 11;
const DATA1 = 1 << 13;
const FULL = 1 << 15;
const LENGTH = 0x3ff;
const PULL_UP = 1 << 16;
const DATA_ENDPOINT = 2;

const nameOf = (endpoint, out) => `${endpoint}${out ? 'out' : 'in'}`;
const text = (bytes) => Buffer.from(bytes.subarray(2)).toString('utf16le');
const expect = (holds, what) => holds || fault(`USB: ${what}`);
const setup = (type, request, value, index, length) =>
  new Uint8Array([type, request, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8]);

/** The host at one Pico from power-up to the next; `tell` gets what the serial port says. */
export class UsbHost {
  constructor(rp, tell, announce) {
    Object.assign(this, { rp, clock: rp.clock, tell, announce });
    this.state = 'gone'; // gone, ready, busy (with a transfer), reset, pausing
    this.armed = new Map(); // "2in" -> what was handed over
    this.lastControl = new Map();
    this.toggles = new Map();
    this.steps = null;
    this.transfer = null;
    this.queue = [];
    this.open = false;
    this.attached = false;
    this.wanted = [];
    this.due = false;
    this.timer = rp.clock.createAlarm(() => this.turn());
    rp.usbCtrl.DPRAMUpdated = (offset, value) => this.onMemory(offset, value);
  }

  comeBy(delay) {
    if (this.due) return;
    this.due = true;
    this.timer.schedule(delay);
  }

  bufferOf(endpoint, out) {
    if (endpoint === 0) return 0x100;
    return this.rp.usbDPRAMView.getUint32(8 * endpoint + (out ? 4 : 0), true) & 0xffc0;
  }

  onMemory(offset, value) {
    if (offset < 0x80 || offset > 0xff) return;
    const endpoint = (offset - 0x80) >> 3;
    const out = Boolean(offset & 4);
    const name = nameOf(endpoint, out);
    const before = this.lastControl.get(offset) ?? 0;
    this.lastControl.set(offset, value);
    if (!(value & AVAILABLE)) {
      this.armed.delete(name);
      if (value & STALL && endpoint === 0) this.stalled = true;
      return;
    }
    if (before !== (value & ~AVAILABLE)) fault(`${name}: AVAILABLE in the same write as the rest`);
    if (this.armed.has(name)) fault(`${name}: handed over twice`);
    const length = value & LENGTH;
    if (length > 64) fault(`${name}: packet of ${length}`);
    if (!out && !(value & FULL)) fault(`${name}: nothing in it`);
    if (endpoint && !(this.rp.usbDPRAMView.getUint32(8 * endpoint + (out ? 4 : 0), true) >>> 31)) fault(`${name}: off`);
    this.armed.set(name, { length, pid: value & DATA1, offset, value });
    this.comeBy(30000);
  }

  /** Come for a buffer that is armed; returns what was in it. */
  transact(endpoint, out, bytes) {
    const name = nameOf(endpoint, out);
    const armed = this.armed.get(name);
    const toggle = this.toggles.get(name) ?? 0;
    if (armed.pid !== toggle) fault(`${name}: wrong data toggle`);
    this.toggles.set(name, toggle ^ DATA1);
    this.armed.delete(name);
    let control = armed.value & ~AVAILABLE;
    let got = null;
    const place = this.bufferOf(endpoint, out);
    if (out) {
      this.rp.usbDPRAM.set(bytes, place);
      control = (control & ~LENGTH) | FULL | bytes.length;
    } else {
      got = this.rp.usbDPRAM.slice(place, place + armed.length);
      control &= ~FULL;
    }
    this.rp.usbDPRAMView.setUint32(armed.offset, control, true);
    this.lastControl.set(armed.offset, control);
    this.rp.usbCtrl.indicateBufferReady(endpoint, out);
    return got;
  }

  begin(packet, data = null) {
    this.state = 'busy';
    this.stalled = false;
    this.toggles.set('0in', DATA1);
    this.toggles.set('0out', DATA1);
    this.armed.delete('0in');
    this.armed.delete('0out');
    const wanted = packet[6] | (packet[7] << 8);
    const kind = packet[0] & 0x80 ? 'in' : data ? 'out' : 'none';
    this.transfer = { kind, data, wanted, got: [], stage: kind === 'none' ? 'status' : 'data', since: this.clock.nanos };
    this.rp.usbCtrl.sendSetupPacket(packet);
  }

  finish(result) {
    this.transfer = null;
    this.state = 'ready';
    this.advance(result);
  }

  /** One packet of the transfer on endpoint 0, if the device is ready for it. */
  serveControl() {
    const { transfer, armed } = this;
    if (this.stalled) return this.finish('stall');
    if (transfer.stage === 'data' && transfer.kind === 'in' && armed.has('0in')) {
      const packet = this.transact(0, false);
      transfer.got.push(...packet);
      if (transfer.got.length > transfer.wanted) fault('more than was asked for');
      if (packet.length < 64 || transfer.got.length === transfer.wanted) {
        transfer.stage = 'status';
        this.toggles.set('0out', DATA1);
      }
    } else if (transfer.stage === 'data' && transfer.kind === 'out' && armed.has('0out')) {
      this.transact(0, true, transfer.data);
      transfer.stage = 'status';
      this.toggles.set('0in', DATA1);
    } else if (transfer.stage === 'status' && transfer.kind === 'in' && armed.has('0out')) {
      this.transact(0, true, new Uint8Array(0));
      return this.finish(Uint8Array.from(transfer.got));
    } else if (transfer.stage === 'status' && transfer.kind !== 'in' && armed.has('0in')) {
      if (this.transact(0, false).length) fault('a status with bytes');
      return this.finish('done');
    } else if (this.clock.nanos - transfer.since > 5000 * MS) {
      fault('no answer to a request for five seconds');
    }
  }

  turn() {
    this.due = false;
    if (this.state === 'busy') this.serveControl();
    if (this.state === 'ready' && !this.steps && this.wanted.length) {
      this.steps = this.wanted.shift();
      this.advance();
    }
    if (this.open && this.armed.has('2out') && this.queue.length) {
      this.transact(DATA_ENDPOINT, true, Uint8Array.from(this.queue.splice(0, 64)));
    }
    if (this.attached && this.open && this.armed.has('2in')) {
      const bytes = this.transact(DATA_ENDPOINT, false);
      if (bytes.length === 64) fault('a whole packet at the end makes a host wait');
      this.tell({ tx: Buffer.from(bytes).toString('hex') });
    }
    const more = this.state === 'busy' || this.wanted.length || (this.open && this.queue.length);
    if (more || (this.open && this.armed.has('2in'))) this.comeBy(45000);
  }

  advance(result) {
    const next = this.steps.next(result);
    if (next.done) {
      this.steps = null;
      return;
    }
    if (next.value === 'pause') {
      this.state = 'pausing';
      const alarm = this.clock.createAlarm(() => this.finish('done'));
      alarm.schedule(2 * MS);
      return;
    }
    if (next.value === 'bus reset') {
      this.state = 'reset';
      const alarm = this.clock.createAlarm(() => {
        this.rp.usbCtrl.sieStatus |= 1 << 19;
        this.rp.usbCtrl.sieStatusUpdated();
        const later = this.clock.createAlarm(() => this.finish('done'));
        later.schedule(10 * MS);
      });
      this.toggles.clear();
      alarm.schedule(10 * MS);
      return;
    }
    this.begin(...next.value);
    this.comeBy(20000);
  }

  *enumerate() {
    const get = (kind, number, length) => [setup(0x80, 6, (kind << 8) | number, kind === 3 ? 0x409 : 0, length)];
    yield 'bus reset';
    expect((yield get(1, 0, 64)).length === 18, 'device descriptor of 18 bytes');
    yield 'bus reset';
    expect((yield [setup(0, 5, 9, 0, 0)]) === 'done', 'an address is taken');
    yield 'pause'; // the time that a device has to change its address
    expect(this.rp.usbCtrl.addrEndp === 9, 'the address counts');
    const device = yield get(1, 0, 18);
    expect((yield get(6, 0, 10)) === 'stall', 'no qualifier at full speed');
    const start = yield get(2, 0, 9);
    const total = start[2] | (start[3] << 8);
    const whole = yield get(2, 0, total);
    expect(whole.length === total, 'the configuration is as long as it says');
    yield get(3, 0, 255);
    const maker = text(yield get(3, device[14], 255));
    const product = text(yield get(3, device[15], 255));
    expect((yield get(3, 7, 255)) === 'stall', 'no such text');
    expect((yield [setup(0, 9, 1, 0, 0)]) === 'done', 'configured');
    expect((yield [setup(0x80, 8, 0, 0, 1)])[0] === 1, 'says its configuration');
    expect((yield [setup(0x80, 0, 0, 0, 2)]).length === 2, 'says its status');
    expect((yield [setup(0xc0, 0x77, 0, 0, 4)]) === 'stall', 'a request of nobody');
    const vid = device[8] | (device[9] << 8);
    const pid = device[10] | (device[11] << 8);
    this.attached = true;
    this.announce('attached', { maker, product, vid, pid });
  }

  *lineOpened(baud) {
    yield* this.lineCoded(baud);
    yield [setup(0x21, 0x22, 3, 0, 0)];
    this.open = true; // a program gets the port only now
    this.comeBy(45000);
  }

  *lineClosed(baud) {
    yield* this.lineCoded(baud);
    this.open = false;
    yield [setup(0x21, 0x22, 0, 0, 0)];
  }

  *lineCoded(baud) {
    const coding = new Uint8Array([baud & 255, (baud >> 8) & 255, (baud >> 16) & 255, baud >>> 24, 0, 0, 8]);
    yield [setup(0x21, 0x20, 0, 0, 7), coding];
    const kept = yield [setup(0xa1, 0x21, 0, 0, 7)];
    expect(Buffer.compare(Buffer.from(kept), Buffer.from(coding)) === 0, 'the line coding is kept');
  }

  wish(steps) {
    this.wanted.push(steps);
    this.comeBy(20000);
  }

  lookForDevice() {
    const pulled = Boolean(this.rp.usbCtrl.sieCtrl & PULL_UP) && Boolean(this.rp.usbCtrl.mainCtrl & 1);
    if (pulled && this.state === 'gone') {
      this.state = 'ready';
      this.steps = this.enumerate();
      this.advance();
    }
  }
}
