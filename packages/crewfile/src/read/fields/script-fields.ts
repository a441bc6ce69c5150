/**
 * Script fields: script.yaml as core's script.
 *
 * Unknown agents are errors; unknown tools are warnings, because a test may want one. `otherwise` at the top is a
 * reserved word: an agent of that name has no entries.
 */
import { RUN_CODE } from "@baton/core/engine";
import type { AgentDefinition, Crew, Script, ScriptEntry } from "@baton/core";
import type { AgentTool, CrewTool, Place } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import {
  entryAt,
  report,
  reportKey,
  readEntries,
  readItems,
  readJson,
  readTextItem,
  type Cursor,
} from "../yaml/cursor.ts";
import { Fields } from "./fields.ts";

/** The names a script may use; no tools if they could not be loaded, or if a request may bring any. */
export interface ScriptNames {
  readonly agents: ReadonlySet<string>;
  readonly tools?: ReadonlySet<string>;
  /** Those of sub-crews, whose agents are `alpha/researcher`; undefined of one that could not be read. */
  readonly subCrews: ReadonlyMap<string, ScriptNames | undefined>;
}

/** The content of a script file: entries by agent, and the entry agent's reply to an input that no opening matches. */
export interface ScriptFields {
  readonly entries: Script;
  readonly otherwise?: { readonly cursor: Cursor; readonly text: string };
}

const OTHERWISE = "otherwise";

/** The names of tools that agents may call: the crew's, agents and crews as tools, and tools of requests. */
export function toolNamesOf(agents: Iterable<AgentDefinition>, tools: Iterable<string>): Pick<ScriptNames, "tools"> {
  const names = new Set(tools);
  for (const { children = [], tools: own = [], clientTools = [], toolCalls } of agents) {
    if (toolCalls === "code") names.add(RUN_CODE);
    if (clientTools === true) return {};
    const given = own.flatMap((one) => (typeof one === "string" || "name" in one ? [] : toChildName(one)));
    for (const name of [...children.map(toChildName), ...given, ...(clientTools || [])]) names.add(name);
  }
  return { tools: names };
}

function toChildName(child: AgentTool | CrewTool): string {
  return child.as ?? ("agent" in child ? child.agent : child.crew);
}

/** The names of a crew. */
export function scriptNamesOf({ agents, tools, subCrews }: Crew): ScriptNames {
  return {
    agents: new Set(agents.keys()),
    ...toolNamesOf(agents.values(), tools.keys()),
    subCrews: new Map([...subCrews].map(([name, crew]) => [name, scriptNamesOf(crew)])),
  };
}

/** Everything a script file says. */
export function readScriptFields(cursor: Cursor, names: ScriptNames): ScriptFields {
  const entries = new Map<string, readonly ScriptEntry[]>();
  for (const [agent, list] of readEntries(cursor) ?? []) {
    if (agent === OTHERWISE) continue;
    const { owner, path, id } = findOwner(names, agent);
    if (owner !== undefined && !owner.agents.has(id)) reportAgent(list, agent, { owner, path });
    entries.set(agent, readItems(list)?.map((entry) => readEntry(entry, owner?.tools)) ?? []);
  }
  const at = entryAt(cursor, OTHERWISE);
  const text = at === undefined ? undefined : readOtherwise(at, names);
  return at === undefined || text === undefined ? { entries } : { entries, otherwise: { cursor: at, text } };
}

/** The script of a crew that starts at `entry`; `otherwise` joins that agent's entries, after those that open its list and have `when`. */
export function toScript({ entries, otherwise }: ScriptFields, entry: Place): Script {
  if (otherwise === undefined) return entries;
  const { cursor, text } = otherwise;
  if (entry.kind === "group") {
    const message = `\`${OTHERWISE}\` is what the entry agent says, but the crew starts with the group \`${entry.id}\``;
    reportKey(cursor, { code: "invalid_otherwise", message, fix: "remove it, or let the crew start with an agent" });
    return entries;
  }
  const list = entries.get(entry.id) ?? [];
  const first = list.findIndex(({ when }) => when === undefined);
  const openings = first === -1 ? list.length : first;
  if (openings === 0) {
    const message = `\`${OTHERWISE}\` is never said: the entries of the entry agent \`${entry.id}\` do not begin with one that has \`when\``;
    const fix = `begin \`${entry.id}\` with an entry that has \`when\`, or remove \`${OTHERWISE}\``;
    reportKey(cursor, { code: "invalid_otherwise", message, fix });
    return entries;
  }
  const reply: ScriptEntry = { say: text, end: true, otherwise: true };
  return new Map(entries).set(entry.id, list.toSpliced(openings, 0, reply));
}

function readOtherwise(cursor: Cursor, { agents }: ScriptNames): string | undefined {
  if (cursor.value.kind === "list" && agents.has(OTHERWISE)) {
    const message = `\`${OTHERWISE}\` is a reserved word in a script; the agent of that name cannot have entries`;
    reportKey(cursor, { code: "reserved_name", message, fix: "rename the agent" });
    return undefined;
  }
  const text = readTextItem(cursor);
  if (text === undefined || text.trim() !== "") return text;
  const message = `\`${OTHERWISE}\` is empty`;
  reportKey(cursor, { code: "empty_entry", message, fix: "write what the entry agent says, or remove it" });
  return undefined;
}

/** The crew that an agent's path leads to, as far as it leads. */
interface Owner {
  /** Undefined if that crew could not be read. */
  readonly owner: ScriptNames | undefined;
  /** `alpha/` */
  readonly path: string;
}

function findOwner(names: ScriptNames, agent: string): Owner & { readonly id: string } {
  const slash = agent.indexOf("/");
  const crew = slash === -1 ? "" : agent.slice(0, slash);
  if (!names.subCrews.has(crew)) return { owner: names, path: "", id: agent };
  const inner = names.subCrews.get(crew);
  if (inner === undefined) return { owner: undefined, path: `${crew}/`, id: agent };
  const { owner, path, id } = findOwner(inner, agent.slice(slash + 1));
  return { owner, path: `${crew}/${path}`, id };
}

function readEntry(cursor: Cursor, tools: ScriptNames["tools"]): ScriptEntry {
  const fields = new Fields(cursor);
  const entry: ScriptEntry = omitUndefined({
    when: fields.text("when"),
    say: fields.text("say"),
    call: fields.items("call")?.map((call) => readCall(call, tools)),
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
      message: "an entry with `fail` cannot have `say` or `call` too",
      fix: "make two entries of it",
    });
  }
  return entry;
}

function readCall(
  cursor: Cursor,
  tools: ScriptNames["tools"],
): { tool: string; args?: NonNullable<ReturnType<typeof readJson>> } {
  const fields = new Fields(cursor);
  const tool = fields.required("tool", "the name of a tool") ?? "";
  const at = fields.get("args");
  const args = at === undefined ? undefined : readJson(at);
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
  report(cursor, {
    code: "invalid_value",
    message: `\`delay_ms\` must be 0 or more, not ${delayMs}`,
    fix: "write a number, 0 or more",
  });
  return undefined;
}

function reportAgent(cursor: Cursor, agent: string, { owner, path }: Owner): void {
  const known = [...(owner?.agents ?? [])].map((id) => path + id);
  const crews = [...(owner?.subCrews ?? [])].flatMap(([name, crew]) =>
    [...(crew?.agents ?? [])].map((id) => `${path}${name}/${id}`),
  );
  const near = cursor.source.nearest(agent, [...known, ...crews]);
  const fix = near === undefined ? "name an agent of the crew" : `did you mean \`${near}\`?`;
  reportKey(cursor, { code: "unknown_agent", message: `there is no agent \`${agent.slice(0, 60)}\``, fix });
}
