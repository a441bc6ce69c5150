/**
 * Code module: the programs that a crew's code.ts exports, by the names that `model: code/<name>` uses, and its
 * `wrapModel`.
 */
import type { Model } from "@baton/core";
import type { WrapModel } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { importFile, type ImportModule, toDefaultExport } from "./import-file.ts";
import type { SourceFile } from "../yaml/source-file.ts";

/** The programs of a module; only findings if it could not be used. */
export interface CodeModule {
  readonly source: SourceFile;
  readonly programs?: ReadonlyMap<string, Model>;
  readonly wrapModel?: WrapModel;
}

/** Imports the programs of a file. */
export async function loadPrograms(path: string, load?: ImportModule): Promise<CodeModule> {
  const { source, exports } = await importFile(path, "unloadable_code", load);
  if (exports === undefined) return { source };
  const programs = toPrograms(exports.get("default"));
  const wrapModel = exports.get("wrapModel");
  const refuse = (message: string, fix: string): CodeModule => {
    source.report(toDefaultExport(source), "", { code: "invalid_code", message, fix });
    return { source };
  };
  if (typeof programs === "string") {
    return refuse(programs, 'write `export default { name: defineProgram((prompt) => ({ say: "…" })) }`');
  }
  if (wrapModel !== undefined && !isWrapModel(wrapModel)) {
    return refuse("`wrapModel` is not a function", "write `export const wrapModel = (model, agent) => model`");
  }
  return { source, programs, ...omitUndefined({ wrapModel }) };
}

function isWrapModel(value: unknown): value is WrapModel {
  return typeof value === "function";
}

/** The programs of an object, or what it is instead. */
function toPrograms(value: unknown): ReadonlyMap<string, Model> | string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "the default export is not an object of programs";
  }
  const programs = new Map<string, Model>();
  for (const [name, program] of Object.entries(value)) {
    if (!isProgram(program)) return `\`${name.slice(0, 60)}\` of the default export was not made by defineProgram`;
    programs.set(name, program);
  }
  return programs;
}

function isProgram(value: unknown): value is Model {
  if (typeof value !== "object" || value === null || !("isProgram" in value)) return false;
  return value.isProgram === true && "stream" in value && typeof value.stream === "function";
}
