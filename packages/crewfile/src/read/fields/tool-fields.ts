/**
 * Tool fields: `tools` of crew.yaml: sandboxed tools, and the isolation of those that tools.ts has.
 */
import { defineTool, type Tool } from "@baton/core";
import { GRANTS, type Sandbox, SETTINGS } from "@baton/core/ports";
import { omitUndefined, toMessage, toPlainInput } from "@baton/core/util";
import { type Cursor, entryAt, report, reportKey } from "../yaml/cursor.ts";
import type { Defect } from "../yaml/finding.ts";
import { Fields } from "./fields.ts";
import { readSchema } from "./schema-fields.ts";
import { readScaled } from "./settings-fields.ts";

/** The isolation and sandbox of a tool that another file defines. */
type ToolChange = Pick<Tool, "isolation" | "sandbox">;

/** `tools` of crew.yaml. */
export interface ToolFields {
  /** Tools that are defined here. */
  readonly tools: readonly Tool[];
  readonly changes: ReadonlyMap<string, ToolChange>;
  readonly cursors: ReadonlyMap<string, Cursor>;
}

const ISOLATIONS = ["inline", "shared", "thread", "wasm", "process", "container"] as const;
const EFFECTS = ["read", "idempotent", "irreversible"] as const;
const OBJECT = { type: "object", properties: {} } as const;
const LIMITS = ["memory_mb", "cpu_seconds", "max_processes", "disk_mb", "output_kb"] as const;

/** Reads the tools of a crew; `known` are those of tools.ts, undefined if that could not be loaded. */
export function readTools(cursors: ReadonlyMap<string, Cursor>, known: ReadonlySet<string> | undefined): ToolFields {
  const tools: Tool[] = [];
  const changes = new Map<string, ToolChange>();
  for (const [name, cursor] of cursors) {
    const isKnown = known?.has(name) ?? entryAt(cursor, "description") === undefined;
    const fields = new Fields(cursor);
    const change = omitUndefined({
      isolation: fields.choice("isolation", ISOLATIONS),
      sandbox: readSandbox(fields.get("sandbox")),
    });
    if (isKnown) {
      endKnown(fields, cursor, name);
      changes.set(name, change);
    } else tools.push(...readTool(name, fields, change));
  }
  return { tools, changes, cursors };
}

/** Reports a defect of a tool at its field in crew.yaml, or at the nearest thing around it. */
export function reportTool(cursor: Cursor, field: string, defect: Defect): void {
  let at = cursor;
  for (const name of field.split(".")) at = entryAt(at, name) ?? at;
  if (at.value.kind === "scalar" || at.value.kind === "list") report(at, defect);
  else reportKey(at, defect);
}

function endKnown(fields: Fields, cursor: Cursor, name: string): void {
  const own = ["description", "effect", "input", "output", "command", "module", "timeout_seconds"];
  const extra = own.find((one) => fields.get(one) !== undefined);
  if (extra !== undefined) {
    const message = `\`${name}\` is a tool of tools.ts: here it has \`isolation\` and \`sandbox\` only`;
    reportTool(cursor, extra, { code: "duplicate_tool", message, fix: `remove \`${extra}\`, or rename the tool` });
  }
  fields.end();
}

function readTool(name: string, fields: Fields, change: ToolChange): readonly Tool[] {
  const description = fields.required("description", "what the tool does");
  const effect = fields.choice("effect", EFFECTS);
  if (fields.get("effect") === undefined) fields.required("effect", "read, idempotent or irreversible");
  const schema = fields.get("input");
  const input = schema === undefined ? OBJECT : readSchema(schema);
  const output = fields.get("output");
  const command = fields.texts("command");
  const module = fields.text("module");
  const timeoutMs = readScaled(fields, { ...SETTINGS.toolTimeoutMs, yaml: "timeout_seconds" });
  const outputSchema = output === undefined ? undefined : readSchema(output);
  fields.end();
  if (command === undefined && module === undefined) {
    const message = `\`${name}\` has neither \`command\` nor \`module\`, and tools.ts does not define it`;
    reportKey(fields.cursor, { code: "missing_field", message, fix: "add `command: [program, …]`, or `module`" });
    return [];
  }
  if (description === undefined || effect === undefined || input === undefined) return [];
  const parts = omitUndefined({ command, module, timeoutMs });
  try {
    const own = { name, description, effect, input: toPlainInput(input), ...change, ...parts };
    return [defineTool(outputSchema === undefined ? own : { ...own, output: toPlainInput(outputSchema) })];
  } catch (error) {
    reportKey(fields.cursor, { code: "invalid_tools", message: toMessage(error), fix: "change it" });
    return [];
  }
}

/** The grants and limits; their values are checked for crews in code too, elsewhere. */
function readSandbox(cursor: Cursor | undefined): Sandbox | undefined {
  if (cursor === undefined) return undefined;
  const fields = new Fields(cursor);
  const grants = GRANTS.map((name) => [name, fields.texts(name)] as const);
  const limits = LIMITS.map((name) => [name, fields.number(name)] as const);
  fields.end();
  return omitUndefined(Object.fromEntries([...grants, ...limits]));
}
