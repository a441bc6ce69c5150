/** Every page and state, as axe, a keyboard, a finger on a small screen and a very wide screen find it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { isSeenAt, contextOptions, type CameraView } from "../../pictures/camera.ts";
import { type PictureScene, SCENES } from "../../pictures/scenes.ts";
import { openPictureWorld, type PictureWorld } from "../../pictures/world.ts";
import { openPageBrowser, PAGE_SUITE, untilEqual } from "../testing/page-suite.ts";
import { findFaults, findSmall, sidewaysOf, watchFaults } from "../testing/page-faults.ts";

const PHONE: CameraView = { width: 360, theme: "dark" };
const WIDE: CameraView = { width: 2_560, theme: "light" };
/** The widest that a line of text to read may be. */
const READ_PX = 760;
const MOST_STOPS = 200;

describe("how pages look", PAGE_SUITE, () => {
  let browser: Browser;
  let world: PictureWorld;
  const problems: string[] = [];

  /** Opens pages one after another and looks at each; what is wrong with any of them fails the test at the end. */
  const lookAt = async (
    view: CameraView,
    scenes: readonly PictureScene[],
    look: (page: Page) => Promise<readonly string[]>,
  ) => {
    const wrong: string[] = [];
    for (const scene of scenes.filter((one) => isSeenAt(one, view.width))) {
      const context = await browser.newContext(contextOptions(view));
      const page = await context.newPage();
      watchFaults(page, problems);
      const answer = await page.goto(scene.address(world));
      assert.doesNotMatch(answer?.headers()["content-security-policy"] ?? "unsafe: no policy", /unsafe/);
      await scene.ready(page);
      wrong.push(...(await look(page)).map((words) => `${scene.name}: ${words}`));
      await context.close();
    }
    assert.deepEqual(wrong, []);
  };
  const named = (...names: readonly string[]): readonly PictureScene[] =>
    SCENES.filter(({ name }) => names.includes(name));

  before(async () => {
    world = await openPictureWorld();
    browser = await openPageBrowser();
  });
  after(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  test("axe finds nothing on any page in any state, light and dark", async () => {
    await lookAt({ width: 1_280, theme: "light" }, SCENES, async (page) => {
      const light = await findFaults(page);
      await page.emulateMedia({ colorScheme: "dark" });
      return [...light, ...(await findFaults(page)).map((words) => `dark: ${words}`)];
    });
  });

  test("on a phone no page scrolls sideways, and nothing to press is smaller than a finger", async () => {
    await lookAt(PHONE, SCENES, async (page) => {
      const isSideways = (await sidewaysOf(page)) > 0;
      return [...(isSideways ? ["scrolls sideways"] : []), ...(await findSmall(page))];
    });
  });

  test("axe finds nothing on a phone", async () => {
    const scenes = named(
      "first",
      "approval",
      "sheet-conversations",
      "sheet-stage",
      "run",
      "run-rewound",
      "crew",
      "runs",
    );
    await lookAt(PHONE, scenes, findFaults);
  });

  test("on a phone one asks, approves, opens the run and scrubs by drag", async () => {
    const context = await browser.newContext(contextOptions(PHONE));
    const page = await context.newPage();
    watchFaults(page, problems);
    await page.goto(`${world.full.url}/`);
    await page.locator(".first-examples button", { hasText: "teapot" }).tap();
    await page.locator(".chat-question.open").getByRole("button", { name: "Allow" }).tap();
    await page.waitForFunction(() => document.title.startsWith("Done"));
    await page.getByRole("link", { name: "Open run" }).last().tap();
    await page.locator(".timeline-bar").first().waitFor();
    await page.waitForFunction(() => document.title.startsWith("Done"));
    const slider = page.getByRole("slider");
    const last = Number(await slider.getAttribute("aria-valuemax"));
    await untilEqual(async () => Number(await slider.getAttribute("aria-valuenow")), last);
    await drag(page, [0.9, 0.7, 0.5, 0.3]);
    await page.waitForFunction(
      (end) => Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuenow")) < end / 2,
      last,
    );
    await page.waitForURL(/at=\d+/);
    assert.ok((await sidewaysOf(page)) <= 0);
    await context.close();
  });

  test("on a very wide screen text stays narrow and the stage is there", async () => {
    await lookAt(WIDE, named("first", "answer", "approval", "running", "long-names"), async (page) => {
      const widths = await page
        .locator(".conversation-column, .composer, .first-body")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      assert.ok(await page.locator(".chat-stage .crew-graph .box").first().isVisible());
      return widths.length > 0 && Math.max(...widths) <= READ_PX ? [] : [`columns of ${widths.join()} px`];
    });
    await lookAt(WIDE, SCENES, (page) =>
      page.locator("main p, main li > span, main dd").evaluateAll((all, most) => {
        const stretched = all.filter((one) => {
          const lines = document.createRange();
          lines.selectNodeContents(one);
          return [...lines.getClientRects()].some(({ width }) => width > most) && one.querySelector("code") === null;
        });
        return stretched.map((one) => one.outerHTML.slice(0, 120));
      }, READ_PX),
    );
  });

  test("the field for messages has the edges of the conversation, whether that scrolls or not", async () => {
    for (const view of [WIDE, { width: 1_280, theme: "light" } as const]) {
      await lookAt(view, named("answer", "approval", "long-names"), async (page) => {
        const [said, field] = await page
          .locator(".exchange:last-child, .chat-composer .composer")
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]));
        assert.ok(said !== undefined && field !== undefined);
        return said.join() === field.join() ? [] : [`from ${said.join(" to ")}, the field from ${field.join(" to ")}`];
      });
    }
  });

  test("Tab goes through each page in the order of its text, and shows where it is", async () => {
    const scenes = named("first", "answer", "approval", "runs", "crews", "crew", "run", "run-comparison", "overview");
    await lookAt({ width: 1_280, theme: "light" }, scenes, walk);
  });

  test("in all of this there was no error, no violation and no request to another host", () => {
    assert.deepEqual(problems, []);
  });
});

/** Drags a finger along the timeline; the places are parts of its length. */
async function drag(page: Page, places: readonly number[]): Promise<void> {
  const rail = await page.locator(".timeline-rail").boundingBox();
  assert.ok(rail);
  const session = await page.context().newCDPSession(page);
  const y = rail.y + rail.height / 3;
  for (const [index, place] of places.entries()) {
    const touchPoints = [{ x: rail.x + rail.width * place, y }];
    await session.send("Input.dispatchTouchEvent", { type: index === 0 ? "touchStart" : "touchMove", touchPoints });
  }
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Presses Tab until it has gone round; says what it skipped, what came out of order and what showed no focus. */
async function walk(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    const reachable = [
      ...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex='0']"),
    ];
    const shown = reachable.filter(
      // Arrows lead from the tab that is chosen to the others.
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) && !one.matches(":disabled, [role=tab][tabindex='-1']"),
    );
    for (const [index, one] of shown.entries()) one.setAttribute("data-stop", String(index));
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.getSelection()?.removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const stops: number[] = [];
  const wrong: string[] = [];
  for (let press = 0; press < MOST_STOPS; press++) {
    await page.keyboard.press("Tab");
    const { stop, isSeen, html } = await page.evaluate(() => {
      const one = document.activeElement;
      const marks = [
        one,
        ...(one?.querySelectorAll(".ground") ?? []),
        one?.closest(".composer"),
        one?.closest(".composer-chip"),
      ];
      const isMarked = (part: Element | null | undefined): boolean => {
        if (part === null || part === undefined) return false;
        const { outlineStyle, outlineWidth, strokeWidth, borderColor } = getComputedStyle(part);
        if (part.matches(".ground")) return Number.parseFloat(strokeWidth) >= 3;
        if (part.matches(".composer")) return borderColor !== getComputedStyle(document.body).borderColor;
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      };
      return {
        stop: Number(one?.getAttribute("data-stop") ?? -1),
        isSeen: marks.some(isMarked),
        html: one?.outerHTML.slice(0, 120) ?? "",
      };
    });
    if (html.startsWith("<body") || (stop !== -1 && stops.includes(stop))) break;
    if (!isSeen) wrong.push(`no focus: ${html}`);
    if (stop !== -1) stops.push(stop);
  }
  const isOrdered = stops.every((stop, index) => index === 0 || stop > (stops[index - 1] ?? -1));
  if (!isOrdered) wrong.push(`out of order: ${stops.join()}`);
  const missed = await page.evaluate(
    (found) =>
      [...document.querySelectorAll("[data-stop]")]
        .filter((one) => !found.includes(Number(one.getAttribute("data-stop"))))
        .map((one) => `missed: ${one.outerHTML.slice(0, 120)}`),
    stops,
  );
  return [...wrong, ...(stops.length < MOST_STOPS ? missed : [])];
}
