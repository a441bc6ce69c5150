#!/usr/bin/env node
/**
 * `baton-finance data refresh`: builds a current pack of real data beside the embedded one. `data status` tells of it.
 *
 * It may be interrupted at any time: the pack in use stays whole, and the next refresh continues.
 */
import { parseArgs } from "node:util";
import { BatonError } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { DATA, type MarketSettings, readMarketSettings, SEC_CONTACT } from "../market/chain/market-settings.ts";
import { openBuiltPack, type PackManifest } from "../market/refresh/pack-folder.ts";
import { refreshPack } from "../market/refresh/refresh.ts";
import { findContact } from "../market/chain/kept-contact.ts";

const NAME = "current";
const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
const INTERRUPTED = 130;
const HELP = `baton-finance data refresh [--data DIR]   builds a current pack: SEC frames, Treasury, reference rates
baton-finance data status [--data DIR]    tells what the current pack has

It needs SEC_CONTACT, an e-mail address at which the SEC can reach you. \`npm start -- --data-pack ${NAME}\` uses the pack.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(given: readonly string[]): Promise<number> {
  try {
    const options = { data: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true });
    const command = positionals.join(" ");
    if (values.help === true || command === "") return print(HELP);
    const folder = values.data ?? (process.env["BATON_DATA"] || ".baton");
    if (command === "data refresh") return await refresh(folder);
    if (command === "data status") return status(folder);
    return say(`there is no command \`${command}\`; \`baton-finance --help\` lists what there is`, WRONG_USAGE);
  } catch (error) {
    return say(toMessage(error), WRONG_USAGE);
  }
}

async function refresh(folder: string): Promise<number> {
  const contact = await findContact(process.env, folder);
  if (contact === undefined) {
    return say(`set ${SEC_CONTACT} to an e-mail address at which the SEC can reach you`, WRONG_USAGE);
  }
  const env = { ...process.env, [DATA]: "auto", [SEC_CONTACT]: contact, BATON_DATA: folder };
  return carryOut(readMarketSettings(env));
}

async function carryOut(settings: MarketSettings): Promise<number> {
  await using scope = Scope.root({ clock: new SystemClock(), name: "refresh" });
  let told = -1;
  const onProgress = (done: number, all: number) => {
    const percent = Math.floor((done / all) * 10) * 10;
    if (percent === told) return;
    told = percent;
    process.stderr.write(`baton-finance: ${done} of ${all} frames\n`);
  };
  const stop = () => {
    scope.cancel(new BatonError("cancelled", "interrupted")).catch(() => undefined);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const manifest = await scope.race(() => refreshPack({ settings, name: NAME, onProgress }, scope));
    return print(toStory(manifest));
  } catch (error) {
    const isStopped = !scope.live;
    const more = "the pack in use is unchanged, and the next refresh goes on from here";
    return say(`${isStopped ? "interrupted" : toMessage(error)}; ${more}`, isStopped ? INTERRUPTED : FAILED);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

function status(folder: string): number {
  return print(toStory(openBuiltPack(folder, NAME).manifest));
}

function toStory({ built_at, pack, years, counts }: PackManifest): string {
  const { companies = 0, statement_years = 0, rates = 0, currencies = 0 } = counts;
  const span = `${years[0]} to ${years.at(-1)}`;
  return `pack ${pack.file}, ${Math.ceil(pack.bytes / 1_024)} KB, built ${built_at}
${companies} companies, ${statement_years} fiscal years (${span}), ${rates} rates, ${currencies} currencies
use it with: npm start -- --data-pack ${NAME}
`;
}

function print(text: string): number {
  process.stdout.write(text);
  return DONE;
}

function say(line: string, exitCode: number): number {
  process.stderr.write(`baton-finance: ${line}\n`);
  return exitCode;
}
