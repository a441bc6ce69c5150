/**
 * τ-bench airline: 100 recorded conversations played through the engine, and what rules written from the airline's policy
 * would have stopped. Recorded replies are the model, recorded results the tools; nothing is called and nothing is paid.
 *
 * `node bench/tau-airline.ts [--data DIR]`; by default the copy below `bench/tau-airline/`.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Crew,
  defineCrew,
  defineTool,
  Engine,
  type Json,
  type RunEvent,
  scriptModel,
  type Tool,
  ToolError,
} from "@baton/core";
import { toPlainInput } from "@baton/core/util";
import { checkRules, openPolicies, reportPolicies } from "@baton/crewfile";
import { tryPolicies } from "@baton/policy";
import { z } from "zod";

const FOLDER = join(import.meta.dirname, "tau-airline");
const { values } = parseArgs({ options: { data: { type: "string", default: FOLDER } } });
const MAX_TURNS = 1_000;

const json: z.ZodType<Json> = z.json();
const schema = z.record(z.string(), json);
const toolFile = z.array(
  z.object({
    name: z.string(),
    description: z.string(),
    effect: z.enum(["read", "idempotent", "irreversible"]),
    parameters: schema,
  }),
);
const conversation = z.object({
  id: z.string(),
  messages: z.array(
    z.union([
      z.object({ user: z.string() }),
      z.object({
        assistant: z.string(),
        calls: z.array(z.object({ call: z.number(), tool: z.string(), args: json })).optional(),
      }),
      z.object({ result: z.number(), output: json }),
    ]),
  ),
});
const label = z.object({
  run: z.string(),
  call: z.number(),
  tool: z.string(),
  label: z.enum(["refused", "right", "disputed", "wrong"]),
});
type Conversation = z.infer<typeof conversation>;

const readLines = async <T>(name: string, type: z.ZodType<T>): Promise<readonly T[]> =>
  (await readFile(join(values.data, name), "utf8"))
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [type.parse(JSON.parse(line))]));

const specs = toolFile.parse(JSON.parse(await readFile(join(values.data, "tools.json"), "utf8")));
const rules = await readRules();
const numbers = new Map<string, string>();
const events: RunEvent[] = [];
const conversations = await readLines("runs.jsonl", conversation);
for (const one of conversations) events.push(...(await play(one)));
const { verdicts } = tryPolicies(rules, events);
report(await readLines("labels.jsonl", label));

/** Plays a conversation as one run, with the recorded replies and results. */
async function play({ id, messages }: Conversation): Promise<readonly RunEvent[]> {
  const outputs = messages.flatMap((message) => ("result" in message ? [message.output] : []));
  let next = 0;
  const tools = specs.map((spec) => toTool(spec, () => outputs[next++] ?? null));
  const replies = messages.flatMap((message) => ("assistant" in message ? [toReply(message)] : []));
  const said = messages.flatMap((message) => ("user" in message ? [message.user] : []));
  const asked = messages.flatMap((message) => ("assistant" in message ? (message.calls ?? []) : []));
  await using engine = new Engine({ model: () => scriptModel({ agent: replies }) });
  const run = engine.start(toCrew(tools), { id, input: said[0] ?? "" });
  let { outcome } = await run.result;
  for (const text of said.slice(1, -1)) {
    if (outcome !== "paused") break;
    await run.resume(text);
    ({ outcome } = await run.result);
  }
  const log: RunEvent[] = [];
  for await (const event of run.events()) log.push(event);
  const made = log.flatMap((event) => (event.type === "step.ended" ? event.calls : []));
  for (const [at, { call }] of asked.entries()) numbers.set(`${id} ${made[at]?.id}`, `${id} ${call}`);
  return log;
}

function toReply({
  assistant,
  calls = [],
}: {
  readonly assistant: string;
  readonly calls?: readonly { tool: string; args: Json }[] | undefined;
}) {
  const say = assistant === "" && calls.length > 0 ? {} : { say: assistant };
  return { ...say, ...(calls.length > 0 && { call: calls.map(({ tool, args }) => ({ tool, args })) }) };
}

function toTool({ name, description, effect, parameters }: z.infer<typeof toolFile>[number], next: () => Json): Tool {
  const run = () => {
    const output = next();
    if (typeof output === "string" && output.startsWith("Error")) throw new ToolError("permanent", output);
    return output;
  };
  return defineTool({ name, description, effect, input: toPlainInput(parameters), run });
}

/** An agent that waits for the user after each reply, and whose writes nobody has to approve. */
function toCrew(tools: readonly Tool[]): Crew {
  const names = tools.map(({ name }) => name);
  return defineCrew({
    name: "airline",
    tools,
    agents: [{ id: "agent", tools: names }],
    behaviors: { agent: { waitForSignal: true } },
    permissions: Object.fromEntries(names.map((name) => [name, "allow"])),
    settings: { maxSteps: MAX_TURNS, maxRepeatedCalls: 0 },
  });
}

async function readRules(): Promise<Json> {
  const { policies, root, source } = await openPolicies(join(FOLDER, "policies.yaml"));
  const tools = specs.map((spec) => toTool(spec, () => null));
  if (policies !== undefined && root !== undefined)
    reportPolicies(checkRules({ agents: [{ id: "agent" }], tools, policies, subCrews: new Map() }), root);
  const found = (source?.findings ?? []).filter(({ severity }) => severity === "error");
  if (policies === undefined || found.length > 0) throw new Error(found.map(({ message }) => message).join("\n"));
  return policies;
}

function report(labels: readonly z.infer<typeof label>[]): void {
  const byCall = new Map(verdicts.map((one) => [numbers.get(`${one.run} ${one.call}`), one]));
  const counts = new Map<string, { calls: number; deny: number; ask: number }>();
  const byRule = new Map<string, Map<string, number>>();
  for (const { run, call, label: name, tool } of labels) {
    const verdict = byCall.get(`${run} ${call}`);
    if (verdict?.tool !== tool) throw new Error(`call ${call} of ${run} did not reach permission`);
    const own = counts.get(name) ?? { calls: 0, deny: 0, ask: 0 };
    counts.set(name, own);
    own.calls += 1;
    if (verdict.now !== "allow") own[verdict.now] += 1;
    for (const rule of verdict.now === "deny" ? verdict.rules : []) {
      const labelled = byRule.get(rule) ?? new Map<string, number>();
      byRule.set(rule, labelled.set(name, (labelled.get(name) ?? 0) + 1));
    }
  }
  for (const [rule, own] of byRule) console.log(`${rule}: ${[...own].map(([name, n]) => `${n} ${name}`).join(", ")}`);
  for (const [name, { calls, deny, ask }] of counts)
    console.log(`${name}: ${calls} calls, ${deny} denied, ${ask} asked`);
  const of = (name: string) => counts.get(name) ?? { calls: 0, deny: 0 };
  const [wrong, right, disputed] = [of("wrong"), of("right"), of("disputed")];
  console.log(
    `tau-airline: ${wrong.deny} of ${wrong.calls} wrong writes blocked, ${right.deny} of ${right.calls} right ones hurt, ${disputed.deny} of ${disputed.calls} disputed, ${conversations.length} conversations`,
  );
}
