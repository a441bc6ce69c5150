/** Every example crew: it loads, runs with no key, answers its examples, and admits what it cannot answer. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { CrewMcp } from "@baton/baton/mcp";
import type { Crew } from "@baton/core";
import { of, play } from "@baton/core/testing";
import { openInterpreter } from "@baton/sandbox";
import { readCrew } from "@baton/crewfile";
import { MODEL_PROVIDERS } from "@baton/models";
import { toGuard } from "@baton/policy";

const here = import.meta.dirname;
const crews = globSync("*/", { cwd: here, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The results of a crew's examples: the outcome, and the text that the user reads last. */
const ANSWERS: ReadonlyMap<string, readonly (readonly [example: string, outcome: string, answer: RegExp])[]> = new Map([
  [
    "customer-service",
    [
      ["My teapot arrived broken. I am C-1001, the order is O-5001.", "paused", /money back for a teapot/],
      ["I am C-1002 and cannot log in.", "done", /^You can get back in now/],
      ["Do you sell gift cards?", "done", /whether we sell gift cards/],
    ],
  ],
  [
    "data-analysis",
    [
      ["How are our two shops doing, and what should we do?", "done", /^\*\*North is growing.*Do next/s],
      ["Do returns go up with sales?", "done", /^\*\*No: in neither shop do returns go up with sales/],
    ],
  ],
  [
    "hello",
    [
      ["Hello!", "done", /^Hello, and welcome!/],
      ["What is Baton?", "done", /^Baton runs crews of agents\./],
      ["What can you do?", "done", /^I can welcome you/],
    ],
  ],
  [
    "hello-tools",
    [
      ["How many messages are there?", "done", /^I counted/],
      ["Did I say coffee?", "done", /^I searched all messages for "coffee"/],
      ["What time is it?", "done", /^I read the clock/],
      ["What was this about?", "done", /^I summed this conversation up/],
    ],
  ],
  [
    "it-support",
    [
      ["Server 192.168.1.50 không ping được, check cho tôi", "done", /^Em đã kiểm tra mạng/],
      ["Máy tính của tôi chậm lắm", "paused", /Máy nào bị chậm/],
      ["The disk of server-backup is full, check it now", "done", /^I measured the disk/],
      ["My computer is slow", "paused", /Which computer is slow/],
    ],
  ],
  [
    "it-support-unified",
    [
      ["How full is the disk of this machine?", "done", /disk/],
      ["Does this machine have enough memory?", "done", /memory/],
      ["My computer is slow", "done", /^Which computer is slow/],
    ],
  ],
  [
    "multi-team",
    [
      ["Should our team of eight try a four-day week?", "done", /^# A four-day week, on trial/],
      ["Should people be allowed to bring dogs to our office?", "done", /^# Dogs in the office: yes, on two days/],
    ],
  ],
  [
    "quiz-exam",
    [
      ["Please hold an exam on the solar system.", "done", /^# Oral exam: the solar system.*has passed/s],
      ["Please call the exam off.", "done", /there will be no exam today/],
    ],
  ],
  [
    "research",
    [
      ["Do plants at the desk help people to keep their attention?", "done", /^# Do desk plants help people/],
      ["Who are the key authors on mood?", "done", /^# Who are the key authors on mood\?/],
    ],
  ],
  [
    "simple-chat",
    [
      ["Why is the sky blue?", "done", /Air scatters blue light/],
      ["How do bees find their way home?", "done", /a bee carries a compass/],
    ],
  ],
  [
    "weather-desk",
    [
      ["How is the weather in Chicago?", "done", /^I looked it up/],
      ["How is the weather in New York?", "done", /^I looked it up/],
    ],
  ],
  [
    "late-orders",
    [
      ["Which are late? Refund those under 20 dollars, ask above", "paused", /^$/],
      ["How many orders are there?", "done", /^I counted: there are 200 orders/],
    ],
  ],
  [
    "vector-search",
    [
      ["How do I keep coffee beans fresh?", "done", /^Keep the beans in an airtight jar/],
      ["When should I water tomatoes?", "done", /^Water tomatoes in the morning/],
    ],
  ],
]);

/** Questions of people who did not know the scripts; each crew is asked all of them. */
const STRANGERS = [
  "How do I reset my password?",
  "Write a report about electric cars",
  "Which region sells best?",
  "I want a refund for order 4711",
  "sleep and memory",
  "My phone is broken and I want my money back",
  "Good evening",
  "Server 8.8.8.8 không ping được",
  "Can you time my run?",
  "Tôi quên mật khẩu",
  "?",
];

/** The languages that a crew speaks besides English, by a word that only they have. */
const OTHER_LANGUAGES: ReadonlyMap<string, RegExp> = new Map([["it-support", /kịch bản/]]);

test("there are example crews, and the list of them names each one", () => {
  const list = readFileSync(join(here, "README.md"), "utf8");
  const listed = Array.from(list.matchAll(/^\| \[([a-z-]+)\]/gm), ([, name = ""]) => name);
  assert.deepEqual(listed.toSorted(), crews.toSorted());
  assert.notEqual(crews.length, 0);
});

test("the crew of the finance assistant checks without a word, too", async () => {
  const { findings } = await readCrew(join(here, "../apps/finance/crew"), { providers: MODEL_PROVIDERS });
  assert.deepEqual(
    findings.filter(({ severity }) => severity !== "note"),
    [],
  );
});

for (const name of crews) suite(name, () => testCrew(name));

/** Servers of crews are played from cassettes. */
const { makeTools } = new CrewMcp({ env: {}, warn: () => {}, cassette: join(here, "weather-desk/cassette.json") });

const interpreter = lazy(() => openInterpreter());

async function read(name: string) {
  const { crew, script, findings } = await readCrew(join(here, name), {
    providers: MODEL_PROVIDERS,
    mcp: makeTools,
    interpreter,
  });
  assert.ok(crew && script, JSON.stringify(findings));
  return { crew, script, findings };
}

/** Reads once, when it is first needed. */
function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= make());
}

/** The text that the user reads last: the answer, or before a pause the latest reply. */
async function ask({ crew, script }: Awaited<ReturnType<typeof read>>, input: string) {
  const { events, outcome } = await play(crew, script, { input, guardOf: toGuard });
  const turns = of(events, "turn.ended");
  return { outcome, turns: turns.length, answer: turns.at(-1)?.text ?? "" };
}

/** The agents of a crew and of those that it contains, as a script names them. */
function agentsOf({ agents, subCrews }: Crew): readonly string[] {
  const inner = Array.from(subCrews, ([name, sub]) => agentsOf(sub).map((agent) => `${name}/${agent}`));
  return [...agents.keys(), ...inner.flat()];
}

function testCrew(name: string): void {
  const crewFile = lazy(() => read(name));

  test("it has all its files, checks without a word, and runs with no key", async () => {
    for (const file of ["README.md", "crew.yaml", "script.yaml", "crew.test.ts"]) {
      assert.ok(existsSync(join(here, name, file)), `${name}/${file} is missing`);
    }
    const { crew, script, findings } = await crewFile();
    const told = findings.filter(({ severity }) => severity !== "note");
    assert.deepEqual(told, [], "`baton check` says nothing about a crew that is as it should be");
    assert.equal(crew.name, name);
    assert.deepEqual([...script.keys()].toSorted(), agentsOf(crew).toSorted());
    assert.equal(crew.model, undefined, "the crew takes whatever model there is");
  });

  test("it names two to four examples, its README shows each, and the script answers what was asked", async () => {
    const { crew } = await crewFile();
    const answers = ANSWERS.get(name) ?? [];
    assert.deepEqual(
      crew.examples,
      answers.map(([example]) => example),
    );
    assert.ok(crew.examples.length >= 2 && crew.examples.length <= 4);
    const readme = readFileSync(join(here, name, "README.md"), "utf8");
    for (const [example, outcome, about] of answers) {
      assert.ok(readme.includes(`"${example}"`), `README.md does not show ${example}`);
      const asked = await ask(await crewFile(), example);
      assert.equal(asked.outcome, outcome, example);
      assert.match(asked.answer, about);
    }
  });

  test("asked anything else, it says at once that it plays a script, what it can be asked, and how to get answers", async () => {
    const { crew } = await crewFile();
    for (const input of STRANGERS) {
      const { outcome, turns, answer } = await ask(await crewFile(), input);
      assert.deepEqual({ outcome, turns }, { outcome: "done", turns: 1 }, input);
      assert.match(answer, /only plays? a script, because no model key is set/);
      assert.match(answer, OTHER_LANGUAGES.get(name) ?? /./);
      assert.match(answer, /set OPENAI_API_KEY,\s+ANTHROPIC_API_KEY\s+or\s+GEMINI_API_KEY/);
      const named = crew.examples.filter((example) => answer.replaceAll(/\s+/g, " ").includes(`"${example}"`));
      assert.ok(named.length >= 2, `names ${named.length} examples`);
    }
  });
}
