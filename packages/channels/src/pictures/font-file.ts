/**
 * Font file: a WOFF2 file under another family name, and the widths of its letters.
 */
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

const HEADER = { length: 8, tables: 12, compressed: 20, directory: 48 } as const;
/** Numbers of tables in a WOFF2 directory. */
const TAGS = { cmap: 0, head: 1, hhea: 2, hmtx: 3, glyf: 10, loca: 11, other: 63 } as const;

interface FontTable {
  readonly tag: number;
  readonly isTransformed: boolean;
  readonly at: number;
}

/** A font that was read. */
export class FontFile {
  readonly #font: Buffer;
  readonly #data: Buffer;
  readonly #start: number;
  readonly #tables: readonly FontTable[];

  constructor(font: Buffer) {
    const { tables, start } = readDirectory(font);
    this.#font = font;
    this.#tables = tables;
    this.#start = start;
    this.#data = brotliDecompressSync(font.subarray(start, start + font.readUInt32BE(HEADER.compressed)));
  }

  /** The file with another family name of the same length. */
  rename(from: string, to: string): Buffer {
    const data = Buffer.from(this.#data);
    const [known, wanted] = [toUtf16(from), toUtf16(to)];
    for (let at = data.indexOf(known); at !== -1; at = data.indexOf(known, at + 1)) wanted.copy(data, at);
    const packed = brotliCompressSync(data);
    const padding = Buffer.alloc((4 - ((this.#start + packed.length) % 4)) % 4);
    const renamed = Buffer.concat([this.#font.subarray(0, this.#start), packed, padding]);
    renamed.writeUInt32BE(renamed.length, HEADER.length);
    renamed.writeUInt32BE(packed.length, HEADER.compressed);
    return renamed;
  }

  /** The widths of its letters by their codes, as parts of the font's size. */
  readWidths(): ReadonlyMap<number, number> {
    const data = this.#data;
    const unitsPerEm = data.readUInt16BE(this.#find(TAGS.head).at + 18);
    const metrics = data.readUInt16BE(this.#find(TAGS.hhea).at + 34);
    const { at, isTransformed } = this.#find(TAGS.hmtx);
    const widthOf = (glyph: number) => {
      const index = Math.min(glyph, metrics - 1);
      // Transformed, it begins with one byte, and widths stand alone.
      return data.readUInt16BE(isTransformed ? at + 1 + index * 2 : at + index * 4) / unitsPerEm;
    };
    const widths = new Map<number, number>();
    for (const [code, glyph] of readGlyphs(data, this.#find(TAGS.cmap).at)) widths.set(code, widthOf(glyph));
    return widths;
  }

  #find(tag: number): FontTable {
    const found = this.#tables.find((table) => table.tag === tag);
    if (found === undefined) throw new Error(`the font has no table ${tag}`);
    return found;
  }
}

function readDirectory(font: Buffer): { readonly tables: readonly FontTable[]; readonly start: number } {
  const tables: FontTable[] = [];
  let at: number = HEADER.directory;
  let end = 0;
  const readNumber = () => {
    let number = 0;
    for (let byte = 0x80; byte >= 0x80;) {
      byte = font[at++] ?? 0;
      number = number * 128 + (byte & 0x7f);
    }
    return number;
  };
  for (let left = font.readUInt16BE(HEADER.tables); left > 0; left--) {
    const flags = font[at++] ?? 0;
    const tag = flags & 0x3f;
    if (tag === TAGS.other) at += 4;
    const length = readNumber();
    // `glyf` and `loca` are transformed unless they say otherwise; all others only if they say so.
    const isTransformed = tag === TAGS.glyf || tag === TAGS.loca ? flags >> 6 !== 3 : flags >> 6 !== 0;
    tables.push({ tag, isTransformed, at: end });
    end += isTransformed ? readNumber() : length;
  }
  return { tables, start: at };
}

/** Codes and glyphs of the subtable of format 4, which every font for the web has. */
function* readGlyphs(data: Buffer, cmap: number): Generator<readonly [code: number, glyph: number]> {
  const subtables = Array.from(
    { length: data.readUInt16BE(cmap + 2) },
    (_, index) => cmap + data.readUInt32BE(cmap + 8 + index * 8),
  );
  const at = subtables.find((subtable) => data.readUInt16BE(subtable) === 4);
  if (at === undefined) return;
  const bytes = data.readUInt16BE(at + 6);
  for (let segment = at + 14; segment < at + 14 + bytes; segment += 2) {
    const first = data.readUInt16BE(segment + bytes + 2);
    const delta = data.readUInt16BE(segment + bytes * 2 + 2);
    const place = segment + bytes * 3 + 2;
    const offset = data.readUInt16BE(place);
    for (let code = first; code <= data.readUInt16BE(segment) && code < 0xffff; code++) {
      const listed = offset === 0 ? code : data.readUInt16BE(place + offset + (code - first) * 2);
      if (listed !== 0) yield [code, (listed + delta) & 0xffff];
    }
  }
}

function toUtf16(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}
