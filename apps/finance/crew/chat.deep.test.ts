/** The assistant as it is served without a key: questions of every kind, and a server that is killed in the middle. */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { z } from "zod";
import { type Answer, ServedAssistant, type SeenFrame } from "./testing/served-assistant.ts";

const CLASSIFIED = z.object({
  data: z.object({ query_type: z.string(), symbols: z.array(z.string()), complexity: z.string(), by: z.string() }),
});
const RESULTS = z.object({ results: z.array(z.object({ id: z.string(), name: z.string(), success: z.boolean() })) });
const DONE = z.object({
  data: z.looseObject({
    flow_id: z.string(),
    status: z.string(),
    total_tool_calls: z.number(),
    tools_failed: z.number(),
    charts: z.array(z.looseObject({ type: z.string(), symbols: z.array(z.string()) })),
    grounding: z.object({
      figures: z.number(),
      referenced: z.number(),
      matched: z.number(),
      unverified: z.array(z.unknown()),
    }),
    disclaimer: z.string().optional(),
  }),
});
const SOURCES = z.object({ items: z.array(z.looseObject({ n: z.number(), title: z.string(), source: z.string() })) });

/** Reads the frames of an answer. */
function toSeen({ frames }: Pick<Answer, "frames">) {
  const types = frames.map(({ frame }) => frame.type);
  const find = (type: string) => frames.find(({ frame }) => frame.type === type)?.frame;
  let text = "";
  for (const { frame } of frames) {
    if (frame.type === "content_restart") text = "";
    if (frame.type === "content_delta") text += String(frame["content"]);
  }
  return {
    types,
    text,
    classification: CLASSIFIED.parse(find("classification")).data,
    tools: frames
      .filter(({ frame }) => frame.type === "tool_results")
      .flatMap(({ frame }) => RESULTS.parse(frame).results.map(({ name }) => name)),
    sources: SOURCES.safeParse(find("sources")).data?.items ?? [],
    done: DONE.parse(find("done")).data,
  };
}

type Seen = ReturnType<typeof toSeen>;

/** Classification, thinking and turns, one content block, sources, the sum. */
function checkOrder({ types }: Pick<Seen, "types">): void {
  assert.equal(types[0], "classification");
  const at = (type: string) => types.indexOf(type);
  assert.deepEqual(types.slice(-2), ["done", "[DONE]"]);
  assert.ok(at("content_start") > at("thinking_end"), types.join(" "));
  assert.equal(types.filter((type) => type === "content_start").length, 1);
  if (at("sources") !== -1)
    assert.deepEqual(types.slice(at("content_end")), ["content_end", "sources", "done", "[DONE]"]);
}

/** Every figure of an answer from tools is a fact; what is said without them may have examples of questions. */
function checkGrounded({ done: { grounding, total_tool_calls } }: Pick<Seen, "done">): void {
  assert.deepEqual(grounding.unverified, []);
  if (total_tool_calls > 0) assert.equal(grounding.figures, grounding.referenced + grounding.matched);
  else assert.equal(grounding.referenced + grounding.matched, 0);
}

/** Lines of the log at which the server dies, each in another phase. */
const DEATHS: readonly (readonly string[])[] = [
  ['"msg":"agent started"', '"agent":"context"'],
  ['"msg":"agent started"', '"agent":"intent"'],
  ['"msg":"model call ended"', '"agent":"resolve"'],
  ['"msg":"tool started"', '"tool":"getTechnicalIndicators"'],
  ['"msg":"tool ended"', '"tool":"getTechnicalIndicators"'],
  ['"msg":"model call ended"', '"agent":"analyst"'],
];

const QUESTION = "RSI and MACD of AAPL";
const EVENTS = z.object({ events: z.array(z.looseObject({ type: z.string(), call: z.string().optional() })) });
const RUNS = z.object({ runs: z.array(z.object({ id: z.string(), session: z.string().optional() })) });

const idsOf = (frames: readonly SeenFrame[]): readonly string[] => frames.flatMap(({ id }) => id ?? []);

/** Counts the events of a type for each call of a run. */
async function countCalls(server: ServedAssistant, run: string, type: string): Promise<ReadonlyMap<string, number>> {
  const { events } = EVENTS.parse(await server.get(`/api/runs/${run}/events`));
  const calls = Map.groupBy(
    events.filter((event) => event.type === type),
    ({ call = "" }) => call,
  );
  return new Map(Array.from(calls, ([call, found]) => [call, found.length]));
}

/** Kills a server at a line of its log and compares the answer of the next one with that of a calm server. */
async function killAt(words: readonly string[]): Promise<void> {
  await using server = await ServedAssistant.open();
  await server.start();
  const calm = await server.ask(QUESTION, "calm");
  assert.ok(calm !== undefined);
  const expected = toSeen(calm);
  await server.stop();
  const session = "killed";
  await server.start(...words);
  const first = await server.ask(QUESTION, session);
  const isWhole = first?.frames.some(({ frame }) => frame.type === "[DONE]");
  assert.notEqual(isWhole, true, `it did not die at ${words.join(" ")}`);
  await server.died();
  await server.start();
  const { runs } = RUNS.parse(await server.get(`/api/runs?session=${session}`));
  if (first === undefined && runs.length === 0) {
    // Nothing was stored, so nothing was promised.
    return;
  }
  const run = first?.run || (runs[0]?.id ?? "");
  const seen = first?.frames ?? [];
  const rest = await server.follow(run, idsOf(seen).at(-1));
  const whole = await server.follow(run);
  assert.deepEqual([...seen, ...rest.frames], whole.frames, words.join(" "));
  const final = toSeen(whole);
  checkOrder(final);
  checkGrounded(final);
  assert.equal(final.text, expected.text, words.join(" "));
  assert.deepEqual(final.sources, expected.sources);
  assert.equal(final.done.total_tool_calls, expected.done.total_tool_calls);
  const ended = await countCalls(server, run, "call.ended");
  assert.deepEqual(new Set(ended.values()), new Set([1]), "nothing that was finished is looked up again");
  assert.equal(runs.length, 1);
}

suite("the assistant without a key", () => {
  let server: ServedAssistant | undefined;
  const cases: (readonly [title: string, run: () => Promise<void>])[] = [];
  const served = (title: string, run: () => Promise<void>) => cases.push([title, run]);
  before(async () => {
    server = await ServedAssistant.open();
    await server.start();
  });
  after(() => server?.[Symbol.asyncDispose]());

  async function ask(question: string, session: string, more: object = {}): Promise<Seen> {
    const answer = await server?.ask(question, session, more);
    assert.ok(answer !== undefined);
    const seen = toSeen(answer);
    checkOrder(seen);
    checkGrounded(seen);
    assert.equal(seen.done.status, "done");
    return seen;
  }

  served("Phân tích kỹ thuật AAPL: thinking, tools, an answer in Vietnamese, sources and a chart", async () => {
    const { types, text, classification, sources, done } = await ask("Phân tích kỹ thuật AAPL", "technical");
    assert.deepEqual(classification, {
      query_type: "technical",
      symbols: ["AAPL"],
      complexity: "tool_required",
      by: "demo",
    });
    for (const type of ["turn_start", "tool_calls", "tool_results"]) assert.ok(types.includes(type), type);
    for (const word of [/RSI\(14\)/, /MACD/, /SMA\(\d+\)/, /EMA\(\d+\)/]) assert.match(text, word);
    assert.match(text, /\d,\d/, "numbers as Vietnamese writes them");
    assert.match(text, /8 năm trước/);
    assert.match(sources[0]?.title ?? "", /AAPL/);
    assert.partialDeepStrictEqual(done.charts[0], { type: "showStockChart", symbols: ["AAPL"], primary: true });
    assert.match(done.flow_id, /^v4_technica_\d+$/);
    assert.match(done.disclaimer ?? "", /không phải lời khuyên đầu tư/);
    assert.ok(done.grounding.figures > 5);
  });

  served("Compare AAPL, MSFT and GOOGL: the three, side by side", async () => {
    const { text, classification } = await ask("Compare AAPL, MSFT and GOOGL", "compare");
    assert.equal(classification.query_type, "comparison");
    assert.deepEqual(classification.symbols.toSorted(), ["AAPL", "GOOGL", "MSFT"]);
    for (const symbol of classification.symbols) assert.ok(text.includes(symbol));
    assert.match(text, /\|/, "a table");
  });

  served("hello: an answer without tools", async () => {
    const { types, classification, done } = await ask("hello", "hello");
    assert.deepEqual([classification.query_type, classification.complexity], ["greeting", "direct"]);
    assert.ok(!types.includes("tool_calls"));
    assert.deepEqual([done.total_tool_calls, done.charts], [0, []]);
  });

  served("what the demo does not understand is refused with what it does, and nothing is looked up", async () => {
    for (const question of ["should I buy Tesla?", "full report on NVDA", "what about its balance sheet?"]) {
      const { text, tools } = await ask(question, "refused");
      assert.match(text, /^Without a language model I understand only these:/, question);
      assert.deepEqual(tools, []);
    }
  });

  served("giá cổ phiếu apple hôm nay: the price of Apple, in Vietnamese", async () => {
    const { classification, text } = await ask("giá cổ phiếu apple hôm nay", "price");
    assert.deepEqual([classification.query_type, classification.symbols], ["stock_price", ["AAPL"]]);
    assert.match(text, /USD/);
  });

  served(
    "without thinking there are no thinking frames; without tools a data question says what it would need",
    async () => {
      const quiet = await ask("price of MSFT", "quiet", { enable_thinking: false });
      assert.ok(!quiet.types.some((type) => type.startsWith("thinking")));
      const bare = await ask("What is the price of Apple?", "bare", { enable_tools: false });
      assert.ok(!bare.types.includes("tool_calls"));
      assert.equal(bare.done.total_tool_calls, 0);
    },
  );

  served("what a page says of itself is checked", async () => {
    const refused = await server?.ask("price of MSFT", "tab", { ui_context: { active_tab: "bonds" } });
    assert.equal(refused?.run, "", "nothing was started");
  });

  for (const words of DEATHS) {
    served(`killed at ${words.join(" ")}, it goes on with the answer, its stream without gap or repeat`, () =>
      killAt(words),
    );
  }

  for (const [title, run] of inSlice(cases)) test(title, run);
});
