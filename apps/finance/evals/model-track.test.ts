import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ModelRegistry } from "@baton/models";
import { LLMock } from "@copilotkit/aimock";
import { stubMarket } from "../tools/testing/stub-market.ts";
import { type EvalHarness, openEvalHarness } from "./eval-harness.ts";
import { answerWithModel } from "./model-track.ts";
import { parseQuestions } from "./question-lines.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 5 });
const market = stubMarket({});
const questions = parseQuestions("model-1 | RSI of Apple | technical | getRSI AAPL");

describe("a model behind a provider's interface", () => {
  let folder = "";
  let harness: EvalHarness;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "evals-"));
    await mock.start();
    const models = new ModelRegistry({ keys: new Map([["openai", "none"]]) });
    harness = await openEvalHarness({
      modelOf: ({ toolCalls }) =>
        models.forAgent({ model: { name: "openai/gpt-5-mini", url: `${mock.url}/v1` }, toolCalls }),
    });
    mock.on(
      { predicate: ({ tools = [], messages }) => tools.length > 0 && !messages.some(({ role }) => role === "tool") },
      { toolCalls: [{ name: "getRSI", arguments: { symbol: "AAPL" } }] },
    );
    mock.on({ hasToolResult: true }, { content: "The RSI was found." });
    mock.on({}, { content: "On simulated prices, the RSI(14) of Apple is {f3.1.1.1}." });
  });
  after(async () => {
    await harness[Symbol.asyncDispose]();
    await mock.stop();
    await rm(folder, { recursive: true });
  });

  const answer = (file: string, repeat: number) => answerWithModel({ harness, market, questions, repeat, file });

  test("is asked, marked, and kept, so that marking again asks nothing", async () => {
    const file = join(folder, "sub/kept.jsonl");
    const first = await answer(file, 2);
    assert.equal(first.length, 2);
    for (const { marks, observed } of first) {
      assert.equal(observed.text, "On simulated prices, the RSI(14) of Apple is 54.6.");
      assert.ok(marks.type && marks.charts && marks.language && marks.done);
      assert.deepEqual([marks.tools.hits, marks.args.right, marks.figures.referenced], [1, 1, 1]);
      assert.ok(observed.modelCalls >= 2, "the analyst and the writer");
    }
    const asked = mock.getRequests().length;
    const again = await answer(file, 2);
    assert.deepEqual(again, first);
    assert.equal(mock.getRequests().length, asked);
  });

  test("goes on after a break: what is missing or cut short is asked again", async () => {
    const file = join(folder, "kept.jsonl");
    await answer(file, 1);
    await appendFile(file, '\n{"key":"cut sh');
    const asked = mock.getRequests().length;
    assert.equal((await answer(file, 2)).length, 2);
    const more = mock.getRequests().length;
    assert.ok(more > asked, "the second time is new");
    assert.equal((await answer(file, 2)).length, 2);
    assert.equal(mock.getRequests().length, more);
  });

  test("does not keep a run that failed", async () => {
    const file = join(folder, "failed.jsonl");
    const error = { message: "bad request", type: "invalid_request_error" };
    mock.prependFixture({ match: {}, response: { error, status: 400 } });
    const [failed] = await answer(file, 1);
    assert.equal(failed?.observed.outcome, "failed");
    mock.clearFixtures();
    mock.on({}, { content: "There is nothing to say." });
    const [again] = await answer(file, 1);
    assert.equal(again?.observed.outcome, "done");
  });
});
