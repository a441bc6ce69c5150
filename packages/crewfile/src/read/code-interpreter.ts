/**
 * Code interpreter: gives a crew whose agents write code the interpreter of the caller.
 */
import type { AgentDefinition, Crew } from "@baton/core";
import type { Finding, Interpreter } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { ReadOptions } from "./read-options.ts";

/** An interpreter, or why there is none. */
type Found = Readonly<{ interpreter?: Interpreter; findings: readonly Finding[] }>;

/** Opens the interpreter if an agent writes code; a crew that has no such agent never looks for it. */
export async function findInterpreter(
  agents: readonly Pick<AgentDefinition, "id" | "toolCalls">[],
  { interpreter: open }: Pick<ReadOptions, "interpreter">,
): Promise<Found> {
  const writing = [...agents.entries()].filter(([, { toolCalls }]) => toolCalls === "code");
  if (writing.length === 0 || open === undefined) return { findings: [] };
  const interpreter = await open();
  if (interpreter !== undefined) return { interpreter, findings: [] };
  const findings = writing.map(([index, { id }]): Finding => {
    const message = `\`${id}\` has \`tool_calls: code\`, and the package @baton/sandbox, which runs code, is not installed`;
    const path = ["agents", index, "toolCalls"];
    return { code: "missing_backend", severity: "error", path, message, fix: "npm install @baton/sandbox" };
  });
  return { findings };
}

/** A crew in code, and the crews in it, with the interpreter. */
export async function interpretCrew(crew: Crew, options: Pick<ReadOptions, "interpreter">): Promise<Crew> {
  const { interpreter } = await findInterpreter([...crew.agents.values()], options);
  const subs = await Promise.all(
    Array.from(crew.subCrews, async ([name, sub]) => [name, await interpretCrew(sub, options)] as const),
  );
  const isSame = crew.interpreter !== undefined || interpreter === undefined;
  if (isSame && subs.every(([name, sub]) => crew.subCrews.get(name) === sub)) return crew;
  return Object.freeze({
    ...crew,
    subCrews: new Map(subs),
    ...omitUndefined({ interpreter: crew.interpreter ?? interpreter }),
  });
}
