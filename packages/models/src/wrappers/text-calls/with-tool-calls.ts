/**
 * Text model: a model that may also call its tools in the text of a reply.
 *
 * `text` is for models without native calls: tools are described in the system text, past calls and results are shown
 * as text, and every reply is read for calls. `auto` changes no prompt and reads only a reply without native calls, in
 * a turn that has made no native call yet. The text of a call is not part of the reply's text. Importing this loads no provider.
 */
import type { Chunk, Message, Model, Prompt } from "@baton/core";
import type { AssistantMessage, Scope, ToolCalls, ToolSpec } from "@baton/core/ports";
import { toSchemaPrompt } from "../../providers/schema-text.ts";
import { toTypes } from "./text-arguments.ts";
import { FUNCTION_TAG, OPENERS, parseTextCalls } from "./text-calls.ts";
import { TextHold } from "./text-hold.ts";
import { TextScan } from "./text-scan.ts";
import { isBuiltinModel } from "../../choice/builtin-models.ts";

/** The model, with calls by text as the agent's `tool_calls` says. */
export function withToolCalls(model: Model, toolCalls: ToolCalls): Model {
  switch (toolCalls) {
    case "native":
    case "code":
      return model;
    case "auto":
      return { ...model, stream: (prompt, scope) => streamAuto(model, prompt, scope) };
    case "text": {
      // A script and rules get the tools unchanged: they read no description.
      const toOwnPrompt = isBuiltinModel(model.name) ? (prompt: Prompt) => prompt : toTextPrompt;
      return { ...model, stream: (prompt, scope) => streamText(model, prompt, { scope, toOwnPrompt }) };
    }
  }
}

function streamAuto(model: Model, prompt: Prompt, scope: Scope): AsyncIterable<readonly Chunk[]> {
  const { tools, isUncalled } = prompt;
  if (isUncalled !== true || tools.length === 0) return model.stream(prompt, scope);
  return read(model.stream(prompt, scope), new CallReader({ tools, shapes: toShapes(prompt), besideNative: "stop" }));
}

function streamText(
  model: Model,
  prompt: Prompt,
  { scope, toOwnPrompt }: { readonly scope: Scope; readonly toOwnPrompt: (prompt: Prompt) => Prompt },
): AsyncIterable<readonly Chunk[]> {
  const { tools } = prompt;
  const reply = model.stream(toOwnPrompt(prompt), scope);
  if (tools.length === 0) return reply;
  return read(reply, new CallReader({ tools, shapes: toShapes(prompt), besideNative: "continue" }));
}

async function* read(reply: AsyncIterable<readonly Chunk[]>, reader: CallReader): AsyncGenerator<readonly Chunk[]> {
  try {
    for await (const chunks of reply) {
      const seen = chunks.flatMap((chunk) => reader.read(chunk));
      // A batch without chunks is a sign of life.
      if (seen.length > 0 || chunks.length === 0) yield seen;
    }
  } catch (thrown) {
    // What was said counts, also if the reply was never finished.
    const held = reader.release();
    if (held.length > 0) yield held;
    throw thrown;
  }
}

/** Texts that calls begin with, apart from a tool's name. */
const JSON_SHAPES: readonly string[] = [...OPENERS.keys(), FUNCTION_TAG, "{", "[{"];

/** If JSON is what the reply must be, JSON is not a call. */
const toShapes = ({ outputSchema }: Prompt): readonly string[] => (outputSchema === undefined ? JSON_SHAPES : []);

interface ReaderOptions {
  readonly tools: readonly ToolSpec[];
  /** Texts that may begin a call, apart from a tool's name and a bracket. */
  readonly shapes: readonly string[];
  /** `continue` if text is still searched for calls after a native call. */
  readonly besideNative: "continue" | "stop";
}

/** Turns the text of a reply into text and calls. */
class CallReader {
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  readonly #hold: TextHold;
  readonly #besideNative: ReaderOptions["besideNative"];
  #isReading = true;

  constructor({ tools, shapes, besideNative }: ReaderOptions) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#hold = new TextHold(this.#tools, shapes);
    this.#besideNative = besideNative;
  }

  read(chunk: Chunk): readonly Chunk[] {
    switch (chunk.type) {
      case "text":
        return this.#isReading ? toText(this.#hold.push(chunk.text)) : [chunk];
      case "args":
      case "call":
        if (this.#besideNative === "continue") return [chunk];
        this.#isReading = false;
        return [...this.release(), chunk];
      case "restart":
        this.#hold.clear();
        this.#isReading = true;
        return [chunk];
      case "end":
        return this.#end(chunk);
      default:
        return [chunk];
    }
  }

  /** Returns the held chunks as text. */
  release(): readonly Chunk[] {
    return toText(this.#hold.end());
  }

  #end(end: Extract<Chunk, { type: "end" }>): readonly Chunk[] {
    const found = parseTextCalls(new TextScan(this.#hold.end()), this.#tools);
    // Where native calls are possible, a turn that has made text calls only is still read for them.
    const pieces = this.#besideNative === "continue" ? found : found.map(toMarked);
    if (!pieces.some(({ type }) => type === "call")) return [...pieces, end];
    // The provider's data follows the text as it was written, which is no longer the message's.
    const { provider: _, ...rest } = end;
    return [...pieces, { ...rest, finish: end.finish === "stop" ? "calls" : end.finish }];
  }
}

const toMarked = (piece: Chunk): Chunk => (piece.type === "call" ? { ...piece, isText: true } : piece);

const toText = (text: string): readonly Chunk[] => (text === "" ? [] : [{ type: "text", text }]);

function toTextPrompt(prompt: Prompt): Prompt {
  const messages = prompt.messages.map((message) => toTextMessage(message));
  if (prompt.tools.length === 0) return { ...prompt, messages };
  // A provider that is given the schema lets the model write nothing else, so it could not write a call.
  const { system, ...asked } = toSchemaPrompt(prompt);
  return { ...asked, messages, tools: [], system: `${system}\n\n${toToolText(prompt)}` };
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

function toToolText({ tools, toolChoice, parallelCalls }: Prompt): string {
  const lines = tools.map(({ name, description, inputSchema }) => {
    const types = toTypes(inputSchema);
    const names = [...types].map(([key, type]) => (type === undefined ? key : `${key}: ${type}`));
    return `- ${name}(${names.join(", ")}): ${description}`;
  });
  const must = toolChoice === undefined ? [] : [`Use ${toolChoice === "required" ? "a tool" : toolChoice.tool} now.`];
  return [
    "You can use tools. To use one, write its call alone on a line, such as",
    'ToolName("text", 5, key="value")',
    "then end your reply; the result comes with the next message. The tools:",
    ...lines,
    ...must,
    ...(parallelCalls === false ? ["Use at most one tool in a reply."] : []),
  ].join("\n");
}
