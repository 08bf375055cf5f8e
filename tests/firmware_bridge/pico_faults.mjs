// What the emulated board and its USB host share.

/** Nanoseconds of a millisecond. */
export const MS = 1e6;

/** Something that a real board, or a real host, would not put up with. */
export class Fault extends Error {}

export const fault = (what) => {
  throw new Fault(what);
};
