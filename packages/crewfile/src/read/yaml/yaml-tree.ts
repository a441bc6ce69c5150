/**
 * Tree: one YAML document as plain data that knows its places.
 *
 * Keys are entries of a Map, so a key may have any name; an alias is the very value it stands for. A key that occurs
 * twice, an alias of nothing or inside its own value, and every error of syntax is a finding.
 */
import { Composer, isAlias, isMap, isScalar, isSeq, type Document, type YAMLMap, type YAMLSeq } from "yaml";
import type { TextSpan } from "./finding.ts";
import { readTokens } from "./yaml-tokens.ts";
import type { SourceFile } from "./source-file.ts";

/** A value of a YAML file and its place. */
export type YamlValue = YamlScalar | YamlList | YamlMap;

export interface YamlScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** As it is written, without quotes. */
  readonly text: string;
  readonly span: TextSpan;
}

export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlValue[];
  readonly span: TextSpan;
}

export interface YamlMap {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, YamlEntry>;
  readonly span: TextSpan;
}

export interface YamlEntry {
  readonly key: TextSpan;
  readonly value: YamlValue;
}

const MAX_ERRORS = 20;

/** The document of a file, or of its beginning; undefined, with findings, if it cannot be read. Empty text is null. */
export function parseTree(source: SourceFile, text = source.text): YamlValue | undefined {
  if (reportControlCharacter(source)) return undefined;
  const tokens = readTokens(source, text);
  if (tokens === undefined) return undefined;
  // Two equal keys are looked for here, with a Map; the library compares each key with all others.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent", version: "1.2" });
  const documents = withoutStacks(() => [...composer.compose(tokens, true, text.length)]);
  const [document] = documents;
  if (document === undefined) return undefined;
  if (documents[1] !== undefined) {
    const { range } = documents[1];
    const fix = "keep one of them, and remove the lines with ---";
    source.report(toSpan(range), "", {
      code: "several_documents",
      message: "the file has several YAML documents",
      fix,
    });
    return undefined;
  }
  if (reportErrors(document, source)) return undefined;
  return new Conversion(source).convert(document.contents);
}

/** Runs work that makes thousands of errors of a hostile file; recording their stacks would take most of the time. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function reportErrors(document: Document.Parsed, source: SourceFile): boolean {
  for (const { pos, message } of document.errors.slice(0, MAX_ERRORS)) {
    const fix = "check indentation and brackets, and quote text that has : # [ ] { } or quotes in it";
    source.report({ start: pos[0], end: pos[1] }, "", { code: "invalid_yaml", message: toSentence(message), fix });
  }
  for (const { pos, message } of document.warnings.slice(0, MAX_ERRORS)) {
    const span = { start: pos[0], end: pos[1] };
    source.report(span, "", {
      code: "yaml_warning",
      severity: "warning",
      message: toSentence(message),
      fix: "remove it",
    });
  }
  return document.errors.length > 0;
}

/** A character that no text file holds; it is probably not one. */
function reportControlCharacter(source: SourceFile): boolean {
  const offset = source.text.indexOf("\0");
  if (offset === -1) return false;
  const message = "the file has a NUL character in it";
  source.report({ start: offset, end: offset + 1 }, "", {
    code: "invalid_character",
    message,
    fix: "save it as UTF-8 text",
  });
  return true;
}

function toSentence(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1, 300);
}

function toSpan(range: readonly [number, number, number] | null | undefined): TextSpan {
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

/** One pass over a document in its order, so that an anchor is known before its aliases. */
class Conversion {
  readonly #source: SourceFile;
  readonly #anchors = new Map<string, YamlValue | "open">();

  constructor(source: SourceFile) {
    this.#source = source;
  }

  convert(node: unknown): YamlValue {
    if (isAlias(node)) return this.#resolve(node.source, toSpan(node.range));
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const value = this.#convertPlain(node);
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    return value;
  }

  #convertPlain(node: unknown): YamlValue {
    if (isMap(node)) return this.#convertMap(node);
    if (isSeq(node)) return this.#convertList(node);
    if (!isScalar(node)) return toNull({ start: 0, end: 0 });
    const { value, source, range } = node;
    const span = toSpan(range);
    if (value === null || typeof value === "number" || typeof value === "boolean") {
      return { kind: "scalar", value, text: source ?? "", span };
    }
    const text = typeof value === "string" ? value : (source ?? "");
    return { kind: "scalar", value: text, text, span };
  }

  #convertList({ items, range }: YAMLSeq): YamlList {
    return { kind: "list", items: items.map((item) => this.convert(item)), span: toSpan(range) };
  }

  #convertMap({ items, range }: YAMLMap): YamlMap {
    const entries = new Map<string, YamlEntry>();
    const merged: YamlValue[] = [];
    for (const pair of items) {
      const key = this.convert(pair.key);
      const value = this.convert(pair.value);
      if (key.kind !== "scalar" || key.text === "") this.#reportKey(key.span);
      else if (key.text === "<<") merged.push(value);
      else if (entries.has(key.text)) this.#reportDuplicate(key, entries.get(key.text));
      else entries.set(key.text, { key: key.span, value });
    }
    for (const value of merged) mergeInto(entries, value);
    return { kind: "map", entries, span: toSpan(range) };
  }

  #resolve(name: string, span: TextSpan): YamlValue {
    const target = this.#anchors.get(name);
    if (target !== undefined && target !== "open") return target;
    const message =
      target === "open"
        ? `the alias *${name} is inside the value it names`
        : `there is no anchor &${name} before this alias`;
    this.#source.report(span, "", { code: "invalid_alias", message, fix: "write the value out" });
    return toNull(span);
  }

  #reportKey(span: TextSpan): void {
    const defect = { code: "invalid_key", message: "a key must be one word of text", fix: "write it as `name: value`" };
    this.#source.report(span, "", defect);
  }

  #reportDuplicate(key: YamlScalar, first: YamlEntry | undefined): void {
    const line = this.#source.lineAt(first?.key.start ?? 0);
    const message = `\`${key.text}\` is already in line ${line}`;
    this.#source.report(key.span, key.text, { code: "duplicate_key", message, fix: "remove one of the two" });
  }
}

/** Adds the entries that `<<` merges in, from a map or a list of maps; entries that exist are kept. */
function mergeInto(entries: Map<string, YamlEntry>, value: YamlValue): void {
  const maps = value.kind === "list" ? value.items : [value];
  for (const map of maps) {
    if (map.kind !== "map") continue;
    for (const [name, entry] of map.entries) if (!entries.has(name)) entries.set(name, entry);
  }
}

function toNull(span: TextSpan): YamlScalar {
  return { kind: "scalar", value: null, text: "", span };
}
