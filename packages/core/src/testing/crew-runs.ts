/**
 * Crew runs: the few lines every test of a crew begins with.
 *
 * A scripted crew is run to its next pause or end, and the events it left are there to look at.
 */
import type { Crew } from "../definitions/definition.ts";
import { Engine, type EngineOptions, type StartOptions } from "../engine/engine.ts";
import type { EventBody, EventBodyOf, RunEvent } from "../words/event.ts";
import { omitUndefined } from "../words/json.ts";
import type { Run } from "../handle/run-handle.ts";
import type { RunResult } from "../handle/run-result.ts";
import { type Script, type ScriptEntry, scriptModel } from "../ports/script.ts";

/** Events and result of a run. */
export interface Played extends RunResult {
  readonly engine: Engine;
  readonly run: Run;
  readonly events: readonly RunEvent[];
}

/** Replies by agent, as a test writes them. */
export type Replies = Script | { readonly [agent: string]: readonly ScriptEntry[] };

type PlayOptions = Partial<StartOptions> & Pick<EngineOptions, "guardOf">;

/** Runs a crew on a script to its next pause or end; a script that delays its words by less than a second does not here. */
export async function play(crew: Crew, replies: Replies, options: PlayOptions = {}): Promise<Played> {
  const { guardOf, ...start } = options;
  const engine = new Engine({ model: () => scriptModel(withoutDelays(replies)), ...omitUndefined({ guardOf }) });
  const run = engine.start(crew, { input: "hello", ...start });
  return { engine, run, ...(await collect(run)) };
}

/** A delay that is meant to be felt. */
const LONG_MS = 1_000;

function withoutDelays(replies: Replies): Script {
  const scripts: Script = replies instanceof Map ? replies : new Map(Object.entries(replies));
  const toDelay = (delayMs = 0) => (delayMs < LONG_MS ? 0 : delayMs);
  const hasten = (entry: ScriptEntry) => ({ ...entry, delayMs: toDelay(entry.delayMs) });
  return new Map(Array.from(scripts, ([agent, said]) => [agent, said.map(hasten)]));
}

/** Follows one segment of a run to its end. */
export async function collect(run: Run): Promise<RunResult & { readonly events: readonly RunEvent[] }> {
  const events = await Array.fromAsync(run.events());
  return { events, ...(await run.result) };
}

/** The events of one type. */
export function of<Type extends EventBody["type"]>(
  events: readonly RunEvent[],
  type: Type,
): readonly (RunEvent & EventBodyOf<Type>)[] {
  return events.filter((event): event is RunEvent & EventBodyOf<Type> => event.type === type);
}
