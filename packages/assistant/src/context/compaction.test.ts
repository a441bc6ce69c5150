import assert from "node:assert/strict";
import { test } from "node:test";
import { type Crew, defineCrew, Engine, type Message, type Model, type Prompt, type RunEvent } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { collect, of } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { MEMORY } from "../memory/collections.ts";
import { COMPACTION_REQUEST, withSummary } from "./compaction.ts";
import { defineCompactionTools } from "./compaction-tools.ts";
import { contextProgram, sumTokens } from "./context-program.ts";

const NEEDS = { type: "object", properties: { needs_compaction: { type: "boolean" } } } as const;
const PIECE_TOKENS = 30_000;
const COMPACT_ABOVE = 100_000;

const CREW: Crew = defineCrew({
  name: "desk",
  agents: [
    { id: "context", model: { name: "code/context" }, audience: "crew", tools: ["loadCompaction"], output: NEEDS },
    { id: "compactor", audience: "crew", tools: ["saveCompaction"] },
    { id: "writer", isTerminal: true, history: 2, systemPrompt: "You write. {{state.summary}}" },
  ],
  tools: [...defineCompactionTools()],
  programs: { context: contextProgram({ loads: [], budget: 60, compactAbove: COMPACT_ABOVE }) },
  signals: {
    context: [
      { when: { needs_compaction: true }, target: "compactor" },
      { when: { needs_compaction: false }, target: "writer" },
    ],
  },
  defaults: { compactor: "writer" },
  settings: { modelAttempts: 1 },
  wrapModel: (model, { id }) =>
    id === "compactor"
      ? withSummary(model, { keep: 4, maxTokens: 500, tag: "CONV_SUMMARY", pieceTokens: PIECE_TOKENS })
      : model,
});

/** A model that is asked to sum up says how often it was asked, and all prompts are there to look at. */
function openDesk(documents: Documents) {
  const prompts: Prompt[] = [];
  const model: Model = {
    name: "test/model",
    async *stream(prompt) {
      prompts.push(prompt);
      const asked = prompts.filter(({ agent }) => agent === "compactor").length;
      const text = prompt.agent === "compactor" ? `summary ${asked}` : "Written.";
      yield [
        { type: "text", text },
        { type: "end", finish: "stop", usage: { inputTokens: 10, outputTokens: 1 } },
      ];
    },
  };
  const engine = new Engine({ model: () => model, documents: () => documents });
  return async (history: readonly Message[], session = "s1") => {
    prompts.length = 0;
    const run = engine.start(CREW, { input: "And now?", history, session, user: "lan" });
    const { outcome, events } = await collect(run);
    assert.equal(outcome, "done");
    const compactor = prompts.filter(({ agent }) => agent === "compactor");
    return { events, compactor, writer: prompts.find(({ agent }) => agent === "writer") };
  };
}

const openDocuments = () => {
  const database = openMemory();
  return { database, documents: database.documents({ tenant: "acme", user: "lan" }) };
};

/** Messages that each begin with their own number. */
function talk(from: number, to: number, tokensEach: number): readonly Message[] {
  return Array.from({ length: to - from + 1 }, (_, index): Message => {
    const content = `item${from + index}. ${"word ".repeat(Math.floor((tokensEach * 4) / 5))}`;
    return index % 2 === 0 ? { role: "user", content } : { role: "assistant", content };
  });
}

const LONG = talk(1, 241, 640);

/** The numbers of the messages that the model was given, in order. */
const itemsOf = (prompts: readonly Prompt[]): readonly number[] =>
  prompts.flatMap(({ messages }) =>
    messages.flatMap(({ content }) => {
      const item = /^item(\d+)\./.exec(content)?.[1];
      return item === undefined ? [] : [Number(item)];
    }),
  );

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const agentsOf = (events: readonly RunEvent[]) => of(events, "turn.started").map(({ agent }) => agent);

test("the compactor reads every message of a conversation that is longer than the window, in bounded pieces", async () => {
  assert.ok(sumTokens(LONG) > 150_000, "longer than the default window");
  const { database, documents } = openDocuments();
  await using _ = database;
  const { events, compactor, writer } = await openDesk(documents)(LONG);
  assert.deepEqual(itemsOf(compactor), numbers(1, 241));
  assert.ok(compactor.length > 4 && compactor.length < 8, `${compactor.length} pieces`);
  for (const { messages } of compactor) assert.ok(sumTokens(messages) < PIECE_TOKENS + 100);
  assert.deepEqual(
    of(events, "history.trimmed").map(({ agent }) => agent),
    [],
  );
  assert.match(compactor[1]?.system ?? "", /<CONV_SUMMARY>\nsummary 1\n<\/CONV_SUMMARY>/, "each piece goes on");
  assert.equal(compactor.at(-1)?.messages.at(-1)?.content, COMPACTION_REQUEST);
  assert.equal(compactor.at(-1)?.messages.at(-2)?.content, "And now?");
  assert.ok(
    compactor.every(({ tools }) => tools.length === 0),
    "the model is not offered the program's tools",
  );
  assert.match(writer?.system ?? "", new RegExp(`<CONV_SUMMARY>\nsummary ${compactor.length}\n</CONV_SUMMARY>`));
  const [first] = of(events, "step.ended").filter(({ agent }) => agent === "compactor");
  assert.equal(first?.usage.inputTokens, 10 * compactor.length, "all pieces are counted");
});

test("one message that is longer than a piece is read in several, whole", async () => {
  const { database, documents } = openDocuments();
  await using _ = database;
  const content = Array.from({ length: 100_000 }, (__, index) => `w${index}`).join(" ");
  const { compactor } = await openDesk(documents)([{ role: "user", content }]);
  const read = compactor.flatMap(({ messages }) => messages.map((message) => message.content));
  assert.ok(compactor.length >= 5);
  const whole = read.filter((text) => text !== COMPACTION_REQUEST && text !== "And now?").join("");
  assert.equal(whole, content);
});

test("a summary is kept for the next questions, and only newer messages are added to it", async () => {
  const { database, documents } = openDocuments();
  await using _ = database;
  const ask = openDesk(documents);
  const { compactor: first } = await ask(LONG);
  const kept = `summary ${first.length}`;
  const next = await ask([...LONG, ...talk(242, 245, 640)]);
  assert.deepEqual(agentsOf(next.events), ["context", "writer"], "nothing is summed up again");
  assert.ok(next.writer?.system.includes(`<CONV_SUMMARY>\n${kept}\n</CONV_SUMMARY>`));

  const later = await ask([...LONG, ...talk(242, 265, 640)]);
  assert.deepEqual(itemsOf(later.compactor), numbers(242, 265));
  assert.ok(later.compactor[0]?.system.includes(`<CONV_SUMMARY>\n${kept}\n</CONV_SUMMARY>`));
  const last = await ask([...LONG, ...talk(242, 266, 640)]);
  assert.deepEqual(agentsOf(last.events), ["context", "writer"]);
  assert.ok(last.writer?.system.includes("summary 1\n"), "the newer summary");
});

test("a summary is of one session and one conversation: another is summed up from its beginning", async () => {
  const { database, documents } = openDocuments();
  await using _ = database;
  const ask = openDesk(documents);
  await ask(LONG);
  const changed = LONG.with(3, { role: "assistant", content: "item4. other words" });
  assert.deepEqual(itemsOf((await ask(changed)).compactor), numbers(1, 241));
  assert.deepEqual(itemsOf((await ask(changed, "s2")).compactor), numbers(1, 241));
  const short = await ask(talk(1, 4, 100));
  assert.doesNotMatch(short.writer?.system ?? "", /summary/);
});

test("a summary goes with its session", async () => {
  const { database, documents } = openDocuments();
  await using _ = database;
  await openDesk(documents)(LONG);
  assert.equal((await documents.list(MEMORY.compaction)).documents.length, 1);
  await database.sessions.delete({ tenant: "acme", user: "lan" }, "s1");
  assert.deepEqual((await documents.list(MEMORY.compaction)).documents, []);
});

test("a summary that cannot be kept is used for this question, with a warning", async () => {
  const { database, documents } = openDocuments();
  await using _ = database;
  const broken: Documents = {
    ...documents,
    get: (collection, id) => documents.get(collection, id),
    put: () => Promise.reject(new Error("the disk is full")),
  };
  const { events, writer } = await openDesk(broken)(LONG);
  assert.match(writer?.system ?? "", /<CONV_SUMMARY>\nsummary \d+\n/);
  assert.match(
    of(events, "warning.raised")
      .map(({ text }) => text)
      .join("\n"),
    /the summary of the conversation is not kept for the next question/,
  );
});

test("a piece about which the model writes nothing fails the turn: no message is lost without a word", async () => {
  const model: Model = {
    name: "test/model",
    async *stream() {
      yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 0 } }];
    },
  };
  const run = new Engine({ model: () => model }).start(CREW, { input: "And now?", history: LONG });
  const { events } = await collect(run);
  const [ended] = of(events, "turn.ended").filter(({ agent }) => agent === "compactor");
  assert.match(z.looseObject({ message: z.string() }).parse(ended?.error).message, /wrote nothing/);
});
