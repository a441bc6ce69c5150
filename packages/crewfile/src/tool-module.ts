/**
 * Tool module: the tools that a crew's tools.ts exports.
 *
 * Whatever goes wrong while it is imported is a finding that names the file and the reason.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "@baton/core";
import { Source } from "./source.ts";

/** How a module is imported; the default is the language's own `import`. */
export type ImportModule = (url: string) => Promise<unknown>;

/** The tools of a module; none, with findings, where it could not be used. */
export interface ToolModule {
  readonly source: Source;
  readonly tools?: readonly Tool[];
}

const START = { start: 0, end: 0 };
const EFFECTS: readonly unknown[] = ["read", "idempotent", "irreversible"];

const importModule: ImportModule = async (url) => import(url);

/** Imports the tools of a file. */
export async function loadTools(path: string, load: ImportModule = importModule): Promise<ToolModule> {
  const source = new Source(path, "");
  const loaded = await load(pathToFileURL(resolve(path)).href).then(
    (module) => ({ module }),
    (error: unknown) => ({ error }),
  );
  if ("error" in loaded) {
    const message = `the tools cannot be imported: ${toReason(loaded.error)}`;
    source.report(START, "", { code: "unloadable_tools", message, fix: "put it right, then check again" });
    return { source };
  }
  const { module } = loaded;
  const list: unknown =
    typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  const tools = toTools(list);
  if (typeof tools !== "string") return { source, tools };
  source.report(START, "", {
    code: "invalid_tools",
    message: tools,
    fix: "write `export default [oneTool, anotherTool]`",
  });
  return { source };
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
