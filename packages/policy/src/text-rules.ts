/**
 * Text rules: rules on what the user says and on what an agent says to the user, as a wrapper of a model.
 *
 * A message that is denied reaches no model. With rules on output a reply is held until it is whole, and if it is denied
 * nothing of it is shown.
 */
import { BatonError, type Chunk, type Model, type Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import type { RuleMatch } from "./rule-match.ts";

/** A text that rules look at. */
export type RuledText = Readonly<{ on: "input" | "output"; agent: string; text: string }>;

/** Rules about texts in one run, and the user's latest message. */
export interface TextGuard {
  readonly input: string;
  matchText(text: RuledText): readonly RuleMatch[];
}

/** The texts of an agent that have rules. */
type Checked = Readonly<{ agent: string; input: boolean; output: boolean }>;

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/** The model, asked only what the rules allow, and heard only as far as they allow. */
export function withTextRules(model: Model, guard: TextGuard, { agent, input, output }: Checked): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      const denied = input ? toDenied(guard.matchText({ on: "input", agent, text: guard.input })) : [];
      if (denied.length > 0)
        yield [...toReply("input", denied), { type: "end", finish: "stop", usage: NO_USAGE, end: true }];
      else if (output) yield* hold(model, guard, { agent, prompt, scope });
      else yield* model.stream(prompt, scope);
    },
  };
}

type Asking = Readonly<{ agent: string; prompt: Prompt; scope: Scope }>;

/** Chunks that show nothing of a reply. */
const SILENT: ReadonlySet<Chunk["type"]> = new Set(["waiting", "backup", "warning", "restart"]);

async function* hold(model: Model, guard: TextGuard, { agent, prompt, scope }: Asking): ReturnType<Model["stream"]> {
  let held: Chunk[] = [];
  let chars = 0;
  for await (const chunks of model.stream(prompt, scope)) {
    // Empty while a reply is held: it tells the engine that the model is not silent.
    const out = chunks.filter(({ type }) => SILENT.has(type));
    for (const chunk of chunks) {
      if (chunk.type === "restart") [held, chars] = [[], 0];
      else if (!SILENT.has(chunk.type)) held.push(chunk);
      chars += "text" in chunk ? chunk.text.length : 0;
    }
    if (chars > (prompt.maxChars ?? Infinity))
      throw new BatonError("output_too_long", `the reply of ${agent} was stopped: it is too long to be checked`);
    if (chunks.some(({ type }) => type === "end")) out.push(...judge(guard, agent, held));
    yield out;
  }
}

/** The reply, or the rules' message in its place; its calls have rules of their own. */
function judge(guard: TextGuard, agent: string, held: readonly Chunk[]): readonly Chunk[] {
  const text = held.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
  const denied = text.trim() === "" ? [] : toDenied(guard.matchText({ on: "output", agent, text }));
  if (denied.length === 0) return held;
  const rest = held.flatMap((chunk): readonly Chunk[] => {
    if (chunk.type === "text" || chunk.type === "reasoning") return [];
    if (chunk.type !== "end") return [chunk];
    // What the provider wants back holds the reply.
    const { provider: _, output: _output, ...end } = chunk;
    return [end];
  });
  return [...toReply("output", denied), ...rest];
}

const toDenied = (matches: readonly RuleMatch[]): readonly RuleMatch[] =>
  matches.some(({ rule }) => rule.verdict === "deny") ? matches : [];

function toReply(on: "input" | "output", matches: readonly RuleMatch[]): readonly Chunk[] {
  const messages = matches.flatMap(({ rule }) => (rule.verdict === "deny" ? (rule.message ?? []) : []));
  const failed = matches.flatMap(({ rule, failure }) => (failure === undefined ? [] : `${rule.name}: ${failure}`));
  const data = { on, rules: matches.map(({ rule }) => rule.name), ...(failed.length === 0 ? {} : { failed }) };
  return [
    { type: "text", text: messages.join("\n") },
    { type: "note", kind: "policy", data },
  ];
}
