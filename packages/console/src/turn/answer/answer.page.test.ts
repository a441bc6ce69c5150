/** The chat in Chromium while a crew works: said meanwhile, two at once, pictures, code, and what was left behind. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Crew, defineCrew, defineTool, type Model, type Prompt } from "@baton/core";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { ensureConsole } from "../../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, PATIENT, untilEqual } from "../../testing/page-suite.ts";
import {
  type Scripted,
  startTestServer,
  type TestServer,
  toModels,
} from "../../../../server/src/testing/test-server.ts";
import { overflowOf, say, conversationText, untilText, untilTitle, Visitor } from "../../testing/visitor.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const isStuck = { ended: false };
const stubborn: Scripted = {
  crew: defineCrew({
    name: "stubborn",
    agents: [{ id: "worker", tools: ["Stuck"] }],
    tools: [
      defineTool({
        name: "Stuck",
        description: "Ignores its abort.",
        effect: "read",
        input: z.object({}),
        run: () =>
          new Promise<never>(() => {}).finally(() => {
            isStuck.ended = true;
          }),
      }),
    ],
  }),
  script: { worker: [{ say: "Let me see.", call: [{ tool: "Stuck", args: {} }] }] },
};
const coder: Scripted = {
  crew: defineCrew({ name: "coder", agents: [{ id: "coder", isTerminal: true }] }),
  script: { coder: [{ say: "So:\n\n```ts\nconst answer = 42;\n```\n\n```klingon\nqapla\n```" }] },
};
const duo = defineCrew({
  name: "duo",
  agents: [{ id: "lead" }, { id: "left" }, { id: "right" }, { id: "closer", isTerminal: true }],
  signals: { lead: [{ signal: "[BOTH]", target: "both" }] },
  groups: { both: { agents: ["left", "right"], nextAgent: "closer" } },
  settings: PATIENT,
});
const listener = defineCrew({
  name: "listener",
  agents: [{ id: "first" }, { id: "second", isTerminal: true }],
  signals: { first: [{ signal: "[NEXT]", target: "second" }] },
  settings: PATIENT,
});

/** Says a beginning, waits, and says the rest; keeps every prompt. */
class WaitingModel implements Model {
  readonly name = "test/waiting";
  readonly prompts: Prompt[] = [];
  readonly #gate = Promise.withResolvers<void>();
  readonly #texts: ReadonlyMap<string, readonly [string, string]>;

  constructor(texts: Readonly<Record<string, readonly [string, string]>>) {
    this.#texts = new Map(Object.entries(texts));
  }

  go(): void {
    this.#gate.resolve();
  }

  async *stream(...[prompt]: Parameters<Model["stream"]>): ReturnType<Model["stream"]> {
    this.prompts.push(prompt);
    const [beginning, rest] = this.#texts.get(prompt.agent) ?? ["", ""];
    yield [{ type: "text", text: beginning }];
    if (rest !== "") {
      await this.#gate.promise;
      yield [{ type: "text", text: rest }];
    }
    yield [{ type: "end", finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } }];
  }
}

interface GivenFile {
  readonly type: string;
  readonly data: string;
  /** The size; by default that of its data. */
  readonly bytes?: number;
}

/** Gives files to the composer as a paste or a drop does. */
async function give(page: Page, how: "paste" | "drop", files: readonly GivenFile[]) {
  await page.evaluate(
    ({ kind, given }) => {
      const transfer = new DataTransfer();
      for (const [index, { type, data, bytes: size = 0 }] of given.entries()) {
        const bytes = Uint8Array.from(atob(data), (character) => character.codePointAt(0) ?? 0);
        const rest = new Uint8Array(Math.max(0, size - bytes.length));
        transfer.items.add(new File([bytes, rest], `${kind}${index}.png`, { type }));
      }
      const target = document.querySelector(".composer textarea");
      const options = { bubbles: true, cancelable: true };
      const event =
        kind === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
          : new DragEvent("drop", { ...options, dataTransfer: transfer });
      target?.dispatchEvent(event);
    },
    { kind: how, given: [...files] },
  );
}

describe("the chat while it works", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;
  const both = new WaitingModel({
    lead: ["[BOTH]", ""],
    left: ["Left begins.", " Left ends."],
    right: ["Right begins.", " Right ends."],
    closer: ["Closed.", ""],
  });
  const hears = new WaitingModel({ first: ["I begin.", " I end. [NEXT]"], second: ["Heard.", ""] });
  const MODELS: ReadonlyMap<string, Model> = new Map<string, Model>([
    ["duo", both],
    ["listener", hears],
  ]);

  before(async () => {
    const scripted = toModels([stubborn, coder]);
    const plain = (crew: Crew): Scripted => ({ crew, script: {} });
    server = await startTestServer([stubborn, coder, plain(duo), plain(listener)], {
      console: await ensureConsole(),
      rateLimits: "off",
      model: (agent, crew) => MODELS.get(crew.name) ?? scripted(agent, crew),
    });
    browser = await openPageBrowser();
    visitor = new Visitor(browser, server.url);
  });
  after(async () => {
    both.go();
    hears.go();
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("what is said while a crew works is in the story and in the next prompt", async () => {
    const page = await visitor.open("/?crew=listener");
    await say(page, "Listen");
    await untilText(page, "I begin.");
    await page.getByPlaceholder("Say something while it works…").waitFor();
    await say(page, "Think of the hats");
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "");
    await page.locator(".pending-say", { hasText: "Think of the hats" }).waitFor();
    hears.go();
    await page.locator(".user-message", { hasText: "Think of the hats" }).waitFor();
    await page.locator(".pending-say").waitFor({ state: "detached" });
    await untilTitle(page, "Done");
    await untilText(page, "Heard.");
    assert.equal(await page.locator(".user-message", { hasText: "Think of the hats" }).count(), 1);
    assert.ok(JSON.stringify(hears.prompts.at(-1)).includes("Think of the hats"));
    await page.context().close();
  });

  test("two members of a group glow at once, and their texts grow side by side", async () => {
    const page = await visitor.open("/?crew=duo");
    await say(page, "Go");
    await untilText(page, "Left begins.");
    await untilText(page, "Right begins.");
    const glowing = page.locator(".stage .crew-graph .active");
    await page.waitForFunction(() => document.querySelectorAll(".stage .crew-graph .active").length >= 2);
    assert.ok((await glowing.count()) >= 2);
    const left = await page.locator(".chat-group .chat-turn", { hasText: "Left begins." }).boundingBox();
    const right = await page.locator(".chat-group .chat-turn", { hasText: "Right begins." }).boundingBox();
    assert.ok(left !== null && right !== null && right.x >= left.x + left.width && right.y === left.y);
    both.go();
    await untilTitle(page, "Done");
    for (const words of ["Left begins. Left ends.", "Right begins. Right ends."]) await untilText(page, words);
    assert.equal(await overflowOf(page), 0);
    await page.context().close();
  });

  test("the receipt of a stop is there while the tool that ignores it still runs; what was written stays", async () => {
    const page = await visitor.open("/?crew=stubborn");
    await say(page, "Begin");
    await page.locator(".tool-line.call-running").waitFor();
    await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".outcome-fate.abandoned a", { hasText: "Stuck" }).waitFor();
    assert.equal(isStuck.ended, false);
    assert.equal(await page.locator("body[data-same-page]").count(), 1);
    const shown = await conversationText(page);
    assert.ok(shown.includes("Let me see.") && shown.includes("Begin"), shown);
    await page.context().close();
  });

  test("abandoned work of a receipt leads to its bar on the page of the run", async () => {
    const { id, session_id } = await visitor.start("stubborn", "Begin");
    const page = await visitor.open(`/chat/${session_id}`);
    await page.locator(".tool-line.call-running").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".outcome-fate.abandoned a", { hasText: "Stuck" }).click();
    await page.waitForURL(`**/runs/${id}?**`);
    assert.equal(new URL(page.url()).searchParams.get("sel"), "1.1.1");
    await page.locator(".timeline-bar.abandoned.selected").waitFor({ state: "attached" });
    await page.context().close();
  });

  test("pictures are pasted and dropped; what cannot go along is refused in words, and the rest stays", async () => {
    const page = await visitor.open("/?crew=coder");
    const png = { type: "image/png", data: PIXEL };
    const pictures = page.locator(".composer-images img");
    const told = page.locator(".composer").getByRole("alert");
    await give(page, "paste", [png]);
    await pictures.waitFor();
    await give(page, "drop", [png, png]);
    await pictures.nth(2).waitFor();
    await give(page, "drop", [{ type: "image/gif", data: PIXEL }]);
    await told.filter({ hasText: "drop0.png is not a png, jpeg or webp image" }).waitFor();
    await give(page, "drop", [{ type: "image/png", data: PIXEL, bytes: 5 * 1_024 * 1_024 + 1 }]);
    await told.filter({ hasText: "drop0.png is larger than 5 MB" }).waitFor();
    assert.equal(await pictures.count(), 3);
    await give(page, "paste", [png, png]);
    await pictures.nth(3).waitFor();
    await told.filter({ hasText: "A message can have at most 4 images" }).waitFor();
    assert.equal(await pictures.count(), 4);
    const remove = page.getByRole("button", { name: /Remove image/u });
    await remove.first().click();
    await told.waitFor({ state: "detached" });
    await say(page, "Look");
    await untilTitle(page, "Done");
    await untilEqual(() => page.locator(".user-message img[alt]").count(), 3);
    await page.context().close();
  });

  test("code has the colours of its language once it has settled; code of others stays plain", async () => {
    const { session_id } = await visitor.start("coder", "Write");
    const page = await visitor.open(`/chat/${session_id}`);
    await page.locator(".step-text pre .code-keyword", { hasText: "const" }).waitFor();
    assert.deepEqual(await page.locator(".step-text pre").allInnerTexts(), ["const answer = 42;\n", "qapla\n"]);
    assert.equal(await page.locator(".step-text pre").nth(1).locator("span").count(), 0);
    await page.context().close();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});
