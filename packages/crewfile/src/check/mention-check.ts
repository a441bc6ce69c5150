/**
 * Mention check: signals a prompt never mentions, and signals a prompt mentions that lead nowhere.
 *
 * Only prompts that people wrote are looked at; the one Baton makes lists the agent's signals itself. What looks like
 * a signal is bracketed text without small letters, and not the name of a link.
 */
import type { Agent } from "@baton/core";
import { compileSignals, type SignalMatcher } from "@baton/core/engine";
import type { SignalRoute } from "@baton/core/ports";
import { nearestWithin } from "@baton/core/util";
import { programOf } from "./graph.ts";
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

const MAX_LENGTH = 60;
const MAX_SUGGESTIONS = 100;
/** Of one prompt: a text with more of them is not about signals. */
const MAX_UNROUTED = 20;
const PLACEHOLDERS = ["name", "role", "description", "backstory"] as const;
const SIGNAL_LIKE = /^[\p{Lu}\p{M}\p{N}_ -]+$/u;
const LETTERS = /\p{Lu}.*\p{Lu}/u;

/** Every signal that is only in a prompt, or only in the routing. */
export function* checkMentions({ crew }: RoutingAnalysis): Iterable<GraphFinding> {
  const all = compileSignals([...new Set([...crew.signals.values()].flat().flatMap(({ signal }) => signal ?? []))]);
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  let index = -1;
  for (const agent of crew.agents.values()) {
    index += 1;
    const { systemPrompt = "" } = agent;
    // A program writes its signals without a prompt.
    if (systemPrompt.trim() === "" || programOf(agent, crew) !== undefined) continue;
    const routes = crew.signals.get(agent.id) ?? [];
    yield* findUnmentioned(agent, routes, toReadText(agent, systemPrompt));
    const own = routes.flatMap(({ signal }) => signal ?? []);
    for (const text of findUnrouted(systemPrompt, all)) {
      const near = nearest(text, own);
      yield {
        code: "unrouted_signal",
        severity: "warning",
        path: ["agents", index, "systemPrompt"],
        message: `the prompt of \`${agent.id}\` mentions ${text}, which is not a signal of any agent`,
        fix:
          near === undefined ? "add it to the agent's signals, or remove it from the prompt" : `did you mean ${near}?`,
        text,
      };
    }
  }
}

/** The prompt and the text of its placeholders, each once. */
function toReadText(agent: Agent, prompt: string): string {
  const filled = PLACEHOLDERS.filter((name) => prompt.includes(`{{${name}}}`)).map((name) => agent[name]);
  return [prompt, ...filled].join("\n");
}

function* findUnmentioned(agent: Agent, routes: readonly SignalRoute[], prompt: string): Iterable<GraphFinding> {
  if (routes.length === 0) return;
  const found = compileSignals(routes.flatMap(({ signal }) => signal ?? [])).find(prompt);
  const mentioned = new Set(found.map(({ signal }) => signal));
  for (const [index, { signal }] of routes.entries()) {
    if (signal === undefined || mentioned.has(signal)) continue;
    yield {
      code: "unmentioned_signal",
      severity: "warning",
      path: ["signals", agent.id, index, "signal"],
      message: `the prompt of \`${agent.id}\` never mentions ${signal}, so its model does not know about it`,
      fix: `tell the agent in its \`system_prompt\` when to write ${signal}`,
    };
  }
}

/** The texts of a prompt that look like signals, and that no agent has. */
function findUnrouted(prompt: string, known: SignalMatcher): ReadonlySet<string> {
  const found = new Set<string>();
  for (let start = prompt.indexOf("["); start !== -1; start = prompt.indexOf("[", start + 1)) {
    const inner = prompt.slice(start + 1, start + 2 + MAX_LENGTH);
    const end = inner.indexOf("]");
    if (end === -1) continue;
    const name = inner.slice(0, end);
    const isLink = inner[end + 1] === "(" || prompt[start + end + 2] === "(";
    if (isLink || !SIGNAL_LIKE.test(name) || !LETTERS.test(name)) continue;
    const text = `[${name}]`;
    if (known.find(text).length === 0) found.add(text);
    if (found.size === MAX_UNROUTED) break;
  }
  return found;
}
