import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { defineCrew, defineTool, SystemClock } from "@baton/core";
import { MemoryDatabase } from "@baton/store";
import type { Page } from "playwright-core";
import { z } from "zod";
import { KeyRing } from "../gateway/keys.ts";
import { startServer } from "../server.ts";
import { noBrowser, openBrowser } from "../testing/browser.ts";
import { ASKS, DEAF, GatedModel, SLOW, WAITS } from "../testing/crews.ts";
import {
  button,
  controlsOf,
  cutIn,
  logOf,
  messageBox,
  pick,
  saidIn,
  say,
  tabsOf,
  untilDone,
  untilStatus,
  visit,
} from "../testing/screen.ts";
import { type Scripted, startTestServer, toModels, toServed } from "../testing/test-server.ts";

const lookup = defineTool({
  name: "lookup",
  description: "Looks up the weather.",
  effect: "read",
  input: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: 31 degrees`,
});

const TOUR: Scripted = {
  crew: defineCrew({
    name: "tour",
    description: "Looks up and advises",
    agents: [
      { id: "finder", tools: ["lookup"] },
      { id: "adviser", isTerminal: true },
    ],
    tools: [lookup],
    signals: { finder: [{ signal: "[FOUND]", target: "adviser" }] },
  }),
  script: {
    finder: [
      { say: "I look it up.", call: [{ tool: "lookup", args: { city: "Hanoi" } }] },
      { say: "It is **warm**. [FOUND]" },
    ],
    adviser: [{ say: "Take a hat:\n\n| hat | price |\n|---|--:|\n| straw | 3 |\n| felt | 9 |" }],
  },
};

suite("the page", { skip: noBrowser }, async () => {
  const browser = await openBrowser();
  after(() => browser.close());

  test("a crew is picked and asked, and its text, tools, signals and handoffs are seen", async () => {
    await using server = await startTestServer([WAITS, TOUR]);
    await visit(browser, server, async (page) => {
      await page.getByRole("button", { name: "tour" }).click();
      assert.equal(await page.getByRole("combobox", { name: "Crew" }).inputValue(), "tour");
      await say(page, "How is Hanoi?");
      await untilStatus(page, "Done");
      assert.deepEqual(await saidIn(page), ["How is Hanoi?"]);
      const [finder, adviser, ...more] = await page.getByRole("article").allInnerTexts();
      assert.match(finder ?? "", /^finder.*I look it up\..*lookup.*It is warm\. \[FOUND\]$/s);
      assert.match(adviser ?? "", /^adviser.*Take a hat:/s);
      assert.deepEqual(more, []);
      assert.deepEqual(await page.getByRole("row").allInnerTexts(), ["hat\tprice", "straw\t3", "felt\t9"]);
      assert.match(await logOf(page), /finder → adviser/);
      assert.equal(await page.getByText("31 degrees").isVisible(), false);
      await page.getByText("lookup", { exact: true }).click();
      assert.deepEqual(await page.locator("pre:visible").allInnerTexts(), [
        '{\n  "city": "Hanoi"\n}',
        "Hanoi: 31 degrees",
      ]);
    });
  });

  test("text is seen as it comes, a run is stopped, and the next message starts another", async () => {
    const model = new GatedModel();
    await using server = await startTestServer([SLOW], { model: () => model });
    await visit(browser, server, async (page) => {
      await say(page, "Tell me");
      model.say("Once upon ");
      await page.getByText("Once upon").waitFor();
      await untilStatus(page, "talker is working");
      model.say("a time");
      await page.getByText("Once upon a time").waitFor();
      await button(page, "Stop").click();
      await untilStatus(page, "Stopped");
      await page.getByText("talker stopped").waitFor();
      assert.equal(model.aborted, 1);
      assert.deepEqual(await controlsOf(page), [
        'combobox "Crew"',
        'button "New"',
        'textbox "Message"',
        'button "Send"',
      ]);
      model.end();
      await say(page, "Again");
      await untilStatus(page, "Done");
      assert.deepEqual(await saidIn(page), ["Tell me", "Again"]);
    });
  });

  test("what was stopped is named by tool and agent beside positions, what did not stop first", async () => {
    await using server = await startTestServer([DEAF]);
    await visit(browser, server, async (page) => {
      await say(page, "Refund me");
      await page.getByText("refund", { exact: true }).waitFor();
      await button(page, "Stop").click();
      await untilStatus(page, "Stopped");
      const receipt = page
        .locator(".card", { has: page.getByRole("heading", { name: "Stopped" }) })
        .getByRole("paragraph");
      assert.deepEqual(await receipt.allInnerTexts(), ["refund (1.1.1) did not stop", "clerk stopped"]);
    });
  });

  test("a stop that does not get through is told of, and can be tried again", async () => {
    const model = new GatedModel();
    await using server = await startTestServer([SLOW], { model: () => model });
    const stopTwice = async (page: Page) => {
      await say(page, "Hello");
      await untilStatus(page, "talker is working");
      await page.route("**/commands", (route) => route.abort(), { times: 1 });
      await button(page, "Stop").click();
      await page.getByText("The server cannot be reached. Is it running?").waitFor();
      await untilStatus(page, "talker is working");
      await button(page, "Stop").click();
      await untilStatus(page, "Stopped");
      assert.equal(await page.getByText("The server cannot be reached").count(), 0);
    };
    await visit(browser, { url: server.url, expected: /net::ERR_FAILED/ }, stopTwice);
  });

  test("an agent that waits is answered in the message, and a tool that asks in its card", async () => {
    await using server = await startTestServer([WAITS, ASKS]);
    await visit(browser, server, async (page) => {
      await say(page, "Hello");
      await untilStatus(page, "asker waits for you");
      await say(page, "The second");
      await untilStatus(page, "Done");
      assert.deepEqual(await saidIn(page), ["Hello", "The second"]);
      assert.match(await logOf(page), /Which one\?.*Good\. \[GO\].*Thanks\./s);

      await button(page, "New").click();
      await pick(page, "asks");
      await say(page, "Erase them");
      await untilStatus(page, "Needs your answer");
      await button(page, "Allow").first().click();
      await page.getByText("allow", { exact: true }).waitFor();
      await button(page, "Deny").click();
      await untilStatus(page, "Done");
      for (const tool of await page.getByText("erase", { exact: true }).all()) await tool.click();
      const shown = await logOf(page);
      assert.match(shown, /erased a\.txt/);
      assert.doesNotMatch(shown, /erased b\.txt/);
      assert.match(shown, /As you wish\./);
    });
  });

  test("a message that is too long is kept, and it is said by how much; characters count as on the server", async () => {
    await using server = await startTestServer([TOUR]);
    await visit(browser, server, async (page) => {
      const long = "🎩".repeat(10_003);
      await messageBox(page).focus();
      await page.keyboard.insertText(long);
      await button(page, "Send").click();
      await page.getByText("The message has 10,003 characters, 3 too many: at most 10,000 can be sent.").waitFor();
      assert.equal(await messageBox(page).inputValue(), long);
      assert.deepEqual(await saidIn(page), []);
      for (let extra = 0; extra < 3; extra++) await messageBox(page).press("Backspace");
      assert.equal(await page.getByText("too many").count(), 0);
      await button(page, "Send").click();
      await untilStatus(page, "Done");
      assert.deepEqual(await saidIn(page), ["🎩".repeat(10_000)]);
    });
  });

  test("a reload in the middle shows all of the run once, and later the whole conversation", async () => {
    const model = new GatedModel();
    await using server = await startTestServer([SLOW], { model: () => model });
    await visit(browser, server, async (page) => {
      await say(page, "Count");
      model.say("One, ");
      await page.getByText("One,").waitFor();
      await page.reload();
      await page.getByText("One,").waitFor();
      model.say("two.");
      await page.getByText("One, two.").waitFor();
      model.end();
      await untilStatus(page, "Done");
      await say(page, "Once more");
      await untilDone(page, 2);
      const before = await logOf(page);
      assert.deepEqual(await saidIn(page), ["Count", "Once more"]);
      assert.equal(before.split("One, two.").length, 3);
      await page.reload();
      await untilDone(page, 2);
      assert.equal(await logOf(page), before);
    });
  });

  test("a dead server is told of, what was typed stays, and the run goes on when the server is back", async () => {
    const model = new GatedModel();
    await using first = await startTestServer([SLOW], { model: () => model });
    const talk = async (page: Page) => {
      await say(page, "Hello");
      model.say("Before, ");
      await page.getByText("Before,").waitFor();
      await first.server.stop();
      await say(page, "Anybody?");
      await page.getByText("The server cannot be reached. Is it running?").waitFor();
      assert.equal(await messageBox(page).inputValue(), "Anybody?");
      await untilStatus(page, "Reconnecting");
      await using again = new AsyncDisposableStack();
      const options = { store: first.store, port: first.server.port, graceMs: 0, crews: [toServed(SLOW.crew)] };
      again.adopt(await startServer({ ...options, model: () => model, logLevel: "silent" }), (server) => server.stop());
      model.say("after.");
      await page.getByText("Before, after.", { exact: true }).waitFor();
      assert.equal(await page.getByText("The server cannot be reached").count(), 0);
      model.end();
      await untilStatus(page, "Done");
      assert.equal((await logOf(page)).split("Before, after.").length, 2);
      assert.deepEqual(await saidIn(page), ["Hello"]);
    };
    await visit(browser, { url: first.url, expected: /net::ERR_/ }, talk);
  });

  test("what people, models and tools write stays text, whatever it looks like", async () => {
    const hostile = `<script>window.taken = 1</script><img src="x" onerror="window.taken = 1">`;
    const echo = defineTool({
      name: "echo",
      description: "Says it again.",
      effect: "irreversible",
      input: z.object({ text: z.string() }),
      run: ({ text }) => text,
    });
    const crew = defineCrew({
      name: "echoes",
      description: hostile,
      agents: [{ id: "parrot", isTerminal: true, tools: ["echo"] }],
      tools: [echo],
    });
    const markdown = `${hostile}\n\n# ${hostile}\n- ${hostile}\n\n**${hostile}** \`${hostile}\`\n\n| ${hostile} |\n`;
    const script = { parrot: [{ call: [{ tool: "echo", args: { text: hostile } }] }, { say: markdown }] };
    await using server = await startTestServer([{ crew, script }]);
    await visit(browser, server, async (page) => {
      const seen = async () => (await page.locator("main").innerText()).split("<script>window.taken").length - 1;
      await button(page, `echoes ${hostile}`).waitFor();
      assert.equal(await seen(), 1);
      await say(page, hostile);
      await untilStatus(page, "Needs your answer");
      assert.equal(await seen(), 2);
      await button(page, "Allow").click();
      await untilStatus(page, "Done");
      await page.getByText("echo", { exact: true }).click();
      assert.equal(await seen(), 1 + 2 + 6);
      const parsed = () => [document.images.length, document.scripts.length, "taken" in window];
      assert.deepEqual(await page.evaluate(parsed), [0, 1, false]);
    });
  });

  test("everything can be done with the keyboard, and every control has its name and place", async () => {
    const model = new GatedModel();
    const scripted = toModels([ASKS]);
    await using server = await startTestServer([SLOW, ASKS], {
      model: (agent, crew) => (crew.name === "asks" ? scripted(agent, crew) : model),
    });
    await visit(browser, server, async (page) => {
      await page.getByRole("button", { name: "asks" }).waitFor();
      assert.deepEqual(await controlsOf(page), [
        'combobox "Crew"',
        'button "New"',
        'button "slow"',
        'button "asks"',
        'textbox "Message"',
        'button "Send"',
      ]);
      assert.deepEqual(await tabsOf(page, 1), ["send"]);
      await page.getByRole("combobox", { name: "Crew" }).focus();
      assert.deepEqual(await tabsOf(page, 4), ["fresh", "main", "slow", "asks"]);
      await page.keyboard.press("Enter");
      await page.keyboard.type("Erase");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("both");
      await page.keyboard.press("Enter");
      await untilStatus(page, "Needs your answer");
      assert.deepEqual(await saidIn(page), ["Erase\nboth"]);
      assert.deepEqual(await controlsOf(page), [
        'combobox "Crew"',
        'button "New"',
        'button "Allow"',
        'button "Deny"',
        'button "Allow"',
        'button "Deny"',
        'textbox "Message"',
        'button "End"',
        'button "Send"',
      ]);
      for (const left of [2, 0]) {
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Enter");
        await page.waitForFunction((count) => document.querySelectorAll(".ask button").length === count, left);
      }
      await untilStatus(page, "Done");

      await button(page, "New").press("Enter");
      await pick(page, "slow");
      await messageBox(page).press("H");
      await page.keyboard.press("Enter");
      await untilStatus(page, "talker is working");
      await page.keyboard.press("Escape");
      await untilStatus(page, "Stopped");
    });
  });

  test("a server with keys asks for one until it is right, and keeps it for the tab", async () => {
    const database = new MemoryDatabase();
    const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
    const { key } = await ring.create("t", ["run", "read"]);
    await using server = await startTestServer([TOUR], { database });
    const enter = async (page: Page) => {
      const field = page.getByRole("dialog").getByRole("textbox", { name: "API key" });
      await field.fill("wrong");
      await button(page, "Open").click();
      await page.getByText("That key was not accepted.").waitFor();
      await field.fill(key);
      await field.press("Enter");
      await page.getByRole("button", { name: "tour" }).waitFor();
      await page.reload();
      await page.getByRole("button", { name: "tour" }).waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
    };
    await visit(browser, { url: server.url, expected: /status of 401/ }, enter);
  });

  test("nothing is cut on a screen 360 pixels wide, however long names and words are", async () => {
    const long = "Donaudampfschifffahrtsgesellschaftskapitaensmuetze";
    const tool = defineTool({
      name: `look_${long}`,
      description: "Looks.",
      effect: "irreversible",
      input: z.object({ where: z.string() }),
      run: ({ where }) => where.repeat(3),
    });
    const crew = defineCrew({
      name: long,
      description: long.repeat(2),
      agents: [
        { id: `captain_${long}`, tools: [tool.name] },
        { id: "mate", isTerminal: true },
      ],
      tools: [tool],
      signals: { [`captain_${long}`]: [{ signal: `[${long.toUpperCase()}]`, target: "mate" }] },
    });
    const script = {
      [`captain_${long}`]: [
        { say: long.repeat(2), call: [{ tool: tool.name, args: { where: long.repeat(2) } }] },
        { say: `| ${long} | ${long} |\n|---|---|\n| a | b |\n\n- ${long}\n\n\`${long}\` [${long.toUpperCase()}]` },
      ],
      mate: [{ say: "Aye." }],
    };
    await using server = await startTestServer([{ crew, script }]);
    const phone = { url: server.url, viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
    const walk = async (page: Page) => {
      await page.getByRole("button", { name: long }).waitFor();
      assert.deepEqual(await cutIn(page), []);
      await messageBox(page).fill(`${long.repeat(2)} please`);
      await button(page, "Send").tap();
      await untilStatus(page, "Needs your answer");
      assert.deepEqual(await cutIn(page), []);
      await button(page, "Allow").tap();
      await untilStatus(page, "Done");
      await page.locator("summary").tap();
      assert.deepEqual(await cutIn(page), []);
      await button(page, "New").tap();
      await page.getByText("Who should take this?").waitFor();
    };
    await visit(browser, phone, walk);
  });
});
