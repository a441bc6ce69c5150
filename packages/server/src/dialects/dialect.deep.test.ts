import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { assertLinear, inSlice, of, simulate } from "@baton/core/testing";
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import OpenAI from "openai";
import { z } from "zod";
import { agui } from "./agui/agui.ts";
import { findAgent, listCrewAgents } from "./chat/crew-agents.ts";
import type { Frame } from "./dialect.ts";
import { DIALECTS } from "./dialects.ts";
import { openai } from "./openai/openai.ts";
import { responses } from "./openai/responses.ts";
import type { Scene } from "./testing/play.ts";
import { SCENES, toAnswer, toContext, toSegments, toLongRun } from "./testing/scenes.ts";
import { ui } from "./ui/ui.ts";

/** Random runs by their seeds. */
const RUNS = inSlice(Array.from({ length: 300 }, (_, index) => index + 1));
const CLIENT_RUNS = inSlice(Array.from({ length: 60 }, (_, index) => index + 1));

/** Random runs, and every scene. */
async function* runs(seeds: readonly number[]): AsyncGenerator<Scene> {
  for (const play of SCENES.values()) yield play();
  for (const seed of seeds) yield simulate(seed);
}

function parse(data: string): unknown {
  return JSON.parse(data);
}

for (const dialect of DIALECTS) {
  test(`${dialect.name} gives the same frames from every state again, for no state is ever changed`, async () => {
    for await (const scene of runs(RUNS)) {
      const states: unknown[] = [dialect.start(toContext(scene))];
      const told: (readonly Frame[])[] = [];
      for (const event of scene.events) {
        const [state, frames] = dialect.next(states.at(-1), event);
        states.push(state);
        told.push(frames);
      }
      for (const [index, event] of scene.events.entries()) {
        assert.deepEqual(dialect.next(states[index], event)[1], told[index]);
      }
    }
  });

  test(`${dialect.name} numbers its frames without gap or repeat, and all hold JSON`, async () => {
    for await (const scene of runs(RUNS)) {
      let state = dialect.start(toContext(scene));
      for (const event of scene.events) {
        const [next, frames] = dialect.next(state, event);
        state = next;
        const expected = frames.map((_, index) => (frames.length === 1 ? `${event.seq}` : `${event.seq}.${index + 1}`));
        assert.deepEqual(
          frames.map(({ id }) => id),
          expected,
        );
        for (const { data } of frames) assert.ok(typeof parse(data) === "object");
      }
    }
  });

  test(`${dialect.name} continues after any frame with exactly the rest`, async () => {
    for await (const scene of runs(inSlice([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))) {
      const frames = toSegments(dialect, toContext(scene), scene.events).flat();
      for (const [index, { id }] of frames.entries()) {
        if (id === undefined) continue;
        const again = toSegments(dialect, toContext(scene), scene.events).flat();
        assert.deepEqual(again.slice(again.findIndex((frame) => frame.id === id) + 1), frames.slice(index + 1));
      }
    }
  });

  test(`${dialect.name} tells a long reply in linear time`, () => {
    assertLinear(40_000, (size) => {
      const scene = toLongRun(size);
      return () => toSegments(dialect, toContext(scene), scene.events);
    });
  });
}

/** The name of a text frame in each dialect, and the part it belongs to. */
const DELTAS = [
  { dialect: responses, type: "response.output_text.delta", id: "item_id" },
  { dialect: ui, type: "text-delta", id: "id" },
  { dialect: agui, type: "TEXT_MESSAGE_CONTENT", id: "messageId" },
] as const;

const FRAME = z.record(z.string(), z.unknown());

/** The text that a dialect shows of each reply, by its part. */
function readTexts({ dialect, type, id }: (typeof DELTAS)[number], scene: Scene): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { data } of toSegments(dialect, toContext(scene), scene.events).flat()) {
    if (data === "[DONE]") continue;
    const frame = FRAME.parse(parse(data));
    if (frame["type"] !== type) continue;
    const part = String(frame[id]).replace(/^msg_/, "");
    texts.set(part, (texts.get(part) ?? "") + String(frame["delta"]));
  }
  return texts;
}

/** The turn of a step: its position without the last number. */
function turnOf(step: string): string {
  return step.slice(0, step.lastIndexOf("."));
}

/** In responses the name of the agent may stand before its text. */
function withoutName(text: string, name: string): string {
  const [gap, prefix] = [text.startsWith("\n\n") ? "\n\n" : "", `${name}: `];
  return text.startsWith(gap + prefix) ? text.slice(gap.length + prefix.length) : text;
}

for (const deltas of DELTAS) {
  test(`${deltas.dialect.name} shows every reply to the user without its signals, and nothing else`, async () => {
    for (const seed of RUNS) {
      const simulated = await simulate(seed);
      const texts = readTexts(deltas, simulated);
      const agents = listCrewAgents(simulated.crew);
      const turns = of(simulated.events, "turn.started");
      const hidden = new Set(turns.flatMap(({ turn, audience }) => (audience === "crew" ? [turn] : [])));
      for (const ended of of(simulated.events, "step.ended")) {
        if (ended.error !== undefined) continue;
        const drops = of(simulated.events, "step.retried").filter(({ step }) => step === ended.step).length;
        const part = `run/${ended.step}${drops === 0 ? "" : `-${drops + 1}`}`;
        const isCommentary = ended.calls.length > 0 && Array.from(ended.text).length <= 160;
        const expected =
          hidden.has(turnOf(ended.step)) || isCommentary
            ? ""
            : findAgent(agents, ended.lane, ended.agent).watch.matcher.strip(ended.text);
        const { name } = findAgent(agents, ended.lane, ended.agent);
        const said = deltas.dialect === responses ? withoutName(texts.get(part) ?? "", name) : texts.get(part);
        assert.equal(said ?? "", expected, `seed ${seed}, step ${ended.step}`);
      }
    }
  });
}

test("the AI SDK reads every segment of random runs", async () => {
  for await (const scene of runs(CLIENT_RUNS)) {
    let message: UIMessage | undefined;
    for (const frames of toSegments(ui, toContext(scene), scene.events)) {
      const transport = new DefaultChatTransport({ fetch: () => Promise.resolve(toAnswer(frames)) });
      const request = {
        trigger: "submit-message",
        chatId: "chat",
        messageId: undefined,
        abortSignal: undefined,
      } as const;
      const stream = await transport.sendMessages({ ...request, messages: [] });
      const goesOn = message !== undefined && frames[0]?.data.includes(`"messageId":"${message.id}"`);
      const errors: unknown[] = [];
      const onError = (error: unknown): void => {
        errors.push(error);
      };
      const states = readUIMessageStream({ stream, onError, ...(goesOn && message ? { message } : {}) });
      for await (const state of states) message = state;
      const failed = of(scene.events, "run.ended").map(({ error }) => error?.message);
      for (const error of errors) {
        assert.ok(error instanceof Error);
        assert.ok(failed.includes(error.message) || error.message.includes("by the limit"), error.message);
      }
    }
  }
});

test("AG-UI's client reads every segment of random runs", async () => {
  for await (const scene of runs(CLIENT_RUNS)) {
    for (const frames of toSegments(agui, toContext(scene), scene.events)) {
      const agent = new HttpAgent({ url: "http://127.0.0.1/", fetch: () => Promise.resolve(toAnswer(frames)) });
      let count = 0;
      await agent.runAgent(
        {},
        {
          onEvent() {
            count++;
          },
        },
      );
      assert.equal(count, frames.length);
    }
  }
});

test("OpenAI's client reads every segment of random runs", async () => {
  for await (const scene of runs(CLIENT_RUNS)) {
    const context = toContext(scene);
    const ended = of(scene.events, "run.ended").at(-1);
    const segments = toSegments(openai, context, scene.events);
    for (const [index, frames] of segments.entries()) {
      const client = toClient(frames);
      const isCut = index === segments.length - 1 && ended?.outcome !== "done";
      const stream = client.chat.completions.stream({ model: "crew", messages: [] });
      if (isCut) await assert.rejects(stream.finalChatCompletion());
      else assert.equal((await stream.finalChatCompletion()).choices.length, 1);
    }
    for (const frames of toSegments(responses, context, scene.events)) {
      const response = await toClient(frames).responses.stream({ model: "crew", input: "hello" }).finalResponse();
      assert.notEqual(response.status, "in_progress");
    }
  }
});

function toClient(frames: readonly Frame[]): OpenAI {
  const fetch = () => Promise.resolve(toAnswer(frames));
  return new OpenAI({ apiKey: "none", baseURL: "http://127.0.0.1/v1", fetch, maxRetries: 0 });
}
