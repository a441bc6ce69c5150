/**
 * Failing models: one that invents is shown and marked, one that ignores formats is answered as it is, and one that is
 * slow, fails or says nothing ends with an error that says so; what was looked up before is never lost.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError, type Model, type Prompt } from "@baton/core";
import { inSlice } from "@baton/core/testing";
import { chatDialect } from "@baton/assistant/chat";
import { z } from "zod";
import {
  type AskedRun,
  of,
  openAssistant,
  type Question,
  type ScriptedReply,
  scriptedModel,
  understood,
} from "./assistant-harness.ts";

const QUOTE = { calls: [{ tool: "getStockQuote", args: { symbol: "AAPL" } }] } as const;
const hasResult = ({ messages }: Prompt): boolean => messages.some(({ role }) => role === "tool");

/** Understands and looks up; `last` is what it then says. */
const analyst = (last: (prompt: Prompt) => ScriptedReply) =>
  scriptedModel((prompt) => {
    if (prompt.agent === "intent") return understood();
    return hasResult(prompt) ? last(prompt) : QUOTE;
  });

/** The model, which throws whenever it is asked by this agent after the first result. */
const failing = (agent: string, error: () => never): Model => {
  const model = analyst(() => ({ text: "fine" }));
  return {
    ...model,
    stream: (prompt, scope) =>
      prompt.agent === agent && (agent === "intent" || hasResult(prompt)) ? error() : model.stream(prompt, scope),
  };
};

const overloaded = (): never => {
  throw new BatonError("model", "overloaded", { retryable: false });
};

/** What a client of the chat is told. */
function framesOf({ events }: AskedRun, crew: Parameters<ReturnType<typeof chatDialect>["start"]>[0]["crew"]) {
  const dialect = chatDialect();
  let state = dialect.start({ run: "r", crew, createdAt: 0, session: "s", model: "finance" });
  return events.flatMap((event) => {
    const [next, frames] = dialect.next(state, event);
    state = next;
    return frames.map(({ data }) => z.looseObject({ type: z.string() }).parse(JSON.parse(data)));
  });
}

interface Case {
  readonly title: string;
  readonly model: Model;
  readonly limits?: NonNullable<Question["limits"]>;
  readonly check: (run: AskedRun, frames: ReturnType<typeof framesOf>) => void;
}

const errorOf = (frames: ReturnType<typeof framesOf>) => frames.find(({ type }) => type === "error");

const CASES: readonly Case[] = [
  {
    title: "one that invents a price is shown whole, marked, with a warning",
    model: analyst(() => ({ text: "Apple costs $999.00, up 12.34%." })),
    check: ({ text, events }) => {
      assert.equal(text, "Apple costs $999.00, up 12.34%.");
      const warned = of(events, "warning.raised").map((event) => event.text);
      assert.ok(warned.some((warning) => warning.includes("$999.00") && warning.includes("12.34%")));
    },
  },
  {
    title: "one that cites facts that are not there is told to the user",
    model: analyst(() => ({ text: "Apple costs {f9.9.9.9}." })),
    check: ({ text, events }) => {
      assert.doesNotMatch(text, /f9/);
      assert.ok(of(events, "warning.raised").length > 0);
    },
  },
  {
    title: "one whose intent is prose is answered as the question is",
    model: scriptedModel((prompt) =>
      prompt.agent === "intent" ? { text: "I think it is about Apple!" } : { text: "Which company do you mean?" },
    ),
    check: ({ text }, frames) => {
      assert.equal(text, "Which company do you mean?");
      assert.partialDeepStrictEqual(
        frames.find(({ type }) => type === "classification"),
        { data: { by: "none" } },
      );
    },
  },
  {
    title: "one whose arguments do not fit is told so, and can go on",
    model: scriptedModel((prompt) => {
      if (prompt.agent === "intent") return understood();
      if (!hasResult(prompt)) return { calls: [{ tool: "getStockQuote", args: { ticker: 5 } }] };
      return { text: "I could not look it up." };
    }),
    check: ({ text, events }) => {
      assert.equal(text, "I could not look it up.");
      assert.equal(of(events, "call.ended").find(({ tool }) => tool === "getStockQuote")?.error?.kind, "validation");
    },
  },
  {
    title: "one that fails while it understands costs the classification, not the answer",
    model: failing("intent", overloaded),
    check: ({ text }, frames) => {
      assert.equal(text, "fine");
      assert.ok(frames.some(({ type }) => type === "warning"));
    },
  },
  {
    title: "one that fails while it answers ends with model_failed",
    model: failing("analyst", overloaded),
    check: (_, frames) => {
      assert.partialDeepStrictEqual(errorOf(frames), { code: "model_failed" });
      assert.equal(frames.at(-1)?.type, "done");
      assert.ok(
        frames.some(({ type }) => type === "tool_results"),
        "what was looked up is told",
      );
    },
  },
  {
    title: "one that says nothing ends with model_failed",
    model: analyst(() => ({})),
    check: (_, frames) => {
      assert.partialDeepStrictEqual(errorOf(frames), { code: "model_failed" });
    },
  },
  {
    title: "one that is too slow ends with timeout, and what it has said stays",
    limits: { timeoutMs: 2_000 },
    model: {
      name: "slow/model",
      async *stream(prompt, scope) {
        if (prompt.agent === "intent") {
          yield* scriptedModel(() => understood()).stream(prompt, scope);
          return;
        }
        yield [{ type: "text", text: "x".repeat(200) }];
        await scope.sleep(3_600_000);
      },
    },
    check: (_, frames) => {
      assert.partialDeepStrictEqual(errorOf(frames), { code: "timeout" });
      assert.ok(frames.some(({ type }) => type === "content_delta"));
    },
  },
  {
    title: "one that never stops looking up is made to answer",
    model: scriptedModel((prompt) => {
      if (prompt.agent === "intent") return understood();
      return prompt.tools.length > 0 ? QUOTE : { text: "Here is what I have." };
    }),
    check: ({ text }) => assert.equal(text, "Here is what I have."),
  },
];

for (const { title, model, limits, check } of inSlice(CASES)) {
  test(title, async () => {
    await using assistant = await openAssistant();
    const run = await assistant.ask(model, { input: "How much is Apple?", ...(limits && { limits }) });
    check(run, framesOf(run, assistant.crew));
  });
}
