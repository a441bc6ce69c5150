/**
 * X-ray: what a model was given, as blocks with their words and where they came from, and what changed since the
 * agent's last call.
 */
import type { AgentInfo, Message, StepPrompt } from "@baton/client";

/** The kinds of blocks, for their colours and names. */
export type BlockKind =
  | "system"
  | "state"
  | "session"
  | "user"
  | "own"
  | "agent"
  | "result"
  | "tools"
  | "output"
  | "message";

/** One piece of a prompt. */
export interface XrayPiece {
  /** The same piece has the same key in another prompt. */
  readonly key: string;
  readonly kind: BlockKind;
  /** The agent, the tool or the key of the state that it came from. */
  readonly name: string;
  readonly source: string;
  /** The position it came from. */
  readonly of: string | undefined;
  readonly tokens: number;
  readonly text: string;
}

/** Pieces of one kind that are shown as one. */
export interface XrayBlock {
  readonly key: string;
  readonly kind: BlockKind;
  readonly name: string;
  readonly tokens: number;
  readonly pieces: readonly XrayPiece[];
}

/** Something that was not sent, and why. */
export interface OmittedPart {
  readonly key: string;
  readonly source: string;
  readonly of: string | undefined;
  readonly reason: string;
  readonly tokens: number | undefined;
}

/** A prompt as it is shown. */
export interface Xray {
  readonly blocks: readonly XrayBlock[];
  readonly leftOut: readonly OmittedPart[];
  /** Of all blocks. */
  readonly tokens: number;
}

/** The pieces that were added to a prompt, and those that are gone. */
export interface PromptChange {
  readonly added: ReadonlySet<string>;
  readonly removed: number;
}

const STATE = "state:";
const TOOL = "tool:";
const TURN = "turn ";
/** Kinds whose pieces are shown as one block. */
const GROUPED: ReadonlySet<BlockKind> = new Set(["system", "own", "tools", "session"]);

/** A prompt as blocks, in the order of what the model reads; an agent's own replies are one block. */
export function buildXray(prompt: StepPrompt, agent: Pick<AgentInfo, "id">): Xray {
  const pieces = toPieces(prompt, agent.id);
  const blocks = new Map<string, XrayBlock>();
  for (const piece of pieces) {
    const key = GROUPED.has(piece.kind) ? piece.kind : piece.key;
    const block = blocks.get(key) ?? { key, kind: piece.kind, name: piece.name, tokens: 0, pieces: [] };
    blocks.set(key, { ...block, tokens: block.tokens + piece.tokens, pieces: [...block.pieces, piece] });
  }
  return {
    blocks: [...blocks.values()],
    leftOut: prompt.left_out.map((one, index) => ({
      key: `${index} ${one.source}`,
      source: one.source,
      of: one.of,
      reason: one.reason,
      tokens: "tokens" in one && typeof one.tokens === "number" ? one.tokens : undefined,
    })),
    tokens: pieces.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** Compares a prompt with the one before. */
export function compareXrays(before: Xray, after: Xray): PromptChange {
  const keysOf = ({ blocks }: Xray): ReadonlySet<string> =>
    new Set(blocks.flatMap(({ pieces }) => pieces.map(({ key, text }) => `${key} ${text}`)));
  const [old, now] = [keysOf(before), keysOf(after)];
  return { added: now.difference(old), removed: old.difference(now).size };
}

/** The name of a piece among what was added. */
export function changeKey({ key, text }: XrayPiece): string {
  return `${key} ${text}`;
}

/** The position that a block leads to: a turn, a step or a call; none if it is of no event. */
export function targetOf({ of, source }: Pick<XrayPiece, "of" | "source">): string | undefined {
  if (of !== undefined) return of;
  return source.startsWith(TURN) ? source.slice(TURN.length) : undefined;
}

function toPieces(prompt: StepPrompt, agent: string): readonly XrayPiece[] {
  const used = new Map<string, number>();
  let messages = 0;
  let isSystemShown = false;
  return prompt.blocks.map((block) => {
    const { source, of, tokens } = block;
    const count = used.get(`${source} ${of ?? ""}`) ?? 0;
    used.set(`${source} ${of ?? ""}`, count + 1);
    const base = { key: [source, of ?? "", count].join(" "), source, of, tokens };
    if (block.kind === "system") {
      const text = isSystemShown ? "" : prompt.system;
      isSystemShown = true;
      if (!source.startsWith(STATE)) return { ...base, kind: "system", name: source, text };
      return { ...base, kind: "state", name: source.slice(STATE.length), text };
    }
    if (block.kind === "context") {
      return { ...base, kind: "state", name: source, text: prompt.messages[messages++]?.content ?? "" };
    }
    if (block.kind === "message") {
      const message = prompt.messages[messages++];
      return { ...base, ...readMessage(message, source, agent) };
    }
    if (block.kind === "tool") {
      const name = source.slice(TOOL.length);
      const text = prompt.tools.find((tool) => tool.name === name)?.description ?? "";
      return { ...base, kind: "tools", name, text };
    }
    return { ...base, kind: block.kind === "output" ? "output" : "message", name: source, text: "" };
  });
}

function readMessage(
  message: Message | undefined,
  source: string,
  agent: string,
): Pick<XrayPiece, "kind" | "name" | "text"> {
  if (message === undefined) return { kind: "message", name: source, text: "" };
  const text = message.content;
  if (source === "session") return { kind: "session", name: source, text };
  if (message.role === "tool") return { kind: "result", name: message.tool, text };
  if (message.role === "assistant") {
    const calls = (message.calls ?? []).map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`);
    const whole = [text, ...calls].filter((part) => part !== "").join("\n");
    return { kind: message.agent === agent ? "own" : "agent", name: message.agent ?? "", text: whole };
  }
  if (source.startsWith(TURN)) return { kind: "agent", name: speakerOf(text) ?? source, text };
  return { kind: "user", name: source, text };
}

/** Returns the author of a message that begins with a name in brackets, as other agents' messages do. */
function speakerOf(text: string): string | undefined {
  const end = text.indexOf("] ");
  return text.startsWith("[") && end > 1 ? text.slice(1, end) : undefined;
}
