/**
 * Crew prompts: the examples and tasks of crews, as prompts that a person picks in an MCP client.
 */
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ExposedCrew } from "./exposed-crew.ts";

interface CrewPrompt {
  readonly prompt: Prompt;
  readonly toText: (input: string) => string;
}

/** All prompts of these crews. */
export function listPrompts(tools: readonly ExposedCrew[]): Prompt[] {
  return tools.flatMap(toPrompts).map(({ prompt }) => prompt);
}

/** The messages of a prompt. */
export function findPrompt(
  tools: readonly ExposedCrew[],
  { name, arguments: args }: Readonly<{ name: string; arguments?: Readonly<Record<string, string>> | undefined }>,
): GetPromptResult {
  const found = tools.flatMap(toPrompts).find(({ prompt }) => prompt.name === name);
  if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${name}`);
  const { prompt, toText } = found;
  const input = args?.["input"];
  if (prompt.arguments !== undefined && input === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `the prompt ${name} needs the argument input`);
  return { messages: [{ role: "user", content: { type: "text", text: toText(input ?? "") } }] };
}

function toPrompts({ name, served: { crew } }: ExposedCrew): readonly CrewPrompt[] {
  const examples = crew.examples.map((text, index) => ({
    prompt: { name: `${name}-${index + 1}`, description: text },
    toText: () => text,
  }));
  const tasks = crew.tasks.map((task) => ({
    prompt: {
      name: `${name}-${task.name}`,
      description: task.description,
      arguments: [{ name: "input", description: "What the task is about.", required: true }],
    },
    toText: (input: string) => `${task.description}\n\n${input}`,
  }));
  return [...examples, ...tasks];
}
