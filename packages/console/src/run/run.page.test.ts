/** The run page in Chromium: every moment of a run is the moment of its log. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { defineCrew, defineTool, type RunEvent } from "@baton/core";
import { readCrew } from "@baton/crewfile";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, until, untilEqual } from "../testing/page-suite.ts";
import { type Scripted, startTestServer, type TestServer } from "../../../server/src/testing/test-server.ts";

const record = defineTool({
  name: "Record",
  description: "Records an answer.",
  effect: "idempotent",
  input: z.object({ number: z.int() }),
  run: ({ number }) => ({ recorded: number }),
});

const toExam = (closing: string) =>
  defineCrew({
    name: "exam",
    agents: [
      { id: "teacher", tools: ["Record"], systemPrompt: "You ask. ".repeat(20) },
      { id: "student", systemPrompt: "You answer." },
      { id: "reporter", systemPrompt: "You take notes." },
      { id: "closer", systemPrompt: closing, isTerminal: true },
    ],
    tools: [record],
    signals: {
      teacher: [
        { signal: "[ASK]", target: "both" },
        { signal: "[END]", target: "closer" },
      ],
    },
    groups: { both: { agents: ["student", "reporter"], nextAgent: "teacher" } },
    settings: { maxContextTokens: 260 },
  });

const exam: Scripted = {
  crew: toExam("You close."),
  script: {
    teacher: [
      { say: "Question one: which planet is red and has two small moons that are called fear and dread? [ASK]" },
      { call: [{ tool: "Record", args: { number: 1 } }] },
      { say: "That is right, and well said indeed. Question two: which planet is the largest of them all? [ASK]" },
      { call: [{ tool: "Record", args: { number: 2 } }] },
      { say: "Right again, and that was the last of the questions I have for you today. [END]" },
    ],
    student: [{ say: "It is Mars, the fourth planet from the Sun." }, { say: "Jupiter, by far, with many moons." }],
    reporter: [{ say: "Noted: the first was about Mars." }, { say: "Noted: the second was about the largest planet." }],
    closer: [{ say: "The exam is over. Both answers were right." }],
  },
};

/** The example crews, with their scripts. */
async function readExamples(): Promise<readonly Scripted[]> {
  const root = join(import.meta.dirname, "../../../../crews");
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const read = await Promise.all(folders.map(({ name }) => readCrew(join(root, name), { providers: [] })));
  return read.flatMap(({ crew, script }) => (crew === undefined ? [] : [{ crew, script: script ?? {} }]));
}

const LOG = z.object({ events: z.array(z.custom<RunEvent>((value) => typeof value === "object" && value !== null)) });
const BOX = z.object({ left: z.number(), right: z.number(), top: z.number(), bottom: z.number() });

const onlyWords = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Returns the state of the log at an event: texts by turn, working agents, and the number of handoffs of each way. */
function readMoment(events: readonly RunEvent[], seq: number) {
  const texts = new Map<string, string>();
  const working = new Set<string>();
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.seq > seq) break;
    if (event.type === "turn.started") working.add(event.lane === "" ? event.agent : `member ${event.agent}`);
    if (event.type === "turn.ended") working.delete(event.lane === "" ? event.agent : `member ${event.agent}`);
    if (event.type === "group.started") working.add(event.group);
    if (event.type === "group.ended") working.delete(event.group);
    if (event.type === "handoff.made") {
      const way = `${event.from} ${event.to}`;
      counts.set(way, (counts.get(way) ?? 0) + 1);
    }
    if (event.type !== "text.delta") continue;
    const turn = event.step.slice(0, event.step.lastIndexOf("."));
    texts.set(turn, (texts.get(turn) ?? "") + event.text);
  }
  const written = [...texts].map(([turn, text]): [string, string] => [turn, onlyWords(text.replaceAll(SIGNAL, ""))]);
  return {
    texts: Object.fromEntries(written.toSorted(([a], [b]) => a.localeCompare(b))),
    working: [...working].toSorted(),
    counts: Object.fromEntries([...counts].toSorted(([a], [b]) => a.localeCompare(b))),
  };
}

/** A signal, or what is written of one: the page shows it apart from the words. */
const SIGNAL = /\[[A-Z_]*\]?/gu;

/** Returns the state that the page shows. */
async function readPage(page: Page) {
  const shown = await page.evaluate(() => ({
    texts: [...document.querySelectorAll("[data-turn]")].map((turn) => [
      turn.getAttribute("data-turn") ?? "",
      [...turn.querySelectorAll(".step-text")].map((text) => text.textContent).join(""),
    ]),
    boxes: [...document.querySelectorAll("[data-box].active")].map((box) => box.getAttribute("data-box") ?? ""),
    members: [...document.querySelectorAll("[data-member].active")].map((one) => one.getAttribute("data-member") ?? ""),
    counts: [...document.querySelectorAll("[data-count]")].map((one) => ({
      way: `${one.getAttribute("data-from")} ${one.getAttribute("data-to")}`,
      count: Number(one.getAttribute("data-count")),
    })),
  }));
  const texts = shown.texts.map(([turn = "", text = ""]): [string, string] => [turn, onlyWords(text)]);
  return {
    texts: Object.fromEntries(texts.filter(([, text]) => text !== "").toSorted(([a], [b]) => a.localeCompare(b))),
    working: [...shown.boxes, ...shown.members.map((member) => `member ${member}`)].toSorted(),
    counts: Object.fromEntries(
      shown.counts
        .filter(({ count }) => count !== 0)
        .toSorted((a, b) => a.way.localeCompare(b.way))
        .map(({ way, count }): [string, number] => [way, count]),
    ),
  };
}

describe("the run page", PAGE_SUITE, () => {
  const database = openMemory();
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let folder = "";
  let run = "";
  let events: readonly RunEvent[] = [];
  let examples: readonly Scripted[] = [];
  const problems: string[] = [];

  /** Goes to another moment as a link does. */
  const goTo = async (address: string): Promise<void> => {
    await page.evaluate((wanted) => {
      window.history.pushState(null, "", wanted);
      window.dispatchEvent(new Event("baton:address"));
    }, address);
  };
  const slider = () => page.getByRole("slider");
  const said = async (): Promise<string> => (await slider().getAttribute("aria-valuetext")) ?? "";
  const shows = async (seq: number): Promise<void> => {
    await page.waitForFunction(
      (at) => document.querySelector("[role=slider]")?.getAttribute("aria-valuenow") === at,
      String(seq),
    );
  };
  const start = async (crew: string, input: string): Promise<string> => {
    const { id } = z.object({ id: z.string() }).parse(await (await server.post("/api/runs", { crew, input })).json());
    await page.goto(`${server.url}/runs/${id}`);
    await page.waitForFunction(() => document.title.includes("Done"));
    return id;
  };
  const log = async (id: string): Promise<readonly RunEvent[]> => {
    const answer = await server.get(`/api/runs/${id}/events?history=none`, { Accept: "application/json" });
    return LOG.parse(await answer.json()).events;
  };

  before(async () => {
    examples = await readExamples();
    folder = await ensureConsole();
    server = await startTestServer([exam, ...examples], { console: folder, database });
    browser = await openPageBrowser();
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    run = await start("exam", "Examine me");
    events = await log(run);
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("at random events story, working agents and edge counts are those of the log", async () => {
    await page.waitForSelector(".crew-graph .box");
    const seed = Number(process.env["SEED"] ?? Date.now() % 100_000);
    for (let index = 0; index < 20; index++) {
      const seq = 1 + ((seed * 31 + index * 7_919) % events.length);
      await goTo(`/runs/${run}?at=${seq}`);
      await shows(seq);
      await untilEqual(() => readPage(page), readMoment(events, seq), `event ${seq}, SEED=${seed}`);
    }
  });

  test("at the end the edges are counted as often as the baton went along them", async () => {
    await goTo(`/runs/${run}`);
    await shows(events.length);
    const counts = { "both teacher": 2, "teacher both": 2, "teacher closer": 1 };
    assert.deepEqual(readMoment(events, events.length).counts, counts);
    await untilEqual(async () => (await readPage(page)).counts, counts);
  });

  test("the link of a moment shows the same moment in another tab", async () => {
    await goTo(`/runs/${run}?at=60&tab=output`);
    await shows(60);
    const other = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await other.goto(page.url());
    await other.waitForSelector(".crew-graph .box");
    await untilEqual(() => readPage(other), readMoment(events, 60));
    await other.getByRole("tab", { name: "Output", selected: true }).waitFor();
    await other.close();
  });

  test("keys play, step and jump, and the slider says the event", async () => {
    await goTo(`/runs/${run}?at=3`);
    await shows(3);
    await slider().focus();
    assert.match(await said(), /^event 3, .*, teacher writes$/);
    await page.keyboard.press("ArrowLeft");
    await shows(2);
    assert.match(await said(), /^event 2, .*, teacher has the baton$/);
    await page.keyboard.press("End");
    await shows(events.length);
    assert.match(await said(), /the run ends$/);
    await page.keyboard.press("Home");
    await shows(1);
    assert.match(await said(), /the run starts$/);
    await page.keyboard.press("Shift+ArrowRight");
    await shows(2);
    await page.keyboard.press("Space");
    await page.waitForFunction(
      () => Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuenow")) > 8,
    );
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });

  test("a press on the timeline goes there, and the address follows", async () => {
    const box = await page.locator(".timeline-rail").boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + 30);
    await page.mouse.up();
    // The timeline is one of time: on a busy machine a quarter of it may have most of the events.
    const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
    const isInFirstHalf = (seq: number): boolean => (events[seq - 1]?.at ?? last) - first < (last - first) / 2;
    await until(async () => {
      const at = Number(await slider().getAttribute("aria-valuenow"));
      return at > 1 && isInFirstHalf(at) && new URL(page.url()).searchParams.get("at") === String(at);
    });
  });

  test("the X-ray adds up to the prompt, has its words, and leads to the turn it came from", async () => {
    const step = events.find((event) => event.type === "step.started" && event.agent === "student");
    assert.ok(step?.type === "step.started");
    const answer = await server.get(`/api/runs/${run}/steps/${step.step}/prompt`);
    const prompt = z
      .object({
        system: z.string(),
        messages: z.array(z.looseObject({ content: z.string() })),
        blocks: z.array(z.looseObject({ tokens: z.number() })),
      })
      .parse(await answer.json());
    await goTo(`/runs/${run}?at=${step.seq}&sel=${encodeURIComponent(step.step)}&tab=xray`);
    const sum = prompt.blocks.reduce((total, { tokens }) => total + tokens, 0);
    await page.locator(`[data-tokens="${sum}"]`).waitFor();
    const text = onlyWords((await page.locator(".xray-blocks").textContent()) ?? "");
    for (const one of [prompt.system, ...prompt.messages.map(({ content }) => content)])
      assert.ok(text.includes(onlyWords(one)), one);
    await page.getByRole("button", { name: /^From teacher/ }).click();
    await page.waitForSelector('[data-turn="1"][data-selected="true"]');
  });

  test("a history that was trimmed shows what was left out, and why", async () => {
    const trimmed = events.findLast((event) => event.type === "history.trimmed");
    assert.ok(trimmed?.type === "history.trimmed", "the script must fill the window");
    await goTo(`/runs/${run}?sel=${encodeURIComponent(trimmed.step)}`);
    await page.waitForSelector(".xray-block.left-out");
    assert.match((await page.locator(".xray-block.left-out").first().textContent()) ?? "", /no room in the window/);
  });

  test("a fork opens beside its parent, with the same events up to the last finished step", async () => {
    const ended = events.filter((event) => event.type === "step.ended")[3];
    assert.ok(ended);
    await goTo(`/runs/${run}?at=${ended.seq}`);
    await shows(ended.seq);
    await page.getByRole("button", { name: "Fork from here" }).click();
    await page.getByRole("dialog").getByText("4 model calls").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Fork", exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get("vs") === run);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const forked = await log(id);
    const strip = (all: readonly RunEvent[]) =>
      all.filter(({ seq }) => seq > 1 && seq <= ended.seq).map(({ run: _run, at: _at, ...fact }) => fact);
    assert.deepEqual(strip(forked), strip(events));
    await page.getByText("Compared with").waitFor();
  });

  test("the replay of an untouched run is identical", async () => {
    await goTo(`/runs/${run}`);
    await page.getByRole("button", { name: "Replay check" }).click();
    await page.getByText(`identical, ${events.length} events, 0 model calls`).waitFor();
  });

  test("an event of an unknown type is a row, and nothing else", async () => {
    const other = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await other.route("**/events?**", async (route) => {
      const answer = await route.fetch();
      const listed = [...LOG.parse(await answer.json()).events];
      const last = listed.pop();
      const strange = {
        type: "moon.risen",
        run,
        seq: events.length,
        at: events.at(-1)?.at,
        lane: "",
        phase: { full: true },
      };
      const changed = [...listed, strange, { ...last, seq: events.length + 1, colour: "red" }];
      await route.fulfill({ response: answer, json: { events: changed } });
    });
    await other.goto(`${server.url}/runs/${run}?tab=events`);
    await other.getByText("moon.risen").first().waitFor();
    await other.waitForSelector(".crew-graph .box");
    await untilEqual(() => readPage(other), readMoment(events, events.length));
    await other.close();
  });

  test("the graph of each example crew has its agents, groups and signals, and no box lies on another", async () => {
    for (const { crew } of examples) {
      await page.goto(`${server.url}/crews/${encodeURIComponent(crew.name)}`);
      await page.waitForSelector(".crew-graph .box");
      const shown = (await page.locator(".crew-graph").textContent()) ?? "";
      const boxes = await page.locator(".crew-graph [data-box]").evaluateAll((all) =>
        all.map((box) => {
          const rect = box.querySelector(".ground")?.getBoundingClientRect();
          const at = { left: rect?.left, right: rect?.right, top: rect?.top, bottom: rect?.bottom };
          return { id: box.getAttribute("data-box") ?? "", at };
        }),
      );
      const drawn = new Set([
        ...boxes.map(({ id }) => id),
        ...(await page
          .locator("[data-member]")
          .evaluateAll((all) => all.map((one) => one.getAttribute("data-member") ?? ""))),
      ]);
      for (const id of [...crew.agents.keys(), ...crew.groups.keys()]) assert.ok(drawn.has(id), `${crew.name}: ${id}`);
      for (const { signal } of [...crew.signals.values()].flat())
        if (signal !== undefined) assert.ok(shown.includes(signal), `${crew.name}: ${signal}`);
      const placed = boxes.map(({ id, at }) => ({ id, at: BOX.parse(at) }));
      for (const [index, { id, at }] of placed.entries()) {
        for (const other of placed.slice(index + 1)) {
          const isApart =
            at.right <= other.at.left ||
            other.at.right <= at.left ||
            at.bottom <= other.at.top ||
            other.at.bottom <= at.top;
          assert.ok(isApart, `${crew.name}: ${id} lies on ${other.id}`);
        }
      }
    }
  });

  test("nothing was written to the browser's console", () => {
    assert.deepEqual(problems, []);
  });

  test("against a changed crew the first event that differs is marked; of a new prompt it is said who has it", async () => {
    const changed = defineCrew({
      name: "exam",
      agents: [
        { id: "teacher", tools: ["Record"] },
        { id: "closer", isTerminal: true },
      ],
      tools: [record],
      signals: { teacher: [{ signal: "[ASK]", target: "closer" }] },
    });
    // They end with the database, so this test is the last one.
    const options = { console: folder, database };
    await using reworded = await startTestServer([{ crew: toExam("You close with a joke."), script: {} }], options);
    await using later = await startTestServer([{ crew: changed, script: {} }], options);
    const other = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    await other.goto(`${later.url}/runs/${run}`);
    await other.getByRole("button", { name: "Against the crew as it is now" }).click();
    const marked = other.locator(".timeline-notch.difference");
    await marked.waitFor({ state: "attached" });
    const seq = Number(/#(\d+)/.exec((await marked.textContent()) ?? "")?.[1]);
    const handoff = events.find((event) => event.type === "signal.matched");
    assert.ok(handoff !== undefined && seq <= handoff.seq + 1 && seq > 1, String(seq));

    await other.goto(`${reworded.url}/runs/${run}`);
    await other.getByRole("button", { name: "Replay check" }).click();
    await other.getByText(`identical, ${events.length} events`).waitFor();
    await other.getByRole("button", { name: "Against the crew as it is now" }).click();
    await other.getByRole("button", { name: "changed since: closer" }).click();
    const asked = events.find((event) => event.type === "step.started" && event.agent === "closer");
    await other.waitForURL((url) => url.searchParams.get("at") === String(asked?.seq));
    await other.close();
  });
});
