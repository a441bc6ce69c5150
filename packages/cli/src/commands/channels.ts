/**
 * `baton channels`: lists the chat channels of the settings, makes codes that link chats, and tries a channel in the terminal.
 */
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openParts } from "@baton/baton/parts";
import type { LocalPlatform } from "@baton/channels/demo";
import { openDatabase } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import { nearest } from "@baton/core/util";
import { LOCAL } from "@baton/store";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { configure, type Configured, POSTGRES_SETTING } from "../serve/config.ts";
import { importChannels, listChannels } from "../serve/open-channels.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { toMounted, toOptions, toPartsOptions, toStderr } from "./serve.ts";
import { openThreads } from "../crew/crew-loader.ts";
import { installedLevels } from "@baton/baton/crews";
import { z } from "zod";

type Action = (commandLine: CommandLine, configured: Configured) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["list", list],
  ["link", link],
  ["demo", demo],
]);

const LOOK_MS = 50;
const BOT_ID = 42;

/** Does the action; without one, lists the channels. */
export const command: CliCommand = async (commandLine) => {
  const [verb = "list", ...rest] = commandLine.positionals;
  const action = ACTIONS.get(verb);
  if (action === undefined) {
    const near = nearest(verb, [...ACTIONS.keys()]);
    const hint = near === undefined ? "write list, link or demo" : `did you mean ${near}?`;
    throw new BatonError("invalid", `\`baton channels\` has no action "${toOneLine(verb)}"; ${hint}`);
  }
  // Only the demo has crews.
  const positionals = verb === "demo" ? rest : [];
  await action(commandLine, await configure({ ...commandLine, positionals }, process.env));
  return EXIT_CODES.done;
};

async function list(_: CommandLine, { config }: Configured): Promise<void> {
  const { readChannels } = await importChannels();
  const channels = readChannels(listChannels(config), process.env);
  if (channels.length === 0) process.stderr.write("no channels: see `channels` in baton.config.yaml\n");
  for (const one of channels) {
    const more = one.type === "webhook" ? new URL(one.url).host : `${one.mode}, ${one.access}`;
    process.stdout.write(toPrintable(`${one.name}  ${one.type}  ${more}\n`));
  }
}

async function link(commandLine: CommandLine, { config }: Configured): Promise<void> {
  const { createLinkCode, readChannels } = await importChannels();
  const bots = readChannels(listChannels(config), process.env).filter(({ type }) => type !== "webhook");
  const named = valueOf(commandLine, "channel");
  const found = named === undefined ? bots[0] : bots.find(({ name }) => name === named);
  if (found === undefined)
    throw new BatonError(
      "invalid",
      named === undefined ? "there is no chat channel to link" : `there is no chat channel ${toOneLine(named)}`,
    );
  const owner = {
    tenant: valueOf(commandLine, "tenant") ?? LOCAL.tenant,
    user: valueOf(commandLine, "user") ?? LOCAL.user,
  };
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const { code } = await createLinkCode({ database, now: Date.now() }, found.name, owner);
  process.stdout.write(`${code}\n`);
  process.stderr.write(`send /link ${code} to the bot of channel ${found.name} within 15 minutes\n`);
}

/** A platform inside this process, and a chat in the terminal. */
async function demo(_: CommandLine, { config }: Configured): Promise<void> {
  const { defineChannels, readChannels } = await importChannels();
  const { LocalPlatform: Platform } = await import("@baton/channels/demo");
  const platform = new Platform();
  platform.language = (process.env["LC_ALL"] ?? process.env["LANG"] ?? "en").slice(0, 2);
  const setting = [{ type: "telegram", name: "demo", token_env: "TOKEN", access: "open" }];
  const channels = defineChannels({
    channels: readChannels(setting, { TOKEN: platform.token }),
    fetch: platform.fetch,
  });
  const threads = openThreads({ onStray: toStderr });
  threads.shareAuto();
  const reader = { threads, sandbox: { levels: installedLevels(), dataFolder: config.data } };
  await using parts = await openParts(toPartsOptions("server", config, { reader, warn: toStderr }));
  const { listen } = await import("@baton/baton/serving");
  const mounted = toMounted(parts.crews);
  const reasons = parts.models.describe(parts.crews);
  const server = await listen(
    { ...parts, reasons },
    {
      ...toOptions(config),
      ...mounted,
      port: 0,
      host: "127.0.0.1",
      mcp: false,
      logLevel: "error",
      routes: [...(mounted.routes ?? []), ...channels.routes],
      services: [channels.service],
    },
  );
  try {
    const { database } = parts.store;
    await chat(
      platform,
      async () =>
        (await database.runs.list({ status: "running", limit: 1 })).length > 0 || (await isSending(server.url)),
    );
  } finally {
    await server.stop();
  }
}

const WAITING = z.object({ channels: z.array(z.object({ waiting: z.number() })) });

/** Whether messages wait in the outbox. */
async function isSending(url: string): Promise<boolean> {
  const answer: unknown = await (await fetch(`${url}/api/channels`)).json();
  return WAITING.safeParse(answer).data?.channels.some(({ waiting }) => waiting > 0) ?? false;
}

type Demo = InstanceType<typeof LocalPlatform>;

const USAGE = `Write a message; a number presses a button; Ctrl-D ends.
!edit TEXT changes your last message, !reply N TEXT replies to the answer N messages back.
`;
const EDIT = "!edit ";
const REPLY = /^!reply (\d{1,3}) (.+)$/;

async function chat(platform: Demo, isRunning: () => Promise<boolean>): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  if (process.stdin.isTTY) process.stdout.write(USAGE);
  let shown = 0;
  let buttons: readonly string[] = [];
  let said = 0;
  const count = () => platform.calls.filter(({ method }) => method === "sendMessage").length;
  const show = () => {
    for (const call of platform.calls.slice(shown)) {
      const found = showCall(call);
      if (found.length > 0) buttons = found;
    }
    shown = platform.calls.length;
  };
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const pressed = buttons[Number(line.trim()) - 1];
    const before = count();
    if (pressed !== undefined) platform.press(pressed);
    else if (line.startsWith(EDIT)) platform.edit(said, line.slice(EDIT.length));
    else said = say(platform, line);
    buttons = [];
    do {
      await sleep(LOOK_MS);
      show();
    } while (count() === before || (await isRunning()));
  }
}

function say(platform: Demo, line: string): number {
  const [, back = "", text = ""] = REPLY.exec(line) ?? [];
  const message_id = platform.sentIds().at(-Number(back));
  if (text === "" || message_id === undefined) return platform.say(line);
  const from = { id: BOT_ID, is_bot: true, first_name: "Baton" };
  return platform.say(text, { more: { reply_to_message: { message_id, from } } });
}

/** Writes what the bot sends; gives the buttons of it. */
function showCall({ method, parameters }: Demo["calls"][number]): readonly string[] {
  const { caption = "" } = parameters;
  if (method === "sendPhoto") process.stdout.write(toPrintable(`[picture] ${String(caption)}\n`));
  if (method !== "sendMessage") return [];
  process.stdout.write(toPrintable(`${String(parameters["text"])}\n`));
  const buttons = toButtons(parameters["reply_markup"]);
  for (const [index, { text }] of buttons.entries()) process.stdout.write(toPrintable(`  [${index + 1}] ${text}\n`));
  return buttons.map(({ data }) => data);
}

function toButtons(markup: unknown): readonly { readonly text: string; readonly data: string }[] {
  const rows: unknown =
    typeof markup === "object" && markup !== null && "inline_keyboard" in markup ? markup.inline_keyboard : [];
  const buttons: readonly unknown[] = Array.isArray(rows) ? rows.flat() : [];
  return buttons.flatMap((button) =>
    typeof button === "object" && button !== null && "text" in button && "callback_data" in button
      ? [{ text: String(button.text), data: String(button.callback_data) }]
      : [],
  );
}
