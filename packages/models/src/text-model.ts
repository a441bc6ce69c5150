/**
 * Text model: gives tools to a model that has no native calls.
 *
 * The tools are described in the system text, past calls and results are shown as text, and calls are read from the
 * reply. The text of a call is not part of the reply's text.
 */
import type { AssistantMessage, Chunk, Message, Model, Prompt, ToolSpec } from "@baton/core";
import { toTypes } from "./text-arguments.ts";
import { parseTextCalls } from "./text-calls.ts";
import { TextHold } from "./text-hold.ts";
import { TextScan } from "./text-scan.ts";

/** The model, with tools by text. */
export function withTextCalls(model: Model): Model {
  return {
    ...model,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      const reader = new CallReader(prompt.tools);
      for await (const chunks of model.stream(toTextPrompt(prompt), scope)) {
        const read = chunks.flatMap((chunk) => reader.read(chunk));
        if (read.length > 0) yield read;
      }
    },
  };
}

/** Turns the text of a reply into text and calls. */
class CallReader {
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  readonly #hold: TextHold;

  constructor(tools: readonly ToolSpec[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#hold = new TextHold([...this.#tools.keys()]);
  }

  read(chunk: Chunk): readonly Chunk[] {
    if (this.#tools.size === 0) return [chunk];
    switch (chunk.type) {
      case "text": {
        const text = this.#hold.push(chunk.text);
        return text === "" ? [] : [{ type: "text", text }];
      }
      case "restart":
        this.#hold.clear();
        return [chunk];
      case "end":
        return this.#end(chunk);
      default:
        return [chunk];
    }
  }

  #end(end: Extract<Chunk, { type: "end" }>): readonly Chunk[] {
    const pieces = parseTextCalls(new TextScan(this.#hold.end()), this.#tools);
    if (!pieces.some(({ type }) => type === "call")) return [...pieces, end];
    // The provider's data follows the text as it was written, which is no longer the message's.
    const { provider: _, ...rest } = end;
    return [...pieces, { ...rest, finish: end.finish === "stop" ? "calls" : end.finish }];
  }
}

function toTextPrompt(prompt: Prompt): Prompt {
  const messages = prompt.messages.map((message) => toTextMessage(message));
  if (prompt.tools.length === 0) return { ...prompt, messages };
  return { ...prompt, messages, tools: [], system: `${prompt.system}\n\n${toToolText(prompt.tools)}` };
}

function toTextMessage(message: Message): Message {
  if (message.role === "tool") return { role: "user", content: `[Result of ${message.tool}]\n${message.content}` };
  if (message.role !== "assistant" || message.calls === undefined || message.calls.length === 0) return message;
  return toSpoken(message);
}

function toSpoken({ content, calls = [], agent }: AssistantMessage): AssistantMessage {
  const lines = calls.map(({ tool, args }) => `${tool}(${JSON.stringify(args)})`);
  const text = [content, ...lines].filter((part) => part !== "").join("\n");
  return { role: "assistant", content: text, ...(agent === undefined ? {} : { agent }) };
}

function toToolText(tools: readonly ToolSpec[]): string {
  const lines = tools.map(({ name, description, inputSchema }) => {
    const types = toTypes(inputSchema);
    const names = [...types].map(([key, type]) => (type === undefined ? key : `${key}: ${type}`));
    return `- ${name}(${names.join(", ")}): ${description}`;
  });
  return [
    "You can use tools. To use one, write its call alone on a line, such as",
    'ToolName("text", 5, key="value")',
    "then end your reply; the result comes with the next message. The tools:",
    ...lines,
  ].join("\n");
}
