/**
 * Scripted crew: a crew, those inside it and the one that runs after it, each with the script it plays.
 */
import type { Crew, Script } from "@baton/core";

/** A crew as it was read, with what was read of the crews that it contains. */
export interface CrewSource {
  readonly crew?: Crew;
  /** Replies by agent; those of a sub-crew are `alpha/researcher`, and go before the sub-crew's own script. */
  readonly script?: Script | undefined;
  readonly subCrews?: ReadonlyMap<string, CrewSource>;
  readonly after?: CrewSource;
}

/** A crew and the script that it plays, if there is one. */
export interface ScriptedCrew {
  readonly crew: Crew;
  readonly script: Script | undefined;
  /** `main` if a user starts it, `sub` if it is inside another crew, `after` if it runs after another. */
  readonly role: "main" | "sub" | "after";
}

/** The crew of a source, and all that belong to it. */
export function* listScriptedCrews(source: CrewSource, role: ScriptedCrew["role"] = "main"): Iterable<ScriptedCrew> {
  const { crew, script, subCrews, after } = source;
  if (crew === undefined) return;
  yield { crew, script: toOwn(script, crew), role };
  for (const [name, sub] of crew.subCrews) {
    const inside: CrewSource = subCrews?.get(name) ?? {};
    const own = new Map([...(inside.script ?? []), ...entriesOf(script, `${name}/`)]);
    yield* listScriptedCrews({ ...inside, crew: sub, ...(own.size === 0 ? {} : { script: own }) }, "sub");
  }
  if (crew.after !== undefined) yield* listScriptedCrews({ ...after, crew: crew.after }, "after");
}

/** A script that only names agents of the crews inside is not a script of this crew. */
function toOwn(script: Script | undefined, { agents }: Crew): Script | undefined {
  if (script === undefined || script.size === 0) return script;
  return [...script.keys()].some((agent) => agents.has(agent)) ? script : undefined;
}

function* entriesOf(
  script: Script | undefined,
  path: string,
): Iterable<[string, NonNullable<ReturnType<Script["get"]>>]> {
  for (const [agent, entries] of script ?? []) {
    if (agent.startsWith(path)) yield [agent.slice(path.length), entries];
  }
}
