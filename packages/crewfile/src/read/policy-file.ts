/**
 * Policy file: the policies of a crew, written in crew.yaml or in a file of their own, and where each part of them stands.
 */
import { isAbsolute, join } from "node:path";
import type { Json } from "@baton/core";
import type { PolicyFinding } from "@baton/policy";
import { entryAt, itemAt, readJson, type Cursor } from "./yaml/cursor.ts";
import type { TextSpan } from "./yaml/finding.ts";
import type { SourceFile } from "./yaml/source-file.ts";
import { openYaml } from "./yaml/yaml-file.ts";

/** Policies as they were read; `source` if they have a file of their own. */
export type PolicyFile = Readonly<{ policies?: Json; root?: Cursor; source?: SourceFile }>;

/** Reads the field `policies`: a map, or the path of a file that holds one. */
export async function readPolicies(field: Cursor | undefined, folder: string): Promise<PolicyFile> {
  if (field === undefined) return {};
  if (field.value.kind !== "scalar" || typeof field.value.value !== "string") return toPolicies(field);
  const { text } = field.value;
  return openPolicies(isAbsolute(text) ? text : join(folder, text));
}

/** Reads a file of policies. */
export async function openPolicies(path: string): Promise<PolicyFile> {
  const { source, root } = await openYaml(path);
  return root === undefined ? { source } : { ...toPolicies(root), source };
}

function toPolicies(root: Cursor): PolicyFile {
  const policies = readJson(root);
  return policies === undefined ? { root } : { policies, root };
}

/** Reports findings about policies at the places where they are written. */
export function reportPolicies(findings: readonly PolicyFinding[], root: Cursor): void {
  for (const { path, part, span, ...defect } of findings) {
    let cursor = root;
    for (const name of path.slice(1)) {
      cursor = (typeof name === "number" ? itemAt(cursor, name) : entryAt(cursor, name)) ?? cursor;
    }
    const { key, value, source } = cursor;
    const own = part === "name" && key !== undefined ? key : value.span;
    source.report(span === undefined ? own : toSpan(cursor, span), cursor.path, defect);
  }
}

/** The part of an expression in its file; the whole of it if it is not written there as it is read. */
function toSpan({ source, value }: Cursor, { at, width }: NonNullable<PolicyFinding["span"]>): TextSpan {
  if (value.kind !== "scalar") return value.span;
  const { start, end } = value.span;
  const quoted = /^["']/.test(source.text.slice(start, start + 1)) ? 1 : 0;
  const isPlain = source.text.startsWith(value.text, start + quoted);
  const found = isPlain ? start + quoted + at : source.text.indexOf(value.text.slice(at, at + width), start);
  return found === -1 || found >= end ? value.span : { start: found, end: found + width };
}
