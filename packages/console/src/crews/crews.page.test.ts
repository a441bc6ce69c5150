/** The crew page in Chromium, beside a real `baton serve --watch`. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createClient, type CrewDetail } from "@baton/client";
import type { Browser, Page } from "playwright-core";
import { Served } from "../../../cli/src/testing/served.ts";
import { openPageBrowser, PAGE_SUITE, until, untilEqual, untilGone } from "../testing/page-suite.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");

const crewOf = (back: string) => `version: "1.0"
name: relay
description: One asks, two answers.
examples: ["How are you?"]
entry_point: one
agents: [one, two]
routing:
  signals:
    one:
      - { signal: "[GO]", target: two }
    two:
      - { signal: "[BACK]", target: ${back} }
`;
const agentOf = (id: string, name: string, isTerminal: string) =>
  `id: ${id}\nname: ${name}\nrole: Helper\ndescription: Helps.\nis_terminal: ${isTerminal}\nsystem_prompt: Say [GO] or [BACK].\n`;
const FILES = {
  "relay/crew.yaml": crewOf('""'),
  "relay/agents/one.yaml": agentOf("one", "Ada", "false"),
  "relay/agents/two.yaml": agentOf("two", "Ben", "true"),
  "relay/script.yaml": 'one:\n  - say: "[GO]"\ntwo:\n  - say: "Fine."\n',
};

/** Notes in the page who has the baton, each time that changes. */
const WATCH_BATON = `
  window.batons = [];
  new MutationObserver(() => {
    const box = document.querySelector(".box.active")?.getAttribute("data-box");
    if (box && window.batons.at(-1) !== box) window.batons.push(box);
  }).observe(document.querySelector(".crew-graph"), { subtree: true, childList: true, attributes: true });
`;

describe("the crew page", PAGE_SUITE, () => {
  let browser: Browser;
  let server: Served;
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "baton-crews-"));
    await mkdir(join(folder, "relay/agents"), { recursive: true });
    for (const [path, text] of Object.entries(FILES)) await writeFile(join(folder, path), text);
    server = await Served.start(["relay", join(ROOT, "crews"), "--watch"], { cwd: folder });
    browser = await openPageBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const inPage = async (url: string, work: (page: Page) => Promise<void>): Promise<void> => {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    try {
      await page.goto(url);
      await work(page);
      assert.deepEqual(errors, []);
    } finally {
      await page.close();
    }
  };

  test("asks the crew what its author suggests, and lists the run", async () => {
    await inPage(`${server.url}/crews`, async (page) => {
      await page.getByRole("link", { name: /^relay/ }).click();
      await page.getByRole("button", { name: "How are you?" }).click();
      await page.waitForURL(/\/chat\//);
      await page.getByText("Fine.").first().waitFor();
      await page.goBack();
      await page.locator(".crew-runs .status-mark.done").waitFor();
      await page.getByRole("button", { name: "Ask this crew" }).click();
      await page.waitForURL(/\/\?crew=relay$/);
    });
    await inPage(`${server.url}/crews/nobody`, async (page) => {
      await page.getByRole("heading", { name: "There is no crew nobody." }).waitFor();
      await page.getByRole("link", { name: "All crews" }).click();
      await page.getByRole("heading", { name: "Crews", level: 1 }).waitFor();
    });
  });

  test("a graph too wide to be read is seen whole, or dragged at readable size; a drag presses nothing", async () => {
    await inPage(`${server.url}/?crew=quiz-exam`, async (page) => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      const place = page.locator(".graph-place");
      const over = (): Promise<number> => place.evaluate((box) => box.scrollWidth - box.clientWidth);
      await page.getByRole("button", { name: "Show the whole graph" }).click();
      await page.getByRole("button", { name: "Show the graph at readable size" }).waitFor();
      assert.equal(await over(), 0);
      assert.equal(await page.locator(".crew-graph .arrow-label text").count(), 0);
      await check(page);
      await page.getByRole("button", { name: "Show the graph at readable size" }).click();
      await page.getByRole("button", { name: "Show the whole graph" }).waitFor();
      assert.ok((await over()) > 0);
      const box = await page.locator('[data-box="teacher"]').boundingBox();
      assert.ok(box);
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const left = await place.evaluate(({ scrollLeft }) => scrollLeft);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 40, y, { steps: 4 });
      await page.mouse.up();
      assert.equal(await place.evaluate(({ scrollLeft }) => scrollLeft), left + 40);
      assert.ok(page.url().endsWith("/?crew=quiz-exam"), page.url());
      await page.mouse.click(x - 40, y);
      await page.waitForURL("**/crews/quiz-exam?agent=teacher");
    });
  });

  test("draws every agent, group and signal of each example crew, and no two boxes overlap", async () => {
    const client = createClient({ url: server.url });
    for (const { id } of await client.crews()) {
      const crew = await client.crew(id);
      await inPage(`${server.url}/crews/${id}`, async (page) => {
        await page.locator(".crew-graph").waitFor();
        await checkDrawing(page, crew);
      });
    }
  });

  test("follows the crew's files: a cycle that never ends is shown with its place, and played", async () => {
    await inPage(`${server.url}/crews/relay`, async (page) => {
      await page.getByRole("heading", { name: "relay", level: 1 }).waitFor();
      await untilEqual(() => page.title(), "relay · Crews · Baton");
      await page.getByText("0 errors").waitFor();
      await untilEqual(() => page.locator(".crew-agents strong").allInnerTexts(), ["Ada", "Ben"]);
      await writeFile(join(folder, "relay/agents/two.yaml"), agentOf("two", "Ben", "false"));
      await writeFile(join(folder, "relay/crew.yaml"), crewOf("one"));
      const finding = page.locator(".crew-finding.error");
      await finding.getByText("no end and no pause can be reached").waitFor();
      const staying = page.getByText("the last version without errors is, and is shown here");
      await staying.waitFor();
      await page.getByText("1 error").waitFor();
      assert.match(await finding.locator(".crew-place code").innerText(), /crew\.yaml:\d+:\d+$/);
      assert.match(await finding.locator(".crew-conversation").innerText(), /Ada\s+\[GO\]\s+Ben\s+\[BACK\]\s+Ada/);
      await check(page);
      const show = finding.getByRole("button", { name: "Show it" });
      await page.evaluate(WATCH_BATON);
      await show.click();
      await until(async () => (await page.evaluate('window.batons.join(" ") === "one two one"')) === true);
      await finding.getByRole("button", { name: "Stop" }).click();
      await page.locator(".box.active").waitFor({ state: "detached" });
      await writeFile(join(folder, "relay/crew.yaml"), crewOf('""'));
      await finding.waitFor({ state: "detached" });
      await untilGone(staying);
    });
  });
});

async function checkDrawing(page: Page, crew: CrewDetail): Promise<void> {
  const drawn = page.locator(".crew-graph [data-box], .crew-graph [data-member]");
  const ids = new Set(
    await drawn.evaluateAll((found) =>
      found.map((one) => one.getAttribute("data-box") ?? one.getAttribute("data-member")),
    ),
  );
  for (const { id } of [...crew.agents, ...crew.groups]) assert.ok(ids.has(id), `${crew.id} draws ${id}`);
  const text = await page.locator(".crew-graph").textContent();
  const isOwn = new Set(crew.agents.map(({ id }) => id));
  for (const { agent, signal, target } of crew.signals)
    if (signal !== undefined && isOwn.has(agent) && target !== agent)
      assert.ok(text?.includes(signal) === true || /\+\d/.test(text ?? ""), `${crew.id} draws ${signal}`);
  const boxes = await page.locator(".crew-graph [data-box] > rect.ground").evaluateAll((found) =>
    found.map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1))
      assert.ok(
        one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
        `${crew.id}: ${JSON.stringify([one, other])}`,
      );
}

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Looks for what readers with a handicap would stumble over. */
async function check(page: Page): Promise<void> {
  const found: unknown = await page.evaluate(
    `(async () => { ${axe}; const { violations } = await axe.run(); return violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join(" ")); })()`,
  );
  assert.deepEqual(found, []);
}
