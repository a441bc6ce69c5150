/** Questions of runs in Chromium: answered elsewhere, out of order, by buttons, fields and JSON. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defineCrew, defineTool } from "@baton/core";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { ensureConsole } from "../../build/build.ts";
import { openPageBrowser, PAGE_SUITE, untilEqual } from "../testing/page-suite.ts";
import { ASKS, PICKS, WAITS } from "../../../server/src/testing/crews.ts";
import { type Scripted, startTestServer, type TestServer, toModels } from "../../../server/src/testing/test-server.ts";
import { messageBox, saidIn, say, conversationText, untilText, untilTitle, Visitor } from "../testing/visitor.ts";

const chooses: Scripted = {
  crew: defineCrew({
    name: "chooses",
    agents: [{ id: "helper", isTerminal: true, tools: ["pickSize", "nameIt", "countThem"] }],
    tools: [
      defineTool({
        name: "pickSize",
        description: "Lets the user pick a size.",
        effect: "read",
        input: z.object({}),
        output: z.enum(["small", "large"]),
      }),
      defineTool({
        name: "nameIt",
        description: "Lets the user give a name.",
        effect: "read",
        input: z.object({}),
        output: z.string(),
      }),
      defineTool({
        name: "countThem",
        description: "Lets the user say how many.",
        effect: "read",
        input: z.object({}),
        output: z.number(),
      }),
    ],
  }),
  script: {
    helper: [
      {
        call: [
          { tool: "pickSize", args: {} },
          { tool: "nameIt", args: {} },
          { tool: "countThem", args: {} },
        ],
      },
      { say: "Noted." },
    ],
  },
};

const inner: Scripted = {
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
const outer: Scripted = {
  crew: defineCrew({
    name: "outer",
    agents: [
      { id: "lead", audience: "crew" },
      { id: "closer", isTerminal: true },
    ],
    subCrews: { inner: inner.crew },
    signals: { lead: [{ signal: "[IN]", target: "inner", returnTo: "closer" }] },
  }),
  script: { lead: [{ say: "Only for the crew. [IN]" }], closer: [{ say: "Bye." }] },
};

describe("questions in the chat", PAGE_SUITE, () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;

  before(async () => {
    const served = [ASKS, PICKS, WAITS, chooses, outer];
    server = await startTestServer(served, { console: await ensureConsole(), model: toModels([...served, inner]) });
    browser = await openPageBrowser();
    visitor = new Visitor(browser, server.url, /status of 400/u);
  });
  after(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test("an approval survives a reload, is answered in another tab, and the first tab shows it without a reload", async () => {
    const { session_id } = await visitor.start("asks", "Erase them");
    const first = await visitor.open(`/chat/${session_id}`);
    await first.locator(".chat-question.open").nth(1).waitFor();
    await first.reload();
    await first.locator(".chat-question.open").nth(1).waitFor();
    await first.evaluate(() => document.body.setAttribute("data-same", "yes"));
    const second = await visitor.open(`/chat/${session_id}`);
    const held = Promise.withResolvers<void>();
    await second.route("**/commands", (route) => held.promise.then(() => route.continue()), { times: 1 });
    await second.getByRole("button", { name: "Allow", exact: true }).first().click();
    // Until the answer has arrived it cannot be given again, nor another one.
    const asked = second.locator(".chat-question.open").first();
    await untilEqual(() => asked.getByRole("button", { disabled: true }).count(), 4);
    held.resolve();
    for (const tab of [first, second]) {
      await tab.locator(".question-line.allow", { hasText: "You allowed this after" }).waitFor();
    }
    await second.getByRole("button", { name: "Deny", exact: true }).click();
    await untilTitle(first, "Done");
    await untilText(first, "As you wish.");
    assert.equal(await first.locator("body").getAttribute("data-same"), "yes");
    await first.context().close();
    await second.context().close();
  });

  test("two open questions of a run are answered in reverse order, and both take effect", async () => {
    const { id, session_id } = await visitor.start("asks", "Erase them");
    const page = await visitor.open(`/chat/${session_id}`);
    const cards = page.locator(".chat-question");
    await page.locator(".chat-question.open").nth(1).waitFor();
    await cards.filter({ hasText: "b.txt" }).getByRole("button", { name: "Allow" }).click();
    await page.locator(".question-line.allow").waitFor();
    assert.equal(
      await cards.filter({ hasText: "a.txt" }).getByRole("button", { name: "Deny", exact: true }).isEnabled(),
      true,
    );
    await cards.filter({ hasText: "a.txt" }).getByRole("button", { name: "Deny", exact: true }).click();
    await untilTitle(page, "Done");
    await page.locator(".question-line.deny", { hasText: "You denied this after" }).waitFor();
    assert.equal(await page.locator(".question-line.deny svg.lucide-circle-check").count(), 0);
    const ended = (await visitor.log(id)).flatMap((event) => (event.type === "call.ended" ? [event] : []));
    assert.deepEqual(
      ended.flatMap(({ output }) => (output === undefined ? [] : [output])),
      ["erased b.txt"],
    );
    assert.equal(ended.length, 2);
    await page.context().close();
  });

  test("a call is allowed with other arguments, which must fit, and another is denied with a reason", async () => {
    const { id, session_id } = await visitor.start("asks", "Erase them");
    const page = await visitor.open(`/chat/${session_id}`);
    await page.locator(".chat-question.open").nth(1).waitFor();
    const [first, second] = ["1.1.1", "1.1.2"].map((question) => page.locator(`[data-question="${question}"]`));
    if (first === undefined || second === undefined) assert.fail("there are no questions");
    await first.getByRole("button", { name: "Edit" }).click();
    const field = first.getByRole("textbox", { name: "path" });
    assert.equal(await field.inputValue(), "a.txt");
    await field.fill("");
    await first.getByRole("button", { name: "Allow with changes" }).click();
    await first.getByText("This is needed.").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill("c.txt");
    await first.getByRole("button", { name: "Allow with changes" }).click();
    await page.getByText(/You allowed this with changes after .* · \{"path":"c.txt"\}/u).waitFor();
    await second.getByRole("button", { name: "Deny with a reason" }).click();
    await second.getByRole("textbox", { name: "Why not?" }).fill("we still need it");
    await page.keyboard.press("Enter");
    await second.getByText(/You denied this after .* · we still need it/u).waitFor();
    await untilTitle(page, "Done");
    const log = await visitor.log(id);
    const ended = log.flatMap((event) => (event.type === "call.ended" ? [event] : []));
    assert.deepEqual(
      ended.map(({ output, error }) => output ?? error?.message),
      ["erased c.txt", "a person refused erase: we still need it"],
    );
    await page.context().close();
  });

  test("the result of a tool of the client is read as JSON, and what is wrong with it is said", async () => {
    const page = await visitor.open("/?crew=picks");
    await say(page, "Pick one");
    const field = page.getByRole("textbox", { name: "Result of pickColour, as JSON" });
    const answer = async (text: string): Promise<void> => {
      await field.fill(text);
      await page.getByRole("button", { name: "Answer" }).click();
    };
    await answer('{"colour": "blue"');
    await page.getByText("This is not valid JSON").waitFor();
    await answer('"blue"');
    await page.getByText(/must be object, not string/u).waitFor();
    assert.equal(await field.inputValue(), '"blue"');
    await answer('{"colour": "blue"}');
    await untilTitle(page, "Done");
    await untilText(page, "Blue it is.");
    await page.context().close();
  });

  test("an enum is answered by buttons, a text and a number in a field", async () => {
    const { id, session_id } = await visitor.start("chooses", "Go");
    const page = await visitor.open(`/chat/${session_id}`);
    const card = (of: string) => page.locator(".chat-question", { hasText: of });
    await page.getByRole("button", { name: "large", exact: true }).click();
    await card("nameIt").getByRole("textbox").fill("Tom & <b>");
    await page.keyboard.press("Enter");
    const count = card("countThem");
    await count.getByRole("textbox").fill("many");
    await count.getByRole("button", { name: "Answer" }).click();
    await count.getByText("This is not a number").waitFor();
    await count.getByRole("textbox").fill("3");
    await count.getByRole("button", { name: "Answer" }).click();
    await untilTitle(page, "Done");
    const log = await visitor.log(id);
    const outputs = log.flatMap((event) => (event.type === "call.ended" ? [[event.tool, event.output]] : []));
    assert.deepEqual(Object.fromEntries(outputs), { pickSize: "large", nameIt: "Tom & <b>", countThem: 3 });
    await page.context().close();
  });

  test("an agent that waits is answered in the message", async () => {
    const page = await visitor.open("/?crew=waits");
    await say(page, "Hello");
    await untilTitle(page, "Waiting");
    await page.getByPlaceholder("Answer asker…").waitFor();
    await say(page, "The second");
    await untilTitle(page, "Done");
    await untilEqual(() => saidIn(page), ["Hello", "The second"]);
    assert.equal(await messageBox(page).inputValue(), "");
    const shown = await conversationText(page);
    for (const words of ["Which one?", "Good.", "[GO]", "Thanks."]) assert.ok(shown.includes(words), words);
    await page.context().close();
  });

  test("a team speaks like any agent and waits for the next message; what is for the crew is folded", async () => {
    const page = await visitor.open("/?crew=outer");
    await say(page, "hello");
    await untilTitle(page, "Waiting");
    await say(page, "that one");
    await untilTitle(page, "Done");
    await untilEqual(() => saidIn(page), ["hello", "that one"]);
    const names = ["lead", "asker", "asker", "left", "right", "teller", "closer"];
    await untilEqual(() => page.locator(".chat-turn .turn-head strong").allInnerTexts(), names);
    assert.equal(await page.locator(".chat-team .chat-group .chat-turn").count(), 2);
    assert.equal(await page.getByText("Only for the crew.").isVisible(), false);
    await page.getByText("For the crew", { exact: true }).click();
    await page.getByText("Only for the crew.").waitFor();
    await page.context().close();
  });

  test("in all of this there was no error and no request to another host", () => {
    assert.deepEqual(visitor.problems, []);
  });
});
