/**
 * Crews of the tests, with what their agents say.
 */
import { defineCrew, defineTool, type Model } from "@baton/core";
import { z } from "zod";
import type { Scripted } from "./test-server.ts";

/** Two agents, a signal and a handoff; says line breaks, brackets and more than ASCII. */
export const RELAY: Scripted = {
  crew: defineCrew({
    name: "relay",
    description: "Two who pass the baton",
    agents: [{ id: "first" }, { id: "second", isTerminal: true }],
    signals: { first: [{ signal: "[NEXT]", target: "second" }] },
  }),
  script: {
    first: [{ say: "Kết\r\nthúc [almost] [NEXT]" }],
    second: [{ say: "Done: 🎉 \u2028 all." }],
  },
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

/** Says a hundred words, slowly. */
export const SLOW: Scripted = {
  crew: defineCrew({ name: "slow", agents: [{ id: "talker", isTerminal: true }] }),
  script: { talker: [{ say: Array.from({ length: 100 }, (_, n) => `w${n}`).join(" "), delayMs: 10 }] },
};

/** A model that says what it is given when it is told to, and stops when it is cancelled. */
export class GatedModel implements Model {
  readonly name = "test/gated";
  readonly #texts: string[] = [];
  readonly #waiting = new Set<() => void>();
  #isEnded = false;
  /** How many replies were cut short. */
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
