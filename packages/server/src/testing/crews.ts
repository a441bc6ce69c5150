/**
 * Crews of the tests, with what their agents say.
 */
import { defineCrew, defineTool, type Model, type ScriptEntry } from "@baton/core";
import { z } from "zod";
import type { Scripted } from "./test-server.ts";

/** Two agents, a signal and a handoff; says line breaks, brackets and more than ASCII. */
export const RELAY: Scripted = {
  crew: defineCrew({
    name: "relay",
    description: "Two who pass the baton",
    examples: ["Hello?", "Who is next?"],
    agents: [{ id: "first" }, { id: "second", isTerminal: true }],
    signals: { first: [{ signal: "[NEXT]", target: "second" }] },
  }),
  script: {
    first: [{ say: "Kết\r\nthúc [almost] [NEXT]" }],
    second: [{ say: "Done: 🎉 \u2028 all." }],
  },
};

/** Ends with a signal, which is in what the model wrote and not in what people read. */
export const ENDS: Scripted = {
  crew: defineCrew({
    name: "ends",
    agents: [{ id: "talker" }],
    signals: { talker: [{ signal: "[END]", target: "" }] },
  }),
  script: { talker: [{ say: "Hello there. [END]" }] },
};

/** Waits for the user once. */
export const WAITS: Scripted = {
  crew: defineCrew({
    name: "waits",
    agents: [{ id: "asker" }, { id: "closer", isTerminal: true }],
    signals: { asker: [{ signal: "[GO]", target: "closer" }] },
    behaviors: { asker: { waitForSignal: true } },
  }),
  script: { asker: [{ say: "Which one?" }, { say: "Good. [GO]" }], closer: [{ say: "Thanks." }] },
};

const erase = defineTool({
  name: "erase",
  tags: ["files"],
  description: "Erases a file.",
  effect: "irreversible",
  input: z.object({ path: z.string() }),
  run: ({ path }) => `erased ${path}`,
});

/** Asks before it uses its tool, twice at once. */
export const ASKS: Scripted = {
  crew: defineCrew({
    name: "asks",
    agents: [{ id: "helper", isTerminal: true, tools: ["erase"] }],
    tools: [erase],
  }),
  script: {
    helper: [
      {
        say: "I erase.",
        call: [
          { tool: "erase", args: { path: "a.txt" } },
          { tool: "erase", args: { path: "b.txt" } },
        ],
      },
      { say: "As you wish." },
    ],
  },
};

const pickColour = defineTool({
  name: "pickColour",
  description: "Lets the user pick a colour.",
  effect: "read",
  input: z.object({ of: z.array(z.string()) }),
  output: z.object({ colour: z.string() }),
});

const openDoor = defineTool({
  name: "openDoor",
  description: "Opens the door.",
  effect: "irreversible",
  input: z.object({}),
});

/** A crew whose tools are the client's, one of which must be approved, beside one of its own. */
function withClientTools(name: string, call: NonNullable<ScriptEntry["call"]>): Scripted {
  return {
    crew: defineCrew({
      name,
      agents: [{ id: "helper", isTerminal: true, tools: ["pickColour", "openDoor", "erase"] }],
      tools: [pickColour, openDoor, erase],
    }),
    script: {
      helper: [
        { say: "One moment.", call },
        { when: "erased", say: "Both are done." },
        { when: "blue", say: "Blue it is." },
        { when: "open", say: "Come in." },
        { when: "cancelled", say: "Then not." },
        { say: "Nothing." },
      ],
    },
  };
}

const PICK = { tool: "pickColour", args: { of: ["red", "blue"] } };

/** The client picks a colour. */
export const PICKS = withClientTools("picks", [PICK]);

/** The client opens a door, once that is approved. */
export const OPENS = withClientTools("opens", [{ tool: "openDoor", args: {} }]);

/** The client picks a colour while a person is asked about a file. */
export const PICKS_AND_ASKS = withClientTools("picks-and-asks", [PICK, { tool: "erase", args: { path: "a.txt" } }]);

/** Says a hundred words, slowly; its reply may have 4 MB. */
export const SLOW: Scripted = {
  crew: defineCrew({
    name: "slow",
    agents: [{ id: "talker", isTerminal: true }],
    settings: { maxTokensPerCall: 1_000_000 },
  }),
  script: { talker: [{ say: Array.from({ length: 100 }, (_, n) => `w${n}`).join(" "), delayMs: 10 }] },
};

/** A model that says its text when the test releases it, and stops when it is cancelled. */
export class GatedModel implements Model {
  readonly name = "test/gated";
  readonly #texts: string[] = [];
  readonly #waiting = new Set<() => void>();
  #isEnded = false;
  /** Number of replies that were cut short. */
  aborted = 0;

  say(text: string): void {
    this.#texts.push(text);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *stream(...[, scope]: Parameters<Model["stream"]>): ReturnType<Model["stream"]> {
    for (let next = 0; !this.#isEnded || next < this.#texts.length;) {
      const text = this.#texts[next];
      if (text !== undefined) {
        next++;
        yield [{ type: "text", text }];
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        scope.abort.addEventListener("abort", () => resolve(), { once: true });
      });
      if (scope.abort.aborted) {
        this.aborted++;
        throw scope.abort.reason;
      }
    }
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
