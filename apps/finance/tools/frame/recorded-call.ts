/**
 * Recorded call: a tool that leaves in the run's state what it was asked and how it ended, under `calls/<call>`, and
 * what a model reads of it, under `digest/<call>`: the text of `{{state.digest/*}}` in the writer's prompt.
 *
 * The lock on symbols and the agents that write answers read it there; the output itself is in the log alone.
 */
import type { Json, Tool } from "@baton/core";
import type { Prepared, RunState } from "@baton/core/ports";
import { omitUndefined, lookInto } from "@baton/core/util";
import { z } from "zod";

const PREFIX = "calls/";
const DIGEST_PREFIX = "digest/";
const MAX_SYMBOLS = 200;

const RECORD = z.object({
  call: z.string(),
  tool: z.string(),
  args: z.json(),
  status: z.enum(["ok", "no_data", "ambiguous"]),
  /** Every symbol that the result names. */
  symbols: z.array(z.string()),
  /** Why there is no data, or what it could mean. */
  message: z.string().optional(),
  /** The switch that brings the data. */
  enable: z.string().optional(),
  /** Data that is available instead. */
  available: z.string().optional(),
  /** Kind of the data, from live to history. */
  kind: z.enum(["live", "delayed", "snapshot", "history"]).optional().catch(undefined),
  as_of: z.string().optional(),
});

/** The recorded part of a call. */
export type CallRecord = z.output<typeof RECORD>;

/** The tool, whose calls are recorded. */
export function withRecord(tool: Tool): Tool {
  const bind = (args: Json, prepared: Prepared): Prepared => {
    if (!prepared.ok) return prepared;
    return {
      ok: true,
      async run(context) {
        const output = await prepared.run(context);
        const { call, state } = context;
        state.set(`${PREFIX}${call}`, toRecord(tool.name, args, { call, output }));
        state.set(`${DIGEST_PREFIX}${call}`, toDigest(tool, { call, output }));
        return output;
      },
    };
  };
  return Object.freeze<Tool>({
    ...tool,
    prepare(args) {
      const prepared = tool.prepare(args);
      return prepared instanceof Promise ? prepared.then((one) => bind(args, one)) : bind(args, prepared);
    },
  });
}

/** The calls of a run that came back, in their order. */
export function recordsOf(state: Pick<RunState, "entries">): readonly CallRecord[] {
  const found: CallRecord[] = [];
  for (const [key, value] of state.entries()) {
    const { data } = key.startsWith(PREFIX) ? RECORD.safeParse(value) : {};
    if (data !== undefined) found.push(data);
  }
  return found;
}

type Ended = Readonly<{ call: string; output: unknown }>;

function toRecord(tool: string, args: Json, { call, output }: Ended): Json {
  const json = z.json().safeParse(output).data ?? {};
  const status = isTrue(json, "no_data") ? "no_data" : isTrue(json, "ambiguous") ? "ambiguous" : "ok";
  const message = status === "ok" ? undefined : textAt(json, "message");
  const isMissing = status === "no_data";
  const [enable, available] = ["enable", "available"].map((name) => (isMissing ? textAt(json, name) : undefined));
  return {
    call,
    tool,
    args,
    status,
    symbols: [...symbolsIn(json)].slice(0, MAX_SYMBOLS),
    ...omitUndefined({ message, enable, available }),
    ...omitUndefined({ kind: textAt(json, "provenance.kind"), as_of: textAt(json, "provenance.as_of") }),
  };
}

/** Escaped: prompts show it between tags, and nothing in it may end them. */
function toDigest({ name, digest }: Tool, { call, output }: Ended): string {
  const json = z.json().safeParse(output).data ?? {};
  const text = digest?.(json, { call }) ?? `${name}: ${JSON.stringify(json)}`;
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const isTrue = (value: Json, name: string): boolean => lookInto(value, name) === true;

function textAt(value: Json, name: string): string | undefined {
  const text = lookInto(value, name);
  return typeof text === "string" ? text : undefined;
}

/** Every `symbol` in a result, however deep. */
function symbolsIn(output: Json): ReadonlySet<string> {
  const symbols = new Set<string>();
  const open: Json[] = [output];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      if (name === "symbol" && typeof part === "string") symbols.add(part);
      if (typeof part === "object") open.push(part);
    }
  }
  return symbols;
}
