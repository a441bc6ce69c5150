/**
 * Rows: the folders of core, from what knows nothing to what knows all, and how many lines of code each has.
 */

/** The folders of `packages/core/src` in order, with their lines of code: a file imports its own row and the rows above. */
export const ROWS: ReadonlyMap<string, number> = new Map([
  ["words", 2_380],
  ["lifetimes", 622],
  ["ports", 1_580],
  ["definitions", 1_760],
  ["views", 2_110],
  ["loop", 1_590],
  ["handle", 387],
  ["engine", 900],
]);

/** Growth over the size in `ROWS` that needs no decision record; comments are free. */
export const FREE_GROWTH = 1.1;

/** Cap on the loop's lines of code: it is what a reader must hold in mind. */
export const MAX_LOOP_LINES = 1_600;
