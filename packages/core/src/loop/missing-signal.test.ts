/** An agent that forgets its signal is told of, or asked for it once; one that only quotes a signal is not followed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import type { Settings } from "../definitions/limits.ts";
import { Engine } from "../engine/engine.ts";
import { fold } from "../words/fold.ts";
import type { Prompt } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play, type Replies } from "../testing/crew-runs.ts";

const crewOf = (settings: Partial<Settings> = {}, more: object = {}) =>
  defineCrew({
    name: "d",
    agents: [
      { id: "clerk", systemPrompt: "Answer, then end with [TO_POET].", ...more },
      { id: "poet", isTerminal: true },
    ],
    signals: { clerk: [{ signal: "[TO_POET]", target: "poet", description: "for a poem" }] },
    settings,
  });

test("without its signal the run ends as before, with a warning that names the signals", async () => {
  const { events, outcome, content, warnings } = await play(crewOf(), { clerk: [{ say: "It costs 12. (to_poet)" }] });
  assert.deepEqual([outcome, content], ["done", "It costs 12. (to_poet)"]);
  assert.deepEqual(
    warnings.map(({ agent, code }) => [agent, code]),
    [["clerk", "signal_missing"]],
  );
  assert.match(warnings[0]?.text ?? "", /\[TO_POET\]/);
  assert.equal(of(events, "handoff.made").length, 0);
});

test("a reply that explains a signal does not follow it, and the log says where it stood", async () => {
  const said = 'You asked what "[TO_POET]" means: it is an internal tag.';
  const { events, content } = await play(crewOf(), { clerk: [{ say: said }] });
  assert.equal(content, said);
  const [matched] = of(events, "signal.matched");
  assert.deepEqual([matched?.followed, matched?.place], [false, "quoted"]);
});

test("with `end` a signal inside the text is text, and the warning names the setting", async () => {
  const said = "You asked what [TO_POET] means: it is an internal tag.";
  const { events, content, warnings } = await play(crewOf({ signalPosition: "end" }), { clerk: [{ say: said }] });
  assert.equal(content, said);
  assert.deepEqual(
    of(events, "signal.matched").map(({ followed, place }) => [followed, place]),
    [[false, "inside"]],
  );
  assert.match(warnings[0]?.text ?? "", /signal_position/);
});

test("nothing is said if another rule leads on, if the agent waits or ends, or if the crew does not want it", async () => {
  const silent = [
    crewOf({ onMissingSignal: "ignore" }),
    crewOf({}, { handoffTargets: ["poet"] }),
    crewOf({}, { isTerminal: true }),
    defineCrew({
      name: "d",
      agents: [{ id: "clerk" }, { id: "poet", isTerminal: true }],
      signals: { clerk: [{ signal: "[TO_POET]", target: "poet" }] },
      behaviors: { clerk: { waitForSignal: true } },
    }),
  ];
  for (const crew of silent) {
    const { warnings } = await play(crew, { clerk: [{ say: "x" }], poet: [{ say: "P" }] });
    assert.deepEqual(warnings, []);
  }
});

/** Plays a crew and keeps the prompts. */
async function watch(crew: ReturnType<typeof crewOf>, replies: Replies) {
  const prompts: Prompt[] = [];
  const script = scriptModel(replies);
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream: (prompt, scope) => {
        prompts.push({ ...prompt, messages: [...prompt.messages] });
        return script.stream(prompt, scope);
      },
    }),
  });
  const run = engine.start(crew, { input: "hello" });
  const text = Array.fromAsync(run.text());
  return { prompts, ...(await collect(run)), text: (await text).join("") };
}

test("with `correct` the model is asked once, with tools off; its signal is followed and its first reply stays", async () => {
  const crew = crewOf({ onMissingSignal: "correct" });
  const { prompts, events, outcome, history, text, warnings } = await watch(crew, {
    clerk: [{ say: "It costs 12." }, { say: "[TO_POET]" }],
    poet: [{ say: "Twelve." }],
  });
  assert.equal(outcome, "done");
  assert.deepEqual(warnings, []);
  assert.equal(text, "It costs 12.\n\nTwelve.");
  assert.deepEqual(
    history.map(({ content }) => content),
    ["hello", "It costs 12.", "Twelve."],
  );
  assert.deepEqual(
    of(events, "step.started").map(({ step, correction }) => [step, correction]),
    [
      ["1.1", undefined],
      ["1.2", "signal"],
      ["2.1", undefined],
    ],
  );
  assert.deepEqual(
    of(events, "turn.ended").map((ended) => ended.text),
    ["It costs 12.", "Twelve."],
  );
  const asked = prompts[1];
  assert.equal(asked?.messages.at(-2)?.content, "It costs 12.");
  assert.match(asked?.messages.at(-1)?.content ?? "", /\[TO_POET\]: for a poem/);
  assert.deepEqual(asked?.tools, []);
  assert.deepEqual(
    prompts[2]?.messages.map(({ content }) => content),
    ["hello", "[clerk] It costs 12."],
  );
  assert.deepEqual(fold(events).history, history);
});

test("an answer without a signal leads to the warning, and the model is not asked twice", async () => {
  const crew = crewOf({ onMissingSignal: "correct" });
  const { events, outcome, content, warnings } = await watch(crew, {
    clerk: [{ say: "It costs 12." }, { say: "Sorry?" }],
  });
  assert.deepEqual([outcome, content, of(events, "step.ended").length], ["done", "It costs 12.", 2]);
  assert.equal(warnings[0]?.code, "signal_missing");
});

test("a run that recovers before the answer asks again, and ends the same", async () => {
  const crew = crewOf({ onMissingSignal: "correct" });
  const replies = { clerk: [{ say: "It costs 12." }, { say: "[TO_POET]" }], poet: [{ say: "Twelve." }] };
  const { events, history } = await watch(crew, replies);
  for (const cut of events.keys()) {
    if (cut === 0) continue;
    const engine = new Engine({ model: () => scriptModel(replies) });
    const left = events.slice(0, cut);
    const last = left.at(-1);
    if (last?.type === "run.ended") continue;
    const result = await engine.adopt(crew, { id: last?.run ?? "", events: left }).result;
    assert.deepEqual([result.outcome, result.history], ["done", history], `cut at ${cut}`);
  }
});
