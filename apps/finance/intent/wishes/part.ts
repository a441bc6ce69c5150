/** Part: a place in a text. */

/** A part of a text, from `start` up to, not including, `end`. */
export interface Part {
  readonly start: number;
  readonly end: number;
}
