/**
 * Prompt: the words an agent is told who it is by.
 *
 * The crew's own `system_prompt` with its placeholders filled in, or one made of name, role, backstory and the
 * signals the agent may write. Reads: agent, crew. Read by: plan.
 */
import type { Agent } from "./agent.ts";
import type { Crew } from "./crew.ts";

const PLACEHOLDERS = ["name", "role", "description", "backstory"] as const;

/** The system prompt of an agent. */
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

/** Whether a run ends when this agent has answered. */
export function isTerminal(agent: Agent, crew: Crew): boolean {
  return agent.isTerminal || crew.behaviors.get(agent.id)?.isTerminal === true;
}

function fill(text: string, agent: Agent): string {
  return PLACEHOLDERS.reduce((filled, name) => filled.replaceAll(`{{${name}}}`, () => agent[name]), text);
}

function toSignalText(agent: Agent, crew: Crew): string {
  const routes = crew.signals.get(agent.id) ?? [];
  if (routes.length === 0) return "";
  const lines = routes.map(({ signal, target, description }) => {
    const where = target === "" ? "ends the conversation" : `hands over to ${target}`;
    return `- ${signal}: ${description === undefined || description === "" ? where : description}`;
  });
  return `When it is time, end your reply with one of these signals, written exactly:\n${lines.join("\n")}`;
}
