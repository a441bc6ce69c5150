/**
 * Pack writer: tables of numbers and their strings as the bytes of a pack. The same tables give the same bytes.
 */
import { brotliCompressSync, constants } from "node:zlib";
import { type Columns, type ColumnShape, encodeTable, type TableShape } from "./codec.ts";

/** A table and how it is stored. */
export interface Table {
  readonly shape: TableShape;
  readonly columns: Columns;
}

/** The number of a text. */
export type Index = (text: string) => number;

/** Texts by number; each is stored once. */
export class StringTable {
  readonly #numbers = new Map<string, number>();

  indexOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  get texts(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}

/** A table of rows, by what each column reads of one. */
export function toTable<T>(
  name: string,
  rows: readonly T[],
  columns: readonly (readonly [ColumnShape, (row: T) => number])[],
): Table {
  return {
    shape: { name, rows: rows.length, columns: columns.map(([shape]) => shape) },
    columns: new Map(columns.map(([shape, value]) => [shape.name, Float64Array.from(rows, value)])),
  };
}

/** The content of a pack. */
export interface PackContent {
  readonly tables: readonly Table[];
  readonly strings: StringTable;
  readonly series: readonly unknown[];
  /** Of the compression, 0 to 11: the higher the slower. */
  readonly quality: number;
}

/** The bytes of a pack, before and after compression. */
export function writePack({ tables, strings, series, quality }: PackContent) {
  const encoded = tables.map(({ shape, columns }) => ({ shape, bytes: encodeTable(shape, columns) }));
  const head = {
    format: 1,
    strings: strings.texts,
    tables: encoded.map(({ shape, bytes }) => ({ ...shape, bytes: bytes.length })),
    series,
  };
  const plain = toPlain(
    head,
    encoded.map(({ bytes }) => bytes),
  );
  return { plain, packed: compress(plain, quality) };
}

function toPlain(head: unknown, tables: readonly Uint8Array[]): Uint8Array {
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, headBytes.length);
  return Buffer.concat([length, headBytes, ...tables]);
}

function compress(plain: Uint8Array, quality: number): Uint8Array {
  return brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
}
