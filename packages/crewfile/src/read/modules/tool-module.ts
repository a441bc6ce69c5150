/**
 * Tool module: the tools that a crew's tools.ts exports, and what it wants to do before the process ends.
 */
import type { Tool } from "@baton/core";
import { type ImportedFile, importFile, type ImportModule, toDefaultExport, toNamedPart } from "./import-file.ts";

/** A module's cleanup before the process ends, such as closing connections or writing its data. May be async. */
export type OnShutdown = () => unknown;

/** The exports of a module; only findings if it could not be used. */
export interface ToolModule extends Pick<ImportedFile, "file" | "source"> {
  readonly tools?: readonly Tool[];
  readonly onShutdown?: OnShutdown;
}

const EFFECTS: readonly unknown[] = ["read", "idempotent", "irreversible"];

/** Imports the tools of a file. */
export async function loadTools(path: string, load?: ImportModule): Promise<ToolModule> {
  const { file, source, exports } = await importFile(path, "unloadable_tools", load);
  if (exports === undefined) return { file, source };
  const tools = toTools(exports.get("default"));
  if (typeof tools === "string") {
    const fix = "write `export default [oneTool, anotherTool]`";
    source.report(toDefaultExport(source), "", { code: "invalid_tools", message: tools, fix });
    return { file, source };
  }
  return { file, source, tools, ...readOnShutdown({ source, exports }) };
}

/** The export `onShutdown` of a module. */
export function readOnShutdown({ source, exports }: Pick<ImportedFile, "source" | "exports">): {
  onShutdown?: OnShutdown;
} {
  const onShutdown = exports?.get("onShutdown");
  if (onShutdown === undefined) return {};
  if (isCallback(onShutdown)) return { onShutdown };
  const fix = "write `export async function onShutdown() { … }`, or remove it";
  const span = toNamedPart(source, "onShutdown");
  source.report(span, "", { code: "invalid_export", message: "`onShutdown` is not a function", fix });
  return {};
}

function isCallback(value: unknown): value is OnShutdown {
  return typeof value === "function";
}

/** The tools of a list, or what it is instead. */
function toTools(list: unknown): readonly Tool[] | string {
  if (!Array.isArray(list)) return "the default export is not a list of tools";
  const items: readonly unknown[] = list;
  const tools = items.filter(isTool);
  if (tools.length === items.length) return tools;
  return `item ${items.findIndex((item) => !isTool(item))} of the default export was not made by defineTool`;
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  const isNamed = "name" in value && typeof value.name === "string";
  const isUsable = "prepare" in value && typeof value.prepare === "function";
  return isNamed && isUsable && "effect" in value && EFFECTS.includes(value.effect);
}
