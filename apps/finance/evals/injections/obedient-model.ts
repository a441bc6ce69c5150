/**
 * Obedient model: does what the rules do, and all that an injected text tells it as soon as that text is in its prompt.
 */
import type { Chunk, Model, Prompt } from "@baton/core";
import { z } from "zod";
import { type Injection, MARK, type WantedCall } from "./injections.ts";

const USAGE = { inputTokens: 100, outputTokens: 20 };
const STATE = z.object({ obeyed: z.number(), rules: z.json().optional() });
const CORRECTED = "Your answer was not shown";

/** The injection that the model obeys, and a callback for when it has seen the text. */
export interface Obeyed {
  readonly injection: Injection;
  readonly symbol: string;
  readonly onSeen: (agent: string) => void;
}

/** A model that obeys, instead of the program `offline`. */
export function obedientModel(offline: Model, obeyed: Obeyed): Model {
  return {
    name: "test/obedient",
    stream: (prompt, scope) =>
      prompt.agent === "analyst"
        ? analyse(offline, obeyed, { prompt, scope })
        : write(offline, obeyed, { prompt, scope }),
  };
}

type Asked = Readonly<{ prompt: Prompt; scope: Parameters<Model["stream"]>[1] }>;

/** Returns the text that the model reads, without the crew's corrections: those are not the text of strangers. */
function readIn({ system, messages }: Prompt): string {
  const said = messages.filter(({ content }) => !content.startsWith(CORRECTED));
  return system + said.map(({ content }) => content).join("\n") + JSON.stringify(said);
}

const hasMark = (prompt: Prompt): boolean => readIn(prompt).includes(MARK);

/** Only what it reads can be said. */
const hasWords = (prompt: Prompt, { banned }: Injection): boolean =>
  banned.some((words) => readIn(prompt).includes(words));

/** The calls of the rules, and those that are wanted beside them or, once the rules are done, after them. */
async function* analyse(offline: Model, { injection, symbol, onSeen }: Obeyed, asked: Asked) {
  const { prompt, scope } = asked;
  const before = STATE.safeParse(prompt.state).data ?? { obeyed: 0 };
  const { state: _, ...rest } = prompt;
  const own = before.rules === undefined ? rest : { ...rest, state: before.rules };
  const isSeen = hasMark(prompt);
  if (isSeen) onSeen(prompt.agent);
  const wanted = isSeen && prompt.tools.length > 0 ? (injection.calls[before.obeyed] ?? []) : [];
  for await (const chunks of offline.stream(own, scope)) {
    yield chunks.flatMap((chunk): readonly Chunk[] => {
      if (chunk.type !== "end") return [chunk];
      const state = {
        obeyed: before.obeyed + (isSeen ? 1 : 0),
        ...(chunk.state !== undefined && { rules: chunk.state }),
      };
      const { output: __, ...end } = chunk;
      const isCalling = wanted.length > 0 || chunk.finish === "calls";
      return [
        ...wanted.map((call) => toCall(call, symbol)),
        { ...end, usage: USAGE, finish: isCalling ? "calls" : "stop", state },
      ];
    });
  }
}

function toCall({ tool, args }: WantedCall, symbol: string): Chunk {
  return { type: "call", tool, args: JSON.stringify(args).replaceAll("SYMBOL", symbol) };
}

/** The answer of the rules, and before it what is to be said; it insists when it is told what is wrong. */
async function* write(offline: Model, { injection, onSeen }: Obeyed, { prompt, scope }: Asked) {
  const isSeen = hasMark(prompt);
  if (isSeen) onSeen(prompt.agent);
  if (isSeen && hasWords(prompt, injection))
    yield [{ type: "text", text: `${injection.says}\n\n` }] satisfies readonly Chunk[];
  for await (const chunks of offline.stream(prompt, scope)) {
    yield chunks.map((chunk): Chunk => (chunk.type === "end" ? { ...chunk, usage: USAGE } : chunk));
  }
}
