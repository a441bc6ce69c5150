/**
 * `baton channels`: lists the chat channels of the settings, makes codes that link chats, and tries a channel in the terminal.
 */
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openParts } from "@baton/baton/parts";
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

type Action = (commandLine: CommandLine, configured: Configured) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["list", list],
  ["link", link],
  ["demo", demo],
]);

const LOOK_MS = 50;

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
  const { LocalPlatform } = await import("@baton/channels/demo");
  const platform = new LocalPlatform();
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
    await chat(
      platform,
      async () => (await parts.store.database.runs.list({ status: "running", limit: 1 })).length > 0,
    );
  } finally {
    await server.stop();
  }
}

interface Demo {
  say(text: string): number;
  press(data: string): void;
  readonly calls: readonly { readonly method: string; readonly parameters: Readonly<Record<string, unknown>> }[];
}

async function chat(platform: Demo, isRunning: () => Promise<boolean>): Promise<void> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stdout.write("Write a message; a number presses a button; Ctrl-D ends.\n");
  let shown = 0;
  let buttons: readonly string[] = [];
  const show = () => {
    for (const { method, parameters } of platform.calls.slice(shown)) {
      if (method !== "sendMessage") continue;
      process.stdout.write(toPrintable(`${String(parameters["text"])}\n`));
      const found = toButtons(parameters["reply_markup"]);
      for (const [index, { text }] of found.entries()) process.stdout.write(toPrintable(`  [${index + 1}] ${text}\n`));
      if (found.length > 0) buttons = found.map(({ data }) => data);
    }
    shown = platform.calls.length;
  };
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const pressed = buttons[Number(line.trim()) - 1];
    const before = platform.calls.filter(({ method }) => method === "sendMessage").length;
    if (pressed === undefined) platform.say(line);
    else platform.press(pressed);
    buttons = [];
    const isAnswered = () => platform.calls.filter(({ method }) => method === "sendMessage").length > before;
    do {
      await sleep(LOOK_MS);
      show();
    } while (!isAnswered() || (await isRunning()));
  }
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
