/**
 * Reply: the parts of a provider's stream, read into chunks.
 *
 * A reply that asked for tools ends with finish `calls`, with any reason of the provider; a stream that breaks off
 * or reports an error throws what it reported. Each call comes whole, after the pieces of its arguments.
 */
import type { Chunk } from "@baton/core";
import type { Finish, Usage } from "@baton/core/ports";
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { type ReplyBlock, isOptions, toBlockData } from "./reply-blocks.ts";
import { modelError } from "../failure.ts";

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenBlock = Mutable<Extract<ReplyBlock, { kind: "reasoning" }>> | Mutable<Extract<ReplyBlock, { kind: "text" }>>;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** One reply as it comes in. */
export class Reply {
  readonly #model: string;
  readonly #blocks: ReplyBlock[] = [];
  readonly #open = new Map<string, OpenBlock>();
  /** Calls whose arguments have begun to come, by the provider's id. */
  readonly #begun = new Map<string, { readonly index: number; readonly tool: string }>();
  #calls = 0;
  #finish: FinishPart | undefined;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(model: string) {
    this.#model = model;
  }

  /** Whether the stream has reported an error: `end` throws it, and nothing more follows. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** The chunks of one part. */
  take(part: LanguageModelV4StreamPart): readonly Chunk[] {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.#grow(part);
      case "text-start":
      case "text-end":
      case "reasoning-start":
      case "reasoning-end":
        this.#note(this.#block(part), part.providerMetadata);
        return [];
      case "tool-input-start":
        if (part.providerExecuted !== true)
          this.#begun.set(part.id, { index: this.#begun.size + 1, tool: part.toolName });
        return [];
      case "tool-input-delta": {
        const call = this.#begun.get(part.id);
        return call === undefined || part.delta === "" ? [] : [{ type: "args", ...call, text: part.delta }];
      }
      case "tool-call": {
        if (part.providerExecuted === true) return [];
        this.#calls += 1;
        this.#blocks.push({
          kind: "call",
          ...(isOptions(part.providerMetadata) ? { options: part.providerMetadata } : {}),
        });
        return [{ type: "call", tool: part.toolName, args: part.input === "" ? "{}" : part.input }];
      }
      case "error":
        this.#failure ??= { thrown: part.error };
        return [];
      case "finish":
        this.#finish = part;
        return [];
      default:
        return [];
    }
  }

  /** The last chunk; throws if the stream ended before the reply did. */
  end(): Chunk {
    if (this.#failure !== undefined) throw this.#failure.thrown;
    const reason = this.#finish?.finishReason;
    if (this.#finish === undefined || reason === undefined || reason.unified === "interrupted") {
      throw modelError(this.#model, "malformed", { detail: "the stream was interrupted" });
    }
    if (reason.unified === "error") {
      throw modelError(this.#model, "malformed", { detail: `the stream ended with an error (${reason.raw ?? "?"})` });
    }
    const data = toBlockData(this.#blocks);
    return {
      type: "end",
      finish: toFinish(reason, this.#calls),
      usage: toUsage(this.#finish.usage),
      ...(data === undefined ? {} : { provider: { name: this.#model, data } }),
    };
  }

  #grow(part: Extract<LanguageModelV4StreamPart, { type: "text-delta" | "reasoning-delta" }>): readonly Chunk[] {
    const block = this.#block(part);
    this.#note(block, part.providerMetadata);
    if (block.kind === "reasoning") block.text += part.delta;
    else block.length += part.delta.length;
    if (part.delta === "") return [];
    return [{ type: block.kind, text: part.delta }];
  }

  #block(part: { readonly type: string; readonly id: string }): OpenBlock {
    const isText = part.type.startsWith("text");
    const key = `${isText ? "text" : "reasoning"} ${part.id}`;
    const open = this.#open.get(key);
    // Text is cut from the message by length, so only the block written last may grow.
    if (open !== undefined && (!isText || part.type !== "text-delta" || open === this.#blocks.at(-1))) return open;
    const block: OpenBlock = isText ? { kind: "text", length: 0 } : { kind: "reasoning", text: "" };
    this.#open.set(key, block);
    this.#blocks.push(block);
    return block;
  }

  #note(block: OpenBlock, metadata: unknown): void {
    if (isOptions(metadata)) block.options = metadata;
  }
}

function toFinish({ unified }: LanguageModelV4FinishReason, calls: number): Finish {
  if (unified === "content-filter") return "filter";
  if (unified === "length") return "length";
  if (calls > 0) return "calls";
  return unified === "stop" || unified === "tool-calls" ? "stop" : "other";
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    ...(inputTokens.cacheRead === undefined ? {} : { cachedTokens: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite === undefined ? {} : { cacheWriteTokens: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning === undefined ? {} : { reasoningTokens: outputTokens.reasoning }),
  };
}
