/**
 * Tool module: the tools that a crew's tools.ts exports, and what it wants to do before the process ends.
 *
 * Anything that goes wrong while it is imported is a finding that names the file and the reason.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "@baton/core";
import { Source } from "./source.ts";

/** How a module is imported; the default is the language's own `import`. */
export type ImportModule = (url: string) => Promise<unknown>;

/** What a module wants to do before the process ends: close connections, write what it keeps. May be async. */
export type OnShutdown = () => unknown;

/** The exports of a module; only findings if it could not be used. */
export interface ToolModule {
  /** Absolute. */
  readonly file: string;
  readonly source: Source;
  readonly tools?: readonly Tool[];
  readonly onShutdown?: OnShutdown;
}

const START = { start: 0, end: 0 };
const EFFECTS: readonly unknown[] = ["read", "idempotent", "irreversible"];

const importModule: ImportModule = async (url) => import(url);

/** Imports the tools of a file. */
export async function loadTools(path: string, load: ImportModule = importModule): Promise<ToolModule> {
  const source = new Source(path, "");
  const file = resolve(path);
  const loaded = await load(pathToFileURL(file).href).then(
    (module) => ({ module }),
    (error: unknown) => ({ error }),
  );
  if ("error" in loaded) {
    const message = `the file cannot be imported: ${toReason(loaded.error)}`;
    source.report(START, "", { code: "unloadable_tools", message, fix: "fix the file, then check again" });
    return { file, source };
  }
  const exports = toExports(loaded.module);
  const tools = toTools(exports.get("default"));
  if (typeof tools === "string") {
    const fix = "write `export default [oneTool, anotherTool]`";
    source.report(START, "", { code: "invalid_tools", message: tools, fix });
    return { file, source };
  }
  const onShutdown = exports.get("onShutdown");
  if (onShutdown === undefined) return { file, source, tools };
  if (isCallback(onShutdown)) return { file, source, tools, onShutdown };
  const fix = "write `export async function onShutdown() { … }`, or remove it";
  source.report(START, "", { code: "invalid_export", message: "`onShutdown` is not a function", fix });
  return { file, source, tools };
}

function toExports(module: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof module === "object" && module !== null ? Object.entries(module) : []);
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

function toReason(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, 500);
}
