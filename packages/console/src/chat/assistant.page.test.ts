/** The chat in Chromium with the crews of this repository: an exam of two at once, and an assistant that remembers. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Agent, Crew, Model } from "@baton/core";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { type Product, serveProduct } from "../../pictures/product.ts";
import { openPageBrowser, PAGE_SUITE, untilGone } from "../testing/page-suite.ts";
import { chooseCrew, say, untilTitle, Visitor } from "../testing/visitor.ts";

const PIECE = 3;
const MOST_TABS = 60;
const MEMORY = z.object({ core: z.object({ human: z.array(z.object({ text: z.string() })) }) });

/** Lets the members of a crew's groups write piece by piece, as many as a test lets them. */
class Pen {
  readonly #crew: string;
  readonly #waiting = new Set<() => void>();
  #pieces = 0;

  constructor(crew: string) {
    this.#crew = crew;
  }

  /** Lets each reply have this many pieces. */
  write(pieces: number): void {
    this.#pieces = pieces;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  readonly wrap = (model: Model, agent: Agent, crew: Crew): Model => {
    const isMember = agent.id !== "teacher";
    if (crew.name !== this.#crew || !isMember) return model;
    const until = (pieces: number): Promise<void> => this.#until(pieces);
    return {
      ...model,
      async *stream(...given) {
        let count = 0;
        for await (const chunks of model.stream(...given)) {
          for (const chunk of chunks) {
            if (chunk.type !== "text") yield [chunk];
            if (chunk.type !== "text") continue;
            for (let from = 0; from < chunk.text.length; from += PIECE) {
              await until(++count);
              yield [{ ...chunk, text: chunk.text.slice(from, from + PIECE) }];
            }
          }
        }
      },
    };
  };

  async #until(pieces: number): Promise<void> {
    while (this.#pieces < pieces) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }
}

describe("the chat with the crews of this repository", PAGE_SUITE, () => {
  const pen = new Pen("quiz-exam");
  let product: Product;
  let browser: Browser;
  let visitor: Visitor;

  before(async () => {
    product = await serveProduct({ wrap: pen.wrap });
    browser = await openPageBrowser();
    visitor = new Visitor(browser, product.url, /status of 409/u);
  });
  after(async () => {
    pen.write(Infinity);
    await browser?.close();
    await product?.[Symbol.asyncDispose]();
  });

  const lengthsOf = (page: Page): Promise<readonly number[]> =>
    page
      .locator(".chat-group")
      .first()
      .locator(".chat-turn .step-text")
      .evaluateAll((texts) => texts.map((text) => text.textContent?.trim().length ?? 0));

  test("in an exam two members glow at once, and their texts grow side by side", async () => {
    const page = await visitor.open("/?crew=quiz-exam");
    await say(page, "Please hold an exam on the solar system.");
    const glowing = page.locator(".stage .crew-graph .active");
    pen.write(1);
    await glowing.nth(1).waitFor();
    const members = page.locator(".chat-group").first().locator(".chat-turn");
    await members.nth(1).waitFor();
    const [left, right] = await Promise.all([members.nth(0).boundingBox(), members.nth(1).boundingBox()]);
    assert.ok(left !== null && right !== null && right.x >= left.x + left.width && right.y === left.y);
    for (let pieces = 1; pieces <= 2; pieces++) {
      pen.write(pieces);
      for (;;) {
        const lengths = await lengthsOf(page);
        if (lengths.length === 2 && lengths.every((length) => length > PIECE * (pieces - 1))) break;
      }
    }
    assert.ok((await glowing.count()) >= 2);
    pen.write(Infinity);
    await untilTitle(page, "Done");
    await page.context().close();
  });

  test("what the assistant remembers is a card, and Undo takes it back", async () => {
    const page = await visitor.open("/?crew=finance");
    await say(page, "Remember that I am a cautious investor");
    await untilTitle(page, "Done");
    const card = page.getByRole("group", { name: "Remembered" });
    await card.getByText(/cautious/u).waitFor();
    const known = async (): Promise<readonly string[]> => {
      const memory: unknown = await (await fetch(`${product.url}/api/memory`)).json();
      return MEMORY.parse(memory).core.human.map(({ text }) => text);
    };
    assert.deepEqual(await known(), ["I am a cautious investor"]);
    const refuse = { status: 409, json: { detail: "the fact was changed since" } };
    await page.route("**/undo", (route) => route.fulfill(refuse), { times: 1 });
    await card.getByRole("button", { name: "Undo" }).click();
    await card.getByRole("alert").filter({ hasText: "the fact was changed since" }).waitFor();
    assert.deepEqual(await known(), ["I am a cautious investor"]);
    await card.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone:").waitFor();
    await untilGone(card.getByRole("alert"));
    await untilGone(page.getByRole("button", { name: "Undo" }));
    assert.deepEqual(await known(), []);
    await page.reload();
    await page.getByText("Undone:").waitFor();
    assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
    await page.context().close();
  });

  test("the time of a tool is told apart from the time of the person who allowed it", async () => {
    const page = await visitor.open("/?crew=customer-service");
    await say(page, "My teapot arrived broken. I am C-1001, order O-5001. I want my money back.");
    await page.getByRole("button", { name: "Allow" }).click();
    await untilTitle(page, "Done");
    const facts = page.locator(".tool-line", { hasText: "IssueRefund" }).locator(".tool-line-facts");
    assert.match(await facts.innerText(), /^[\d.,]+ m?s · answered after [\d.,]+ m?s$/u);
    const times = /([\d.,]+ m?s active)\D+([\d.,]+ m?s waiting)/u;
    const footer = times.exec(await page.locator(".run-footer").innerText());
    const stage = times.exec(await page.locator(".stage-sum").innerText());
    await page.getByRole("link", { name: "Open run" }).click();
    await page.locator(".run-facts").getByText(" waiting").waitFor();
    const head = times.exec(await page.locator(".run-facts").innerText());
    assert.ok(footer !== null);
    assert.deepEqual([stage?.slice(1), head?.slice(1)], [footer.slice(1), footer.slice(1)]);
    await page.context().close();
  });

  test("all of the chat works without a mouse: try, allow, show and hide, say more, stop", async () => {
    const page = await visitor.open("/");
    const isOn = (words: string): Promise<boolean> =>
      page.evaluate((wanted) => {
        const one = document.activeElement;
        return one?.matches("a, button") === true && one.textContent.trim().startsWith(wanted);
      }, words);
    const tabTo = async (words: string): Promise<void> => {
      for (let press = 0; press < MOST_TABS; press++) {
        await page.keyboard.press("Tab");
        if (await isOn(words)) return;
      }
      assert.fail(`Tab does not reach ${words}`);
    };
    await page.locator(".first-examples button", { hasText: "My teapot arrived broken" }).waitFor();
    await tabTo("My teapot arrived broken");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Allow" }).waitFor();
    await tabTo("Allow");
    await page.keyboard.press("Enter");
    await untilTitle(page, "Done");
    await tabTo("Open run");
    await page.keyboard.press("s");
    await page.locator(".chat-stage").waitFor({ state: "detached" });
    await page.keyboard.press("s");
    await page.locator(".chat-stage").waitFor();
    await page.keyboard.press("n");
    await page.waitForURL(`${product.url}/`);
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.press("Tab");
    await chooseCrew(page, "stubborn");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("Build the index again.");
    await page.locator(".composer-send:enabled").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tool-line.call-running").waitFor();
    await page.keyboard.press("Escape");
    await untilTitle(page, "Stopped");
    await page.context().close();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});
