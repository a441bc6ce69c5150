import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { defineCrew } from "@baton/core";
import { noBrowser, openBrowser } from "../testing/browser.ts";
import { PICKS, WAITS } from "../testing/crews.ts";
import { button, logOf, messageBox, saidIn, say, untilStatus, visit } from "../testing/screen.ts";
import { startTestServer } from "../testing/test-server.ts";

suite("what a person tells the page", { skip: noBrowser }, async () => {
  const browser = await openBrowser();
  after(() => browser.close());

  test("the result of a tool of the client is read as JSON, and what is wrong with it is said", async () => {
    await using server = await startTestServer([PICKS]);
    await visit(browser, { url: server.url, expected: /400 \(Bad Request\)/ }, async (page) => {
      await say(page, "Pick one");
      await untilStatus(page, "Needs your answer");
      const field = page.getByRole("textbox", { name: "Result of pickColour" });
      const answer = async (text: string) => {
        await field.fill(text);
        await button(page, "Answer").click();
      };
      await answer('{"colour": "blue"');
      await page.getByText("The result is not valid JSON").waitFor();
      await answer("blue");
      await page.getByText(/must be object, not string/).waitFor();
      await answer('{"colour": "blue"}');
      await untilStatus(page, "Done");
      assert.match(await logOf(page), /Blue it is\./);
    });
  });

  test("the examples of the chosen crew are buttons that write the message, and nothing is sent", async () => {
    const crew = defineCrew({
      name: "guide",
      agents: [{ id: "guide", isTerminal: true }],
      examples: ["How is <Hanoi>?"],
    });
    await using server = await startTestServer([WAITS, { crew, script: { guide: [{ say: "Warm." }] } }]);
    await visit(browser, server, async (page) => {
      const examples = page.getByRole("list", { name: "Examples" }).getByRole("button");
      assert.deepEqual(await examples.allInnerTexts(), []);
      await button(page, "guide").click();
      assert.deepEqual(await examples.allInnerTexts(), ["How is <Hanoi>?"]);
      await examples.first().click();
      assert.equal(await messageBox(page).inputValue(), "How is <Hanoi>?");
      assert.deepEqual(await saidIn(page), []);
      await button(page, "Send").click();
      await untilStatus(page, "Done");
      assert.deepEqual(await saidIn(page), ["How is <Hanoi>?"]);
      assert.equal(await examples.count(), 0);
    });
  });
});
