/**
 * Placeholder check: `{{…}}` in prompts that nothing fills in, so that the model would read it as it is written.
 *
 * Only what looks like a name is looked at: a prompt may well show JSON or a template of its own.
 */
import { nearestWithin } from "@baton/core/util";
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

const NAMES: readonly string[] = ["name", "role", "description", "backstory"];
const NAME_LIKE = /^ *[\p{L}_][\p{L}\p{N}_./*-]* *$/u;
const MAX_LENGTH = 80;
const MAX_SUGGESTIONS = 100;
/** Of one prompt: a text with more of them shows templates. */
const MAX_FOUND = 20;

/** Every placeholder that is neither a field of the agent nor `state.…`. */
export function* checkPlaceholders({ crew }: RoutingAnalysis): Iterable<GraphFinding> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  let index = -1;
  for (const agent of crew.agents.values()) {
    index += 1;
    for (const field of ["systemPrompt", "context"] as const) {
      for (const name of findUnknown(agent[field] ?? "")) {
        const near = NAMES.includes(name.trim()) ? name.trim() : nearest(name.trim(), NAMES);
        yield {
          code: "unknown_placeholder",
          severity: "warning",
          path: ["agents", index, field],
          message: `nothing fills in {{${name}}} in the prompt of \`${agent.id}\`: its model reads it as it is written`,
          fix:
            near === undefined
              ? "use {{name}}, {{role}}, {{description}}, {{backstory}} or {{state.KEY}}"
              : `did you mean {{${near}}}?`,
          text: `{{${name}}}`,
        };
      }
    }
  }
}

function findUnknown(prompt: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let start = prompt.indexOf("{{"); start !== -1; start = prompt.indexOf("{{", start + 2)) {
    const inner = prompt.slice(start + 2, start + 4 + MAX_LENGTH);
    const end = inner.indexOf("}}");
    const name = end === -1 ? "" : inner.slice(0, end);
    if (NAMES.includes(name) || name.startsWith("state.") || !NAME_LIKE.test(name)) continue;
    found.add(name);
    if (found.size === MAX_FOUND) break;
  }
  return found;
}
