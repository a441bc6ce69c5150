/**
 * Source: a TypeScript file as the architecture rules read it.
 *
 * `toCode` blanks comments, strings and regular expressions with spaces, so that a rule finds code only and every
 * offset is still that of the file. It knows our own, formatted code; it is no parser.
 */

/** A file of the repository; `path` is relative to its root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Something found in a file, at an offset. */
export interface Found {
  readonly text: string;
  readonly index: number;
}

const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%>~^]|\b(?:return|typeof|case|in|of|throw|await|yield))$/;
const IMPORT = /(?<!\.)\b(?:from|import)\s*\(?\s*(["'])/g;

const known = new Map<string, string>();

/** The text with all that is not code blanked; quotes, and the code in a template's holes, stay. Many rules ask for it. */
export function toCode(text: string): string {
  const code = known.get(text) ?? blankOthers(text);
  known.set(text, code);
  return code;
}

function blankOthers(text: string): string {
  const holes: number[] = [];
  let code = "";
  let depth = 0;
  while (code.length < text.length) {
    const at = code.length;
    const char = text.charAt(at);
    if (text.startsWith("//", at)) {
      code += blank(text.slice(at, indexOrEnd(text, "\n", at)));
    } else if (text.startsWith("/*", at)) {
      code += blank(text.slice(at, indexOrEnd(text, "*/", at + 2) + 2));
    } else if (char === '"' || char === "'") {
      code += blankInside(text.slice(at, endOfQuoted(text, at, [char, "\n"])), 1);
    } else if (char === "`" || (char === "}" && holes.at(-1) === depth)) {
      if (char === "}") holes.pop();
      const chunk = text.slice(at, endOfQuoted(text, at, ["`", "${"]));
      if (chunk.endsWith("${")) holes.push(depth);
      code += blankInside(chunk, chunk.endsWith("${") ? 2 : 1);
    } else if (char === "/" && BEFORE_REGEX.test(code.trimEnd())) {
      code += blankInside(text.slice(at, endOfRegex(text, at)), 1);
    } else {
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      code += char;
    }
  }
  return code;
}

/** What a file imports, statically, by type or by `import()`. */
export function importsOf(file: SourceFile): readonly Found[] {
  return [...toCode(file.text).matchAll(IMPORT)].map((match) => {
    const index = match.index + match[0].length;
    const quote = match[1] ?? '"';
    return { text: file.text.slice(index, file.text.indexOf(quote, index)), index };
  });
}

/** Each piece between the commas of each pair of parentheses, without what is nested in it. */
export function parametersOf(code: string): readonly Found[] {
  const found: Found[] = [];
  const open: { readonly bracket: string; pieces: Found[] }[] = [];
  for (const [index, char] of code.split("").entries()) {
    const frame = open.at(-1);
    if ("([{".includes(char)) {
      open.push({ bracket: char, pieces: [{ text: "", index: index + 1 }] });
    } else if (")]}".includes(char)) {
      open.pop();
      if (frame?.bracket === "(") found.push(...frame.pieces);
    } else if (char === ",") {
      frame?.pieces.push({ text: "", index: index + 1 });
    } else {
      const piece = frame?.pieces.pop();
      if (piece) frame?.pieces.push({ text: piece.text + char, index: piece.index });
    }
  }
  return found;
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** How many lines a text has; a newline at its end opens no further one. */
export function countLines(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

/** How many lines hold code. */
export function countCodeLines(text: string): number {
  return toCode(text)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function blankInside(text: string, closing: number): string {
  if (text.length <= 1 + closing) return text;
  return text.charAt(0) + blank(text.slice(1, -closing)) + text.slice(-closing);
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
}

function endOfQuoted(text: string, start: number, closers: readonly string[]): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const closer = closers.find((candidate) => text.startsWith(candidate, at));
    if (closer !== undefined) return at + closer.length;
    if (text.charAt(at) === "\\") at += 1;
  }
  return text.length;
}

function endOfRegex(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\n" || (char === "/" && !inClass)) return at + 1;
    if (char === "[") inClass = true;
    if (char === "]") inClass = false;
    if (char === "\\") at += 1;
  }
  return text.length;
}
