/**
 * Prompt: the words an agent is told who it is by.
 *
 * The crew's own `system_prompt` with its placeholders filled in, or one made of name, role, backstory and the
 * signals the agent may write.
 */
import type { Agent } from "./agent.ts";
import { isTerminal, type Crew } from "./crew.ts";
import { BatonError } from "./error.ts";
import { countChars } from "./text.ts";

const PLACEHOLDER = /\{\{(name|role|description|backstory)\}\}/g;
const MAX_CHARS = 1_048_576;

/** The system prompt of an agent; throws `invalid` where the crew's own is too long. */
export function toSystemPrompt(agent: Agent, crew: Crew): string {
  const { systemPrompt } = agent;
  if (systemPrompt !== undefined && systemPrompt.trim() !== "") return fill(systemPrompt, agent);
  return [
    `You are ${agent.name}.`,
    agent.role === "" ? "" : `Role: ${agent.role}`,
    agent.description,
    agent.backstory,
    toSignalText(agent, crew),
    isTerminal(agent, crew) ? "You are the final agent: your reply is what the user reads." : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** One pass: what looks like a placeholder in a filled-in text is none. */
function fill(text: string, agent: Agent): string {
  const tooLong = `agent "${agent.id}": its system prompt has more than 1,048,576 characters`;
  let chars = 0;
  const filled = text.replace(PLACEHOLDER, (_, name: "name" | "role" | "description" | "backstory") => {
    chars += countChars(agent[name]);
    // Here too: a text may become longer than the platform can hold.
    if (chars > MAX_CHARS) throw new BatonError("invalid", tooLong);
    return agent[name];
  });
  if (filled.length > MAX_CHARS && countChars(filled) > MAX_CHARS) throw new BatonError("invalid", tooLong);
  return filled;
}

function toSignalText(agent: Agent, crew: Crew): string {
  const routes = crew.signals.get(agent.id) ?? [];
  if (routes.length === 0) return "";
  const lines = routes.map(({ signal, target, description = "" }) => {
    const where = target === "" ? "ends the conversation" : `hands over to ${target}`;
    return `- ${signal}: ${description === "" ? where : description}`;
  });
  return `When it is time, end your reply with one of these signals, written exactly:\n${lines.join("\n")}`;
}
