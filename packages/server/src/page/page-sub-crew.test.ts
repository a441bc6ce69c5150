import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { defineCrew } from "@baton/core";
import { noBrowser, openBrowser } from "../testing/browser.ts";
import { saidIn, say, untilStatus, visit } from "../testing/screen.ts";
import { type Scripted, startTestServer, toModels } from "../testing/test-server.ts";

const INNER: Scripted = {
  crew: defineCrew({
    name: "inner",
    agents: [{ id: "asker" }, { id: "left" }, { id: "right" }, { id: "teller", isTerminal: true }],
    behaviors: { asker: { waitForSignal: true } },
    signals: { asker: [{ signal: "[OK]", target: "both" }] },
    groups: { both: { agents: ["left", "right"], nextAgent: "teller" } },
  }),
  script: {
    asker: [{ say: "Which one?" }, { say: "Good. [OK]" }],
    left: [{ say: "Left." }],
    right: [{ say: "Right." }],
    teller: [{ say: "Told." }],
  },
};

const OUTER: Scripted = {
  crew: defineCrew({
    name: "outer",
    agents: [
      { id: "lead", audience: "crew" },
      { id: "closer", isTerminal: true },
    ],
    subCrews: { inner: INNER.crew },
    signals: { lead: [{ signal: "[IN]", target: "inner", returnTo: "closer" }] },
  }),
  script: { lead: [{ say: "Only for the crew. [IN]" }], closer: [{ say: "Bye." }] },
};

suite("the page", { skip: noBrowser }, async () => {
  const browser = await openBrowser();
  after(() => browser.close());

  test("a sub-crew speaks like any agent, waits for the next message, and what is for the crew is folded", async () => {
    await using server = await startTestServer([OUTER], { model: toModels([OUTER, INNER]) });
    await visit(browser, server, async (page) => {
      await say(page, "hello");
      await untilStatus(page, "asker waits for you");
      assert.deepEqual(await saidIn(page), ["hello"]);
      await say(page, "that one");
      await untilStatus(page, "Done");
      assert.deepEqual(await saidIn(page), ["hello", "that one"]);
      const turns = (await page.getByRole("article").allInnerTexts()).map((text) => text.split("\n")[0]);
      assert.deepEqual(turns, ["lead", "asker", "asker", "left", "right", "teller", "closer"]);
      assert.equal(await page.getByRole("group", { name: "both" }).getByRole("article").count(), 2);
      assert.equal(await page.getByText("Only for the crew.").isVisible(), false);
      await page.getByText("For the crew").first().click();
      await page.getByText("Only for the crew.").waitFor();
    });
  });
});
