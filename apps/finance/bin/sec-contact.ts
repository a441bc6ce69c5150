/**
 * SEC contact: finds the e-mail address that the SEC asks for: as it is set, as it was kept, or as the person at the
 * terminal says once.
 *
 * It is kept in the data folder, readable for its owner alone. A person who gives none sees how to set it, and is not
 * asked again.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { toContact } from "../market/sources/sec/contact.ts";

/** Where a contact may come from. */
export interface ContactOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The data folder. */
  readonly folder: string;
  /** Asks the person at the terminal; absent if there is none. */
  readonly ask?: (question: string) => Promise<string>;
  readonly say: (line: string) => void;
}

const FILE = "finance.json";
const KEPT = z.object({ sec_contact: z.string() });
const TRIES = 3;
const OFF = "the SEC is off: it asks every program for a contact; set SEC_CONTACT to your e-mail address";
const QUESTION =
  "The SEC asks every program for an e-mail address at which its user can be reached.\nYours (Enter for none): ";

/** The contact; undefined if there is none, which has been said. A setting is used as it is. */
export async function settleContact({ env, folder, ask, say }: ContactOptions): Promise<string | undefined> {
  const set = env["SEC_CONTACT"]?.trim() ?? "";
  if (set !== "") return set;
  const kept = await readKept(folder);
  if (kept !== undefined && kept !== "") return kept;
  const given = kept === undefined && ask !== undefined ? await askFor(ask, say) : undefined;
  if (given !== undefined) await keep(folder, given, say);
  if (given !== undefined && given !== "") return given;
  say(OFF);
  return undefined;
}

/** Reads the saved contact; empty if the user chose to give none. */
async function readKept(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, FILE), "utf8").catch(() => "");
  const contact = KEPT.safeParse(parseJson(text)).data?.sec_contact;
  return contact === "" ? "" : toContact(contact);
}

async function askFor(ask: NonNullable<ContactOptions["ask"]>, say: ContactOptions["say"]): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const text = (await ask(QUESTION)).trim();
    const contact = toContact(text);
    if (text === "" || contact !== undefined) return contact ?? "";
    say(`"${text.slice(0, 60)}" is not an e-mail address`);
  }
  return "";
}

async function keep(folder: string, contact: string, say: ContactOptions["say"]): Promise<void> {
  const path = join(folder, FILE);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path, `${JSON.stringify({ sec_contact: contact })}\n`, { mode: 0o600 });
    if (contact !== "") say(`kept in ${path}`);
  } catch {
    say(`it cannot be kept in ${folder}; set SEC_CONTACT to be asked no more`);
  }
}
