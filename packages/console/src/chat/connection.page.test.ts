/** The chat in Chromium when something is wrong: with the connection, the server, or what was sent. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { defineCrew } from "@baton/core";
import type { Browser, Page, Route } from "playwright-core";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, PATIENT, untilGone } from "../testing/page-suite.ts";
import { GatedModel, SLOW, WAITS } from "../../../server/src/testing/crews.ts";
import { type Scripted, startTestServer, type TestServer, toModels } from "../../../server/src/testing/test-server.ts";
import { Relay } from "../testing/relay.ts";
import {
  messageBox,
  saidIn,
  say,
  setVisibility,
  conversationText,
  untilText,
  untilTitle,
  Visitor,
} from "../testing/visitor.ts";

const WORKER = join(import.meta.dirname, "../../../server/src/testing/console-worker.ts");

const greets: Scripted = {
  crew: defineCrew({ name: "greets", agents: [{ id: "greeter", isTerminal: true }] }),
  script: { greeter: [{ say: "Hello." }] },
};
const fails: Scripted = {
  crew: defineCrew({ name: "fails", agents: [{ id: "breaker", isTerminal: true }] }),
  script: { breaker: [{ fail: "the model is on fire" }] },
};
const tabs = defineCrew({ name: "tabs", agents: [{ id: "teller", isTerminal: true }], settings: PATIENT });
const endless: Scripted = {
  crew: defineCrew({
    name: "endless",
    agents: [{ id: "ping" }, { id: "pong" }],
    signals: {
      ping: [{ signal: "[PONG]", target: "pong" }],
      pong: [{ signal: "[PING]", target: "ping" }],
    },
    settings: { maxHandoffs: 3 },
  }),
  script: {
    ping: [1, 2, 3, 4].map(() => ({ say: "To you. [PONG]" })),
    pong: [1, 2, 3, 4].map(() => ({ say: "And back. [PING]" })),
  },
};

/** Starts a server as a process of its own; gives it once it listens. */
async function startWorker(...given: readonly string[]): Promise<Readonly<{ child: ChildProcess; url: string }>> {
  const child = spawn(process.execPath, [WORKER, ...given], { stdio: ["ignore", "pipe", "inherit"] });
  const early = once(child, "exit").then((): never => {
    throw new Error("the server ended before it listened");
  });
  const ready: Promise<unknown[]> = once(createInterface({ input: child.stdout }), "line");
  const [line] = await Promise.race([ready, early]);
  early.catch(() => {});
  return { child, url: String(line) };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function isWithinWindow(): boolean {
  return [...document.querySelectorAll(".page")].every((page) => page.scrollHeight <= page.clientHeight);
}

describe("the chat in trouble", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;
  let model: GatedModel;
  let inTabs: GatedModel;
  let folder: string;

  before(async () => {
    folder = await ensureConsole();
    model = new GatedModel();
    inTabs = new GatedModel();
    const gated = new Map([
      ["slow", model],
      ["tabs", inTabs],
    ]);
    const scripted = toModels([greets, fails, endless, WAITS]);
    server = await startTestServer([greets, fails, endless, WAITS, SLOW, { crew: tabs, script: {} }], {
      console: folder,
      rateLimits: "off",
      model: (agent, crew) => gated.get(crew.name) ?? scripted(agent, crew),
    });
    browser = await openPageBrowser();
    visitor = new Visitor(browser, server.url, /net::ERR_|status of (?:429|503|400|422)/u);
  });
  after(async () => {
    model?.end();
    inTabs?.end();
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("a server killed in mid-answer and started again: the bar comes and goes, and the text is the log's", async () => {
    const data = await mkdtemp(join(tmpdir(), "baton-console-"));
    const path = join(data, "data.db");
    const first = await startWorker(path, "0", folder);
    const port = new URL(first.url).port;
    const own = new Visitor(browser, first.url, /net::ERR_|status of 50/u);
    const { id, session_id } = await own.start("halves", "Tell me");
    const page = await own.open(`/chat/${session_id}`);
    await untilText(page, "first20");
    await kill(first.child);
    await page.locator(".offline-bar").waitFor();
    assert.ok((await conversationText(page)).includes("first20"), "what was written stays");
    await writeFile(`${path}.go`, "");
    const second = await startWorker(path, port, folder);
    try {
      await untilTitle(page, "Done");
      await page.locator(".offline-bar").waitFor({ state: "detached" });
      const ended = (await own.log(id)).find((event) => event.type === "run.ended");
      const shown = await page.locator(".step-text").allInnerTexts();
      assert.deepEqual(
        shown.map((text) => text.trim()),
        [ended?.type === "run.ended" ? ended.text.trim() : "?"],
      );
      assert.deepEqual(own.problems, []);
      await page.context().close();
    } finally {
      await kill(second.child);
      await rm(data, { recursive: true, force: true });
    }
  });

  test("a connection that is lost during a pause comes back without any new event", async () => {
    await using relay = new Relay(server.server.port);
    const url = await relay.listen();
    const own = new Visitor(browser, url, /net::ERR_|status of 50/u);
    const { id, session_id } = await own.start("waits", "Hello");
    const page = await own.open(`/chat/${session_id}`);
    await untilTitle(page, "Waiting");
    const known = (await own.log(id)).length;
    relay.cut();
    await page.locator(".offline-bar").waitFor();
    await page.getByText("Which one?").waitFor();
    relay.mend();
    await page.locator(".offline-bar").waitFor({ state: "detached" });
    assert.equal((await own.log(id)).length, known);
    await say(page, "The second");
    await untilTitle(page, "Done");
    assert.deepEqual(own.problems, []);
    await page.context().close();
  });

  test("what could not be said to a run stays in the field, and can be sent once the connection is back", async () => {
    await using relay = new Relay(server.server.port);
    const own = new Visitor(browser, await relay.listen(), /net::ERR_|status of 50/u);
    const { session_id } = await own.start("slow", "Begin");
    const page = await own.open(`/chat/${session_id}`);
    await untilTitle(page, "Working");
    relay.cut();
    await say(page, "Hurry");
    const refused = page.getByText("The server cannot be reached");
    await refused.waitFor();
    relay.mend();
    await refused.waitFor({ state: "detached" });
    assert.equal(await messageBox(page).inputValue(), "Hurry");
    await messageBox(page).press("Enter");
    await page.locator(".pending-say", { hasText: "Hurry" }).waitFor();
    await page.locator(".composer-stop").click();
    await untilTitle(page, "Stopped");
    await page.context().close();
  });

  test("a message whose answer was lost on the way is sent again with the same key, and is one run", async () => {
    const page = await visitor.open("/?crew=greets");
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") keys.push(request.headers()["idempotency-key"]);
    });
    const lose = async (route: Route): Promise<void> => {
      await route.fetch();
      await route.abort();
    };
    await page.route((url) => url.pathname === "/api/runs", lose, { times: 1 });
    const known = (await visitor.runs()).length;
    await say(page, "Only once");
    await untilTitle(page, "Done");
    assert.equal((await visitor.runs()).length, known + 1);
    assert.ok(keys.length >= 2 && new Set(keys).size === 1 && keys[0] !== undefined, keys.join());
    await page.context().close();
  });

  test("six hidden tabs with live runs leave connections for a seventh, and know when their runs end", async () => {
    inTabs.say("Once upon a time");
    const first = await visitor.open("/");
    const context = first.context();
    const hidden: Page[] = [];
    for (let tab = 1; tab <= 6; tab++) {
      const { session_id } = await visitor.start("tabs", `Story ${tab}`);
      const page = await visitor.openBeside(context, `/chat/${session_id}`);
      await untilText(page, "Once upon a time");
      await setVisibility(page, "hidden");
      hidden.push(page);
    }
    await setVisibility(first, "hidden");
    const { session_id } = await visitor.start("tabs", "Story 7");
    const seventh = await visitor.openBeside(context, `/chat/${session_id}`);
    await untilText(seventh, "Once upon a time");
    inTabs.say(", the end.");
    await untilText(seventh, "Once upon a time, the end.");
    inTabs.end();
    for (const page of [seventh, ...hidden]) await untilTitle(page, "Done");
    for (const page of hidden) {
      await setVisibility(page, "visible");
      await untilText(page, "Once upon a time, the end.");
    }
    await context.close();
  });

  test("a stop that does not get through is told of and can be tried again; what was written stays", async () => {
    const page = await visitor.open("/?crew=slow");
    await say(page, "Tell me");
    model.say("Once upon a time");
    await untilText(page, "Once upon a time");
    await page.route("**/commands", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
    await untilTitle(page, "Working");
    await page.getByRole("button", { name: "Stop" }).click();
    await untilTitle(page, "Stopped");
    await untilGone(page.getByText("The server cannot be reached"));
    const shown = await conversationText(page);
    assert.ok(shown.includes("Once upon a time") && shown.includes("Tell me"));
    await untilGone(page.getByRole("button", { name: "Stop" }));
    await page.context().close();
  });

  test("a machine that loses its network in mid-answer: every page says so at once, and none misses a word", async () => {
    const { id, session_id } = await visitor.start("slow", "Tell me more");
    const chat = await visitor.open(`/chat/${session_id}`);
    const context = chat.context();
    const run = await visitor.openBeside(context, `/runs/${id}`);
    const runs = await visitor.openBeside(context, "/runs");
    model.say("Beside the sea");
    await untilText(chat, "Beside the sea");
    await run.getByText("Beside the sea").waitFor();
    await runs.getByRole("link", { name: /Tell me more/u }).waitFor();
    await context.setOffline(true);
    for (const page of [chat, run, runs]) await page.locator(".offline-bar").waitFor();
    assert.ok(await run.evaluate(isWithinWindow), "the bar takes its room from the page");
    model.say(", there was a hat");
    assert.ok(!(await conversationText(chat)).includes("hat"));
    await context.setOffline(false);
    for (const page of [chat, run, runs]) await page.locator(".offline-bar").waitFor({ state: "detached" });
    await untilText(chat, "Beside the sea, there was a hat");
    await run.getByText("Beside the sea, there was a hat").waitFor();
    await run.getByRole("button", { name: "Stop" }).click();
    for (const page of [chat, run]) await untilTitle(page, "Stopped");
    await context.close();
  });

  test("a busy server is told of with the seconds to wait, and the text is kept", async () => {
    const page = await visitor.open("/?crew=greets");
    const body = JSON.stringify({ code: "rate_limited", detail: "Too many requests.", status: 429 });
    const headers = { "Retry-After": "30", "Content-Type": "application/problem+json" };
    await page.route("**/api/runs", (route) => route.fulfill({ status: 429, headers, body }), { times: 1 });
    await say(page, "Good morning");
    const told = page.getByRole("alert").filter({ hasText: "Too many requests. Try again in" });
    await told.waitFor();
    const earlier = await told.innerText();
    await page.waitForFunction(
      (old) => [...document.querySelectorAll("[role=alert]")].every((one) => one.textContent !== old),
      earlier,
    );
    assert.match(await told.innerText(), /Try again in (?:[12]?\d) s/u);
    assert.equal(await messageBox(page).inputValue(), "Good morning");
    await messageBox(page).press("Enter");
    await untilTitle(page, "Done");
    assert.deepEqual(await saidIn(page), ["Good morning"]);
    await page.context().close();
  });

  test("a server that stops says that it restarts, and the message is sent once it is back", async () => {
    const page = await visitor.open("/?crew=greets");
    const runs = (await visitor.runs()).length;
    const body = JSON.stringify({ code: "stopping", detail: "The server is stopping.", status: 503 });
    const headers = { "Content-Type": "application/problem+json" };
    await page.route("**/api/runs", (route) => route.fulfill({ status: 503, headers, body }), { times: 1 });
    await say(page, "Good evening");
    await page.locator(".offline-bar", { hasText: "The server restarts. Runs go on where they were." }).waitFor();
    assert.equal(await messageBox(page).inputValue(), "Good evening");
    await untilTitle(page, "Done");
    await page.locator(".offline-bar").waitFor({ state: "detached" });
    assert.equal((await visitor.runs()).length, runs + 1);
    await page.context().close();
  });

  test("a message that is too long is kept, and it is said by how much; characters count as on the server", async () => {
    const page = await visitor.open("/?crew=greets");
    const long = "🎩".repeat(10_003);
    await messageBox(page).fill(long);
    await page.keyboard.press("Enter");
    await page.getByText("10,003 characters, 3 too many: at most 10,000 can be sent").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send" }).isDisabled(), true);
    assert.equal(await messageBox(page).inputValue(), long);
    for (let extra = 0; extra < 3; extra++) await messageBox(page).press("Backspace");
    await page.getByText("0 characters left").waitFor();
    await page.keyboard.press("Enter");
    await untilTitle(page, "Done");
    assert.deepEqual(await saidIn(page), ["🎩".repeat(10_000)]);
    await page.context().close();
  });

  test("a failed run says why and leads to its step; a run at its limit says which", async () => {
    const { id, session_id } = await visitor.start("fails", "Try");
    const page = await visitor.open(`/chat/${session_id}`);
    await untilTitle(page, "Failed");
    const card = page.locator(".chat-outcome.failed");
    await card.getByText(/the model is on fire/u).waitFor();
    await card.getByText("Fork from before it").waitFor();
    const link = await card.getByRole("link", { name: "Step 1.1" }).getAttribute("href");
    assert.ok(link?.startsWith(`/runs/${id}?`) === true && link.includes("sel=1.1"), link ?? "");
    await page.context().close();
    const limited = await visitor.start("endless", "Play");
    const other = await visitor.open(`/chat/${limited.session_id}`);
    await untilTitle(other, "Limit");
    const limit = other.locator(".chat-outcome.limit");
    await limit.getByText(/handoffs/iu).waitFor();
    await other.context().close();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});
