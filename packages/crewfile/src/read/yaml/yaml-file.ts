/**
 * File: the text of one file of a crew, refused before it is read if it is too large or not a file.
 */
import { open, stat } from "node:fs/promises";
import type { Cursor } from "./cursor.ts";
import type { Defect } from "./finding.ts";
import { MAX_BYTES } from "./yaml-tokens.ts";
import { SourceFile } from "./source-file.ts";
import { parseTree } from "./yaml-tree.ts";

/** A file that was opened: its source, and its document if it could be read. */
export interface OpenedFile {
  readonly source: SourceFile;
  readonly root?: Cursor;
}

/** Whether there is a regular file of this name. */
export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** Reads and parses a YAML file; everything wrong with it is a finding of its source. */
export async function openYaml(path: string): Promise<OpenedFile> {
  const source = await openText(path);
  if (source.findings.length > 0) return { source };
  const value = parseTree(source);
  if (value === undefined) return { source };
  if (value.kind !== "scalar" || value.value !== null) return { source, root: { source, path: "", value } };
  const fix = "write something into it, or delete it";
  return { source: refuse(source, { code: "empty_file", message: "the file is empty", fix }) };
}

/** Reads a file of UTF-8 text; one that cannot be read has no text, and a finding that says why. */
export function openText(path: string): Promise<SourceFile> {
  return readBoundedText(path, MAX_BYTES);
}

/** Reads a file of UTF-8 text of at most so many bytes, as `openText` does. */
export async function readBoundedText(path: string, maxBytes: number): Promise<SourceFile> {
  const bytes = await readBytes(path, maxBytes);
  if (typeof bytes === "string") {
    const fix = "check the name, and that you may read the file";
    return refuse(new SourceFile(path, ""), { code: "unreadable_file", message: bytes, fix });
  }
  if (bytes.length > maxBytes) {
    const message = `the file is larger than ${maxBytes / 1_024} KB`;
    return refuse(new SourceFile(path, ""), { code: "too_large", message, fix: "make it smaller" });
  }
  const source = new SourceFile(path, new TextDecoder().decode(bytes));
  if (isUtf8(bytes)) return source;
  const start = Math.max(0, source.text.indexOf("\uFFFD"));
  const defect = { code: "invalid_character", message: "the file is not UTF-8 text", fix: "save it as UTF-8" };
  source.report({ start, end: start + 1 }, "", defect);
  return source;
}

function refuse(source: SourceFile, defect: Defect): SourceFile {
  source.report({ start: 0, end: 0 }, "", defect);
  return source;
}

/** The bytes of a file, one more than the cap at most; or why it cannot be read. */
async function readBytes(path: string, maxBytes: number): Promise<Uint8Array | string> {
  try {
    // Reading a pipe could wait without end.
    const found = await stat(path);
    if (!found.isFile()) return "this is not a file";
    await using file = await open(path);
    const buffer = new Uint8Array(Math.min(found.size, maxBytes) + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT"
      ? "there is no such file"
      : String(error);
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
