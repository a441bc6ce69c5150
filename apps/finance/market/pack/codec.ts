/**
 * Codec: tables of numbers as bytes. A column is stored as scaled whole numbers in as few bytes as they need, so that
 * a decimal comes back as exactly the number it was written as.
 */

/** The name and the encoding of a stored column. */
export interface ColumnShape {
  readonly name: string;
  /** Digits after the decimal point. */
  readonly scale: number;
  /** `delta`: differences between rows; a column's name: differences to that column's value in the same row. */
  readonly relativeTo?: string;
}

/** The name and the columns of a stored table. */
export interface TableShape {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnShape[];
}

/** Columns by name; a missing value is NaN. */
export type Columns = ReadonlyMap<string, Float64Array>;

const MISSING = 0;

/** The bytes of one table. */
export function encodeTable(shape: TableShape, columns: Columns): Uint8Array {
  const out: number[] = [];
  for (const { name, scale, relativeTo } of shape.columns) {
    const factor = 10 ** scale;
    const whole = scaled(columnOf(columns, name), factor);
    const base =
      relativeTo === undefined || relativeTo === "delta" ? undefined : scaled(columnOf(columns, relativeTo), factor);
    let before = 0;
    for (let row = 0; row < shape.rows; row += 1) {
      const value = whole[row] ?? Number.NaN;
      if (Number.isNaN(value)) {
        out.push(MISSING);
        continue;
      }
      writeVarint(out, toNatural(value - (base?.[row] ?? before)) + 1);
      if (relativeTo === "delta") before = value;
    }
  }
  return Uint8Array.from(out);
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads one table from the bytes that it was written to. */
export function decodeTable(shape: TableShape, bytes: Uint8Array): Columns {
  const cursor: Cursor = { bytes, at: 0 };
  const wholes = new Map<string, Float64Array>();
  const columns = new Map<string, Float64Array>();
  for (const { name, scale, relativeTo } of shape.columns) {
    const whole = new Float64Array(shape.rows);
    const base = relativeTo === undefined || relativeTo === "delta" ? undefined : columnOf(wholes, relativeTo);
    let before = 0;
    for (let row = 0; row < shape.rows; row += 1) {
      const natural = readVarint(cursor);
      const value = natural === MISSING ? Number.NaN : fromNatural(natural - 1) + (base?.[row] ?? before);
      whole[row] = value;
      if (relativeTo === "delta") before = value;
    }
    wholes.set(name, whole);
    const factor = 10 ** scale;
    columns.set(name, scale === 0 ? whole : whole.map((value) => value / factor));
  }
  return columns;
}

/** A column that must be there. */
export function columnOf(columns: Columns, name: string): Float64Array {
  const column = columns.get(name);
  if (column === undefined) throw new RangeError(`the table has no column "${name}"`);
  return column;
}

const scaled = (column: Float64Array, factor: number): Float64Array =>
  column.map((value) => Math.round(value * factor));

const toNatural = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const fromNatural = (natural: number): number => (natural % 2 === 0 ? natural / 2 : -(natural + 1) / 2);

/** Arithmetic instead of shifts: amounts of money have more than 32 bits. */
function writeVarint(out: number[], natural: number): void {
  let rest = natural;
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  let weight = 1;
  for (;;) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new RangeError("the pack ends in the middle of a table");
    cursor.at += 1;
    if (byte < 128) return value + byte * weight;
    value += (byte - 128) * weight;
    weight *= 128;
  }
}
