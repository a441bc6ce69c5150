/**
 * Prompt check: placeholders that mean nothing, and state in a prompt that should be the same in every run.
 */
import type { Agent } from "@baton/core";
import { nearestWithin } from "@baton/core/util";
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

const FIELDS = ["name", "role", "description", "backstory"] as const;
const STATE = "state.";
const STATE_KEY = /^state\.[\w./-]+\*?$/;
/** Longer text in braces is not meant as a name. */
const MAX_NAME = 60;
const NAME_LIKE = /^[\p{L}\p{N}_ ./*-]+$/u;
const MAX_SUGGESTIONS = 100;
/** Of one template: a text with more of them is about something else. */
const MAX_UNKNOWN = 20;
const PROMPTS = ["systemPrompt", "context"] as const;
const YAML_NAMES = { systemPrompt: "system_prompt", context: "context" } as const;

type Template = Readonly<{
  agent: Agent;
  field: (typeof PROMPTS)[number];
  index: number;
  nearest: ReturnType<typeof nearestWithin>;
}>;

function* checkPlaceholders({ agent, field, index, nearest }: Template): Iterable<GraphFinding> {
  for (const name of findPlaceholders(agent[field] ?? "")) {
    if (isKnown(name)) continue;
    const near = nearest(name.trim(), FIELDS);
    yield {
      code: "unknown_placeholder",
      severity: "warning",
      path: ["agents", index, field],
      message: `\`{{${name}}}\` in the ${YAML_NAMES[field]} of \`${agent.id}\` is not filled in`,
      fix: near === undefined ? `use ${FIELDS.join(", ")} or state.KEY` : `did you mean \`{{${near}}}\`?`,
      text: `{{${name}}}`,
    };
  }
}

/** Every placeholder that stays as it is, and every system prompt that changes with the state. */
export function* checkPrompts({ crew }: RoutingAnalysis): Iterable<GraphFinding> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  for (const [index, agent] of [...crew.agents.values()].entries()) {
    for (const field of PROMPTS) yield* checkPlaceholders({ agent, field, index, nearest });
    const isChanging = findPlaceholders(agent.systemPrompt ?? "")
      .values()
      .some((name) => name.startsWith(STATE) && isKnown(name));
    if (!isChanging || (agent.context ?? "").trim() !== "") continue;
    yield {
      code: "state_in_system_prompt",
      severity: "note",
      path: ["agents", index, "systemPrompt"],
      message: `the system_prompt of \`${agent.id}\` changes with the state, so providers cannot keep what follows it`,
      fix: "move what changes to `context`, which stands after the conversation",
      text: "{{state.",
    };
  }
}

const isKnown = (name: string): boolean => FIELDS.some((field) => field === name) || STATE_KEY.test(name);

/** The names in double braces, each once. */
function findPlaceholders(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let open = text.indexOf("{{"); open !== -1 && found.size < MAX_UNKNOWN; open = text.indexOf("{{", open + 2)) {
    const inner = text.slice(open + 2, open + 4 + MAX_NAME);
    const close = inner.indexOf("}}");
    const name = close === -1 ? "" : inner.slice(0, close);
    if (NAME_LIKE.test(name) && name.trim() !== "") found.add(name);
  }
  return found;
}
