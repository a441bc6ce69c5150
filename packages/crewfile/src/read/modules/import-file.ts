/**
 * Import file: what a module of a crew's folder exports.
 *
 * Anything that goes wrong while it is imported is a finding at the line and column of the code that is wrong, in this
 * file or in one that it imports.
 */
import { open, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "@baton/core/ports";
import { type CodePlace, findCodePlace } from "./code-place.ts";
import { toCodeDefect } from "./code-names.ts";
import type { Defect, TextSpan } from "../yaml/finding.ts";
import { SourceFile } from "../yaml/source-file.ts";

/** Imports a module; the default is the language's own `import`. */
export type ImportModule = (url: string) => Promise<unknown>;

/** A module that was imported: its exports by name, or only findings if it could not be. */
export interface ImportedFile {
  /** Absolute. */
  readonly file: string;
  readonly source: SourceFile;
  readonly exports?: ReadonlyMap<string, unknown>;
}

const MAX_BYTES = 1_024 * 1_024;
const MAX_LOAD_MS = 30_000;
const DEFAULT_EXPORT = "export default";
const NOT_A_MODULE = /^Cannot use import statement outside a module|^Unexpected token 'export'/;

const importModule: ImportModule = async (url) => import(url);

/** Imports a file; `code` names the finding if that fails. */
export async function importFile(path: string, code: string, load = importModule): Promise<ImportedFile> {
  const file = resolve(path);
  try {
    const module = await inTime(load(pathToFileURL(file).href));
    const exports = new Map(typeof module === "object" && module !== null ? Object.entries(module) : []);
    return { file, source: await openCode(path), exports };
  } catch (error) {
    const folder = dirname(await realpath(file).catch(() => file));
    const place = findCodePlace(error, folder);
    const name = place === undefined ? path : join(dirname(path), relative(folder, place.file));
    const source = await openCode(name);
    for (const { path: field = "", ...defect } of toDefects(error, code)) {
      source.report(toSpan(source, place), field, defect);
    }
    return { file, source };
  }
}

/** A module that awaits what never happens would be waited for without end, or end the process without a word. */
async function inTime(loading: Promise<unknown>): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const why = `it took longer than ${MAX_LOAD_MS / 1_000} s; look for an \`await\` that never ends`;
  const timer = setTimeout(() => late.reject(new Error(why)), MAX_LOAD_MS);
  try {
    return await Promise.race([loading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The text of a file of code, for findings in it; empty if it cannot be read. */
export async function openCode(path: string): Promise<SourceFile> {
  try {
    await using file = await open(path);
    const buffer = new Uint8Array(MAX_BYTES);
    const { bytesRead } = await file.read(buffer);
    return new SourceFile(path, new TextDecoder().decode(buffer.subarray(0, bytesRead)));
  } catch {
    return new SourceFile(path, "");
  }
}

/** The part of a file that a place is. */
function toSpan(source: SourceFile, place: CodePlace | undefined): TextSpan {
  if (place?.line !== undefined) return source.spanAt(place.line, place.column ?? 1);
  const { text } = place ?? {};
  return text === undefined ? { start: 0, end: 0 } : findText(source, text);
}

/** Where the default export begins. */
export function toDefaultExport(source: SourceFile): TextSpan {
  return findText(source, DEFAULT_EXPORT);
}

/** Where a name is first written as a text, else where the default export begins. */
export function toNamedPart(source: SourceFile, name: string): TextSpan {
  const quoted = ['"', "'", "`"].map((quote) => `${quote}${name}${quote}`).find((one) => source.text.includes(one));
  return quoted === undefined ? toDefaultExport(source) : findText(source, quoted);
}

function findText({ text }: SourceFile, part: string): TextSpan {
  const start = text.indexOf(part);
  return start === -1 ? { start: 0, end: 0 } : { start, end: start + part.length };
}

/** A definition that was refused has a finding for each of its errors. */
function toDefects(error: unknown, code: string): readonly (Defect & { path?: string })[] {
  const cause = error instanceof Error ? error.cause : undefined;
  const findings = typeof cause === "object" && cause !== null && "findings" in cause ? cause.findings : undefined;
  const listed: readonly unknown[] = Array.isArray(findings) ? findings : [];
  const defects = listed.filter(isFinding).map(toCodeDefect);
  if (defects.length > 0) return defects;
  const reason = toReason(error);
  const fix = NOT_A_MODULE.test(reason)
    ? 'add "type": "module" to package.json (`npm pkg set type=module`), or rename the file to .mts'
    : "fix the file, then check again";
  return [{ code, message: `the file cannot be imported: ${reason}`, fix }];
}

function isFinding(value: unknown): value is Finding {
  if (typeof value !== "object" || value === null || !("path" in value) || !Array.isArray(value.path)) return false;
  return ["code", "message", "fix"].every((name) => typeof Reflect.get(value, name) === "string");
}

function toReason(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : `it threw ${String(error)}`;
  return text.slice(0, 500);
}
