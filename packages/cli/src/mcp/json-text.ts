/**
 * JSON text: sets one member of a JSON file and leaves every other byte as it is.
 */

/** A member of an object, and where it stands in the text. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** An object, and where it stands. */
interface ObjectText {
  readonly members: readonly Member[];
  readonly start: number;
  readonly end: number;
}

/** The value at a path; undefined if there is none. */
export function readMember(text: string, path: readonly string[]): unknown {
  const found = findMember(text, path);
  return found === undefined ? undefined : JSON.parse(text.slice(found.valueStart, found.end));
}

/**
 * The text with this value at the path. Undefined if the text is not plain JSON, if a part of the path is not an object,
 * or if an object has a name of the path twice.
 */
export function setMember(text: string, path: readonly string[], value: unknown): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return setIn(text, { at: skipSpace(text, 0), path, value });
}

type Setting = Readonly<{ at: number; path: readonly string[]; value: unknown }>;

function setIn(text: string, { at, path: [name = "", ...rest], value }: Setting): string | undefined {
  const object = readObject(text, at);
  if (object === undefined) return undefined;
  const [found, again] = object.members.filter((member) => member.name === name);
  if (again !== undefined) return undefined;
  if (found !== undefined && rest.length > 0) return setIn(text, { at: found.valueStart, path: rest, value });
  const whole = rest.reduceRight<unknown>((inside, key) => Object.fromEntries([[key, inside]]), value);
  const layout = toLayout(text, object);
  const written = toText(whole, layout);
  if (found !== undefined) return text.slice(0, found.valueStart) + written + text.slice(found.end);
  const member = `${layout.before}${JSON.stringify(name)}: ${written}`;
  const last = object.members.at(-1);
  if (last !== undefined) return `${text.slice(0, last.end)},${member}${text.slice(last.end)}`;
  return `${text.slice(0, object.start + 1)}${member}${layout.after}${text.slice(object.end - 1)}`;
}

function findMember(text: string, path: readonly string[]): Member | undefined {
  let at = skipSpace(text, 0);
  let found: Member | undefined;
  for (const name of path) {
    found = readObject(text, at)?.members.find((member) => member.name === name);
    if (found === undefined) return undefined;
    at = found.valueStart;
  }
  return found;
}

interface Layout {
  /** Whitespace before a member: a new line with its indent, or a space. */
  readonly before: string;
  /** Whitespace between the only member and the closing brace. */
  readonly after: string;
  readonly unit: string;
}

/** The indents of an object, as its own members or the lines of the file have them. */
function toLayout(text: string, { members, start }: ObjectText): Layout {
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const own = members.at(-1);
  if (own !== undefined) return { before: spaceBefore(text, own.start), after: "", unit };
  const line = text.slice(text.lastIndexOf("\n", start) + 1);
  const outer = line.slice(0, skipSpace(line, 0));
  return { before: newLine + outer + unit, after: newLine + outer, unit };
}

function spaceBefore(text: string, at: number): string {
  let start = at;
  while (" \t\r\n".includes(text[start - 1] ?? "x")) start -= 1;
  const space = text.slice(start, at);
  // The first of two members on one line has no space before it.
  return space.includes("\n") ? space.slice(space.lastIndexOf("\n") - (space.includes("\r\n") ? 1 : 0)) : " ";
}

function toText(value: unknown, { before, unit }: Layout): string {
  if (!before.includes("\n")) return JSON.stringify(value);
  return JSON.stringify(value, undefined, unit).replaceAll("\n", before);
}

/** The object that begins here; undefined if another value does. The text is known to be JSON. */
function readObject(text: string, start: number): ObjectText | undefined {
  if (text[start] !== "{") return undefined;
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}") {
    const nameEnd = skipString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = skipValue(text, valueStart);
    members.push({ name: String(JSON.parse(text.slice(at, nameEnd))), start: at, valueStart, end });
    const next = skipSpace(text, end);
    at = text[next] === "," ? skipSpace(text, next + 1) : next;
  }
  return { members, start, end: at + 1 };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '"') return skipString(text, from);
  let at = from;
  if (first !== "{" && first !== "[") {
    while (at < text.length && !",}] \t\r\n".includes(text.charAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const sign = text.charAt(at);
    if (sign === "{" || sign === "[") depth += 1;
    if (sign === "}" || sign === "]") depth -= 1;
    at = sign === '"' ? skipString(text, at) : at + 1;
  } while (depth > 0);
  return at;
}
