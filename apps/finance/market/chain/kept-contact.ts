/**
 * Kept contact: the e-mail address that the SEC asks for, as it is set or as it is kept in the data folder, readable for
 * its owner alone.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import type { MarketEnvironment } from "./market-settings.ts";
import { toContact } from "../sources/sec/contact.ts";

const FILE = "finance.json";
const KEPT = z.object({ sec_contact: z.string() });

/** The contact; undefined if there is none. A setting is used as it is. */
export async function findContact(env: MarketEnvironment, folder: string): Promise<string | undefined> {
  const set = env["SEC_CONTACT"]?.trim() ?? "";
  if (set !== "") return set;
  const text = await readFile(join(folder, FILE), "utf8").catch(() => "");
  return toContact(KEPT.safeParse(parseJson(text)).data?.sec_contact);
}

/** Keeps a contact for later starts; throws if it is not an e-mail address. */
export async function keepContact(folder: string, text: string): Promise<void> {
  const contact = toContact(text);
  if (contact === undefined) throw new TypeError(`"${text.slice(0, 60)}" is not an e-mail address`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, FILE), `${JSON.stringify({ sec_contact: contact })}\n`, { mode: 0o600 });
}
