/**
 * Delimited: text with one record a line and fields between separators, as CSV and TSV files have it.
 */

/** The records, each a map from the lower-case name in the first line to its field; an absent field is "". */
export function parseDelimited(text: string, separator: string): readonly ReadonlyMap<string, string>[] {
  const [head = [], ...records] = parseRecords(text, separator);
  const names = head.map((name) => name.trim().toLowerCase());
  return records.map((record) => new Map(names.map((name, index) => [name, record[index] ?? ""])));
}

/** The number in a field; NaN if it is empty. */
export function toNumber(field: string | undefined): number {
  return field === undefined || field.trim() === "" ? Number.NaN : Number(field);
}

function parseRecords(text: string, separator: string): readonly (readonly string[])[] {
  return text
    .split("\n")
    .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
    .filter((line) => line !== "")
    .map((line) => parseLine(line, separator));
}

function parseLine(line: string, separator: string): readonly string[] {
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const quoted = line[at] === '"';
    const { field, end } = quoted ? readQuoted(line, at + 1) : readPlain(line, at, separator);
    fields.push(field);
    at = end + 1;
  }
  return fields;
}

function readPlain(line: string, start: number, separator: string): { field: string; end: number } {
  const found = line.indexOf(separator, start);
  const end = found === -1 ? line.length : found;
  return { field: line.slice(start, end), end };
}

function readQuoted(line: string, start: number): { field: string; end: number } {
  let field = "";
  let at = start;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote === -1) throw new SyntaxError(`a quoted field does not end: ${line.slice(start, start + 40)}`);
    field += line.slice(at, quote);
    if (line[quote + 1] !== '"') return { field, end: quote + 1 };
    field += '"';
    at = quote + 2;
  }
}
