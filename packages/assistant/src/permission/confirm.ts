/**
 * Confirm: changes that were postponed are put to the user once the answer is written.
 *
 * A model whose answer follows postponed calls gets a signal at the end of it, and the calls are kept as state. The crew
 * routes the signal to an agent with `confirmProgram`, which makes the calls again; now each of them asks.
 */
import { type Chunk, defineProgram, type Model, type Prompt } from "@baton/core";
import { assistantState } from "../run-state.ts";
import { POSTPONED } from "./wish.ts";

/** The signal that leads to the agent that asks. */
const SIGNAL = "[CONFIRM_CHANGES]";

/** The program that makes postponed calls again. */
export function confirmProgram(): Model {
  return defineProgram((prompt) => {
    if (prompt.results.length > 0) return {};
    return { set: { confirming: true }, call: assistantState.get(prompt, "postponed") };
  });
}

/** The model, whose answer ends with the signal if calls before it were postponed. */
export function withConfirmSignal(model: Model): Model {
  return { ...model, stream: (prompt, scope) => addSignal(model.stream(prompt, scope), findPostponed(prompt)) };
}

type PostponedCalls = ReturnType<typeof findPostponed>;

/** The calls that were postponed, each once. */
function findPostponed({ results }: Prompt) {
  const calls = results.filter(({ error }) => error?.kind === "permission" && error.message.includes(POSTPONED));
  return [...new Map(calls.map(({ tool, args }) => [JSON.stringify([tool, args]), { tool, args }])).values()];
}

async function* addSignal(stream: AsyncIterable<readonly Chunk[]>, postponed: PostponedCalls) {
  let isAnswer = postponed.length > 0;
  for await (const chunks of stream) {
    if (chunks.some(({ type }) => type === "call")) isAnswer = false;
    const end = chunks.at(-1);
    if (!isAnswer || end?.type !== "end") yield chunks;
    else {
      const signal = { type: "text", text: `\n${SIGNAL}` } as const;
      yield [...chunks.slice(0, -1), signal, { ...end, set: { ...end.set, postponed } }];
    }
  }
}
