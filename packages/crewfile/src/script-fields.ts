/**
 * Script fields: script.yaml as core's script.
 *
 * Unknown agents are errors; unknown tools are warnings, for a test may want one.
 */
import type { Script, ScriptEntry } from "@baton/core";
import { report, reportKey, toEntries, toItems, toJson, type Cursor } from "./cursor.ts";
import { Fields, given } from "./fields.ts";

/** The names a script may use; no tools where they could not be loaded. */
export interface ScriptNames {
  readonly agents: ReadonlySet<string>;
  readonly tools?: ReadonlySet<string>;
}

/** The script that a file holds. */
export function readScriptFields(cursor: Cursor, names: ScriptNames): Script {
  const script = new Map<string, readonly ScriptEntry[]>();
  for (const [agent, entries] of toEntries(cursor) ?? []) {
    if (!names.agents.has(agent)) reportAgent(entries, agent, names.agents);
    script.set(agent, toItems(entries)?.map((entry) => readEntry(entry, names)) ?? []);
  }
  return script;
}

function readEntry(cursor: Cursor, names: ScriptNames): ScriptEntry {
  const fields = new Fields(cursor);
  const entry: ScriptEntry = given({
    when: fields.text("when"),
    say: fields.text("say"),
    call: fields.items("call")?.map((call) => readCall(call, names)),
    fail: fields.text("fail"),
    retryable: fields.flag("retryable"),
    delayMs: readDelay(fields),
  });
  fields.end();
  const { say, call, fail } = entry;
  if (cursor.value.kind !== "map") return entry;
  if (say === undefined && call === undefined && fail === undefined) {
    report(cursor, { code: "empty_entry", message: "the entry does nothing", fix: "add `say`, `call` or `fail`" });
  }
  if (fail !== undefined && (say !== undefined || call !== undefined)) {
    report(cursor, {
      code: "invalid_entry",
      message: "an entry that fails says and calls nothing",
      fix: "split it in two",
    });
  }
  return entry;
}

function readCall(
  cursor: Cursor,
  { tools }: ScriptNames,
): { tool: string; args?: NonNullable<ReturnType<typeof toJson>> } {
  const fields = new Fields(cursor);
  const tool = fields.required("tool", "the name of a tool") ?? "";
  const at = fields.get("args");
  const args = at === undefined ? undefined : toJson(at);
  fields.end();
  const place = fields.get("tool");
  if (place !== undefined && tools !== undefined && !tools.has(tool)) {
    const near = cursor.source.nearest(tool, tools);
    const fix = near === undefined ? "name a tool of the crew" : `did you mean \`${near}\`?`;
    report(place, {
      code: "unknown_tool",
      severity: "warning",
      message: `there is no tool \`${tool.slice(0, 60)}\``,
      fix,
    });
  }
  return { tool, ...(args === undefined || args === null ? {} : { args }) };
}

function readDelay(fields: Fields): number | undefined {
  const delayMs = fields.number("delay_ms");
  if (delayMs === undefined || delayMs >= 0) return delayMs;
  const cursor = fields.get("delay_ms");
  if (cursor === undefined) return undefined;
  report(cursor, { code: "invalid_value", message: `${delayMs} is out of range`, fix: "use a number, 0 or more" });
  return undefined;
}

function reportAgent(cursor: Cursor, agent: string, agents: ReadonlySet<string>): void {
  const near = cursor.source.nearest(agent, agents);
  const fix = near === undefined ? "name an agent of the crew" : `did you mean \`${near}\`?`;
  reportKey(cursor, { code: "unknown_agent", message: `there is no agent \`${agent.slice(0, 60)}\``, fix });
}
