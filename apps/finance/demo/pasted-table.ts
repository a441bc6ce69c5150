/**
 * Pasted table: the lines of a message that are a table of holdings, and the words around it.
 */

/** A table as text, and what else the message says. */
export type PastedTable = Readonly<{ csv: string; rest: string }>;

const SEPARATORS = [",", ";", "\t"] as const;
const HEADER = /symbol|ticker|quantity|shares|qty|mã|ma ck|số lượng|khối lượng/iu;

/** Finds a table: a head with known columns, and at least one row with as many. */
export function findTable(message: string): PastedTable | undefined {
  const lines = message.split("\n");
  const separator = SEPARATORS.find((sign) => lines.some((line) => isHead(line, sign)));
  if (separator === undefined) return undefined;
  const start = lines.findIndex((line) => isHead(line, separator));
  const columns = (lines[start] ?? "").split(separator).length;
  let end = start + 1;
  while (end < lines.length && (lines[end] ?? "").split(separator).length >= Math.min(2, columns)) end += 1;
  if (end - start < 2) return undefined;
  return { csv: lines.slice(start, end).join("\n"), rest: [...lines.slice(0, start), ...lines.slice(end)].join(" ") };
}

const isHead = (line: string, separator: string): boolean => line.includes(separator) && HEADER.test(line);
