/**
 * Code names: findings about a crew in code, with the names that code uses instead of those of YAML.
 */
import { type Finding, SETTING_NAMES, SETTINGS } from "@baton/core/ports";

/** A finding about code, without its place. */
interface CodeDefect extends Pick<Finding, "code" | "message" | "fix"> {
  readonly path: string;
}

/** The finding as code spells its fields; a value that is wrong is named by its path. */
export function toCodeDefect({ code, path, message, fix }: Omit<Finding, "severity">): CodeDefect {
  const field = toPathText(path);
  const named = code === "invalid_value" ? `${field}: ${message}` : message;
  return { code, path: field, message: toCodeNames(named), fix: toCodeNames(fix) };
}

/** `signals.teacher[0].target`. */
function toPathText(path: Finding["path"]): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");
}

/** Names that findings use for fields of YAML, as code has them. */
const CODE_NAMES: ReadonlyMap<string, string> = new Map([
  ...SETTING_NAMES.map((name) => [SETTINGS[name].yaml, name] as const),
  ["routing.defaults", "defaults"],
  ["routing.signals", "signals"],
  ["handoff_targets", "handoffTargets"],
  ["auto_route", "autoRoute"],
  ["system_prompt", "systemPrompt"],
  ["next_agent", "nextAgent"],
  ["is_terminal", "isTerminal"],
  ["wait_for_signal", "waitForSignal"],
  ["on_failure", "onFailure"],
  ["return_to", "returnTo"],
]);
const YAML_NAME = /(?:routing\.)?\b[a-z]+(?:_[a-z]+)+\b|routing\.[a-z]+/g;

function toCodeNames(text: string): string {
  return text.replaceAll(YAML_NAME, (name) => CODE_NAMES.get(name) ?? name);
}
