/**
 * Bad model: a language model that does what a bad case says, instead of the crew's analyst and writer.
 */
import { type Fact, factsOfState, formatFact } from "@baton/assistant";
import type { Agent, Chunk, Model, Prompt } from "@baton/core";
import type { BadCase } from "./bad-cases.ts";

const NAME = "test/bad";
const USAGE = { inputTokens: 100, outputTokens: 20 };

/** The model of an agent in a bad case; what the case does not say is done by rules. */
export function badModelOf(bad: BadCase): (agent: Agent, offline: Model) => Model {
  return ({ id }, offline) => {
    if (id === "writer" || id === "direct") return writerOf(bad);
    return id === "analyst" && bad.looks !== undefined ? analystOf(bad.looks) : offline;
  };
}

/** Asks for the calls of the case, reply by reply, the last again and again. */
function analystOf(looks: NonNullable<BadCase["looks"]>): Model {
  return {
    name: NAME,
    async *stream(prompt): AsyncGenerator<readonly Chunk[]> {
      const turn = typeof prompt.state === "number" ? prompt.state : 0;
      const calls = (looks[turn] ?? looks.at(-1) ?? []).filter(() => prompt.tools.length > 0);
      yield [{ type: "text", text: "Looking." }];
      yield calls.map(({ tool, args }): Chunk => ({ type: "call", tool, args: JSON.stringify(args) }));
      yield [{ type: "end", finish: calls.length === 0 ? "stop" : "calls", usage: USAGE, state: turn + 1 }];
    },
  };
}

/** Writes the bad text, and the second one when it is told what is wrong. */
function writerOf({ writes: [first, second = first] }: BadCase): Model {
  return {
    name: NAME,
    async *stream(prompt): AsyncGenerator<readonly Chunk[]> {
      const isTold = prompt.messages.at(-1)?.content.startsWith("Your answer was not shown") === true;
      const text = fill(isTold ? second : first, prompt);
      for (let at = 0; at < text.length; at += 7) yield [{ type: "text", text: text.slice(at, at + 7) }];
      yield [{ type: "end", finish: "stop", usage: USAGE }];
    },
  };
}

/** `{AAPL revenue FY2016}` becomes a reference, `=AAPL revenue FY2016=` the value as text. */
function fill(text: string, prompt: Prompt): string {
  const facts = factsOfState({ entries: () => prompt.values });
  const language = prompt.values.get("language") === "vi" ? "vi" : "en";
  return text
    .replaceAll(/\{([A-Z][^{}]*)\}/g, (_, named: string) => `{${find(facts, named).id}}`)
    .replaceAll(/=([A-Z][^=]*)=/g, (_, named: string) => formatFact(find(facts, named), language));
}

function find(facts: readonly Fact[], named: string): Fact {
  const found = facts.find(({ symbol, metric, period }) =>
    [`${symbol} ${metric}`, `${symbol} ${metric} ${period?.label}`].includes(named),
  );
  if (found === undefined) throw new Error(`there is no fact ${named}; there are ${facts.length}`);
  return found;
}
