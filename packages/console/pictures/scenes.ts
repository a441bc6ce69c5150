/**
 * Scenes: every page and state of the console, each with its address and what must be seen before its picture is taken.
 */
import type { Page } from "playwright-core";
import type { PictureWorld } from "./world.ts";

/** One page in one state. */
export interface PictureScene {
  readonly name: string;
  readonly address: (world: PictureWorld) => string;
  /** Waits until all is drawn; brings the page into its state first, if the address alone does not. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** Only on screens of these widths. */
  readonly widths?: readonly number[];
}

/** Below this width the stage and the conversations are sheets. */
const SHEETS = 1_200;
/** Below this width the run page shows one column. */
const SMALL = 768;
const PHONE: readonly number[] = [360];

const see = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
const press = (key: string, wanted: string) => async (page: Page) => {
  await see("main h1")(page);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press(key);
  await see(wanted)(page);
};

/** The stage beside the chat, on screens that have room for it. */
const seeStage = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) >= SHEETS) await see(".stage .crew-graph .box")(page);
};
const seeChat = (selector: string) => async (page: Page) => {
  await see(selector)(page);
  await seeStage(page);
};
const seeRun = (selector: string) => async (page: Page) => {
  await see(".timeline-bar")(page);
  if ((page.viewportSize()?.width ?? 0) >= SHEETS) await see(".crew-graph .box")(page);
  await see(selector)(page);
};

/** The inspector, which small screens show in place of the story. */
const seeInspector =
  (selector: string, pane: "X-ray" | "Events" = "X-ray") =>
  async (page: Page) => {
    await see(".timeline-bar")(page);
    if ((page.viewportSize()?.width ?? 0) < SMALL) {
      await page.locator(".run-panes").getByRole("button", { name: pane, exact: true }).click();
    }
    await see(selector)(page);
  };

const chat = (name: keyof PictureWorld["runs"]) => (world: PictureWorld) =>
  `${world.full.url}/chat/${world.runs[name].session}`;
const run =
  (name: keyof PictureWorld["runs"], query = "") =>
  (world: PictureWorld) =>
    `${world.full.url}/runs/${world.runs[name].id}${query}`;
const full = (path: string) => (world: PictureWorld) => world.full.url + path;

const CHATS: readonly PictureScene[] = [
  { name: "first", address: ({ empty }) => empty.url, ready: seeChat(".first-examples button") },
  {
    name: "answer",
    address: chat("answer"),
    ready: async (page) => {
      await seeChat(".run-footer")(page);
      await see(".chart-canvas canvas")(page);
      await page.locator(".conversation-scroll").evaluate((box) => box.scrollTo({ top: 0, behavior: "instant" }));
    },
  },
  {
    name: "answer-end",
    address: chat("answer"),
    ready: async (page) => {
      await seeChat(".run-footer")(page);
      await see(".chart-canvas canvas")(page);
      await page.locator(".conversation-scroll").evaluate((box) => box.scrollTo({ top: 1e6, behavior: "instant" }));
    },
  },
  { name: "approval", address: chat("approval"), ready: seeChat(".chat-question.open") },
  { name: "running", address: chat("running"), ready: seeChat(".composer-stop") },
  { name: "failed", address: chat("failed"), ready: seeChat(".chat-outcome") },
  { name: "receipt", address: chat("receipt"), ready: seeChat(".outcome-fate") },
  { name: "vietnamese", address: chat("vietnamese"), ready: seeChat(".exchange") },
  { name: "long-names", address: chat("long"), ready: seeChat(".chat-question.open") },
  {
    name: "sheet-conversations",
    address: chat("approval"),
    ready: async (page) => {
      await page.getByRole("button", { name: "Conversations" }).click();
      await see(".sheet .sessions li")(page);
    },
    widths: PHONE,
  },
  {
    name: "sheet-stage",
    address: chat("approval"),
    ready: async (page) => {
      await page.getByRole("button", { name: "Show the crew" }).click();
      await see(".sheet .crew-graph .box")(page);
    },
    widths: PHONE,
  },
];

const RUNS: readonly PictureScene[] = [
  { name: "run", address: run("exam"), ready: seeInspector(".xray-block") },
  {
    name: "run-rewound",
    address: (world) => `${run("exam")(world)}?at=${world.middle}`,
    ready: seeRun("[data-turn]"),
  },
  { name: "run-output", address: run("exam", "?tab=output"), ready: seeInspector("[role=tab][aria-selected=true]") },
  { name: "run-events", address: run("exam", "?tab=events"), ready: seeInspector(".event-row, .events-row", "Events") },
  { name: "run-running", address: run("running"), ready: seeRun(".run-live") },
  { name: "run-approval", address: run("approval"), ready: seeRun("main") },
  { name: "run-failed", address: run("failed"), ready: seeRun("main") },
  { name: "run-receipt", address: run("receipt"), ready: seeRun("main") },
  {
    name: "run-comparison",
    address: (world) => `${world.full.url}/runs/${world.fork}?vs=${world.runs.exam.id}`,
    ready: seeRun("text=Compared with"),
  },
  {
    name: "run-fork",
    address: (world) => `${run("exam")(world)}?at=${world.middle}`,
    ready: async (page) => {
      await seeRun("[data-turn]")(page);
      await page.getByRole("button", { name: "Fork from here" }).click();
      await see("dialog[open]")(page);
    },
  },
  { name: "run-crowd", address: run("crowd"), ready: seeRun("main") },
  { name: "run-marathon", address: run("marathon", "?tab=events"), ready: seeRun("main") },
  { name: "run-long-names", address: run("long"), ready: seeRun("main") },
  {
    name: "run-missing",
    address: full("/runs/00000000-0000-7000-8000-000000000000"),
    ready: see(".run-missing h1, main h1"),
  },
];

const LISTS: readonly PictureScene[] = [
  { name: "runs", address: full("/runs"), ready: see(".runs-row") },
  { name: "runs-empty", address: ({ empty }) => `${empty.url}/runs`, ready: see(".runs h1") },
  { name: "runs-none", address: full("/runs?q=unicorn"), ready: see("text=No run matches") },
  { name: "crews", address: full("/crews"), ready: see(".crew-row") },
  { name: "crew", address: full("/crews/quiz-exam"), ready: see(".crew-graph .box") },
  { name: "crew-agent", address: full("/crews/quiz-exam?agent=teacher"), ready: see(".crew-agent") },
  { name: "crew-team", address: full("/crews/multi-team"), ready: see(".crew-graph .box") },
  { name: "crew-finance", address: full("/crews/finance"), ready: see(".crew-graph .box") },
  { name: "crew-crowd", address: full("/crews/crowd"), ready: see(".crew-graph .box") },
  { name: "crew-toolbox", address: full("/crews/toolbox?agent=operator"), ready: see(".crew-tools li") },
  { name: "overview", address: full("/overview"), ready: see(".tile") },
  { name: "overview-empty", address: ({ empty }) => `${empty.url}/overview`, ready: see(".tile") },
  { name: "not-found", address: full("/crews/nobody"), ready: see("main h1") },
  { name: "palette", address: full("/runs"), ready: press("Control+k", ".palette [role=option]") },
  { name: "shortcuts", address: full("/runs"), ready: press("?", "dialog[open]") },
  {
    name: "settings",
    address: full("/overview"),
    ready: async (page) => {
      await see(".tile")(page);
      await page.getByRole("button", { name: "Settings" }).click();
      await see(".settings-menu select")(page);
    },
  },
  { name: "key", address: ({ locked }) => locked.url, ready: see("dialog[open] input") },
];

/** All scenes. */
export const SCENES: readonly PictureScene[] = [...CHATS, ...RUNS, ...LISTS];
