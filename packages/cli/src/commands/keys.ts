/**
 * `baton keys`: makes, lists and revokes the keys of a server, in the store it uses.
 *
 * A key is printed once, alone on standard output, and kept nowhere; what is listed holds no part of it.
 */
import { BatonError, nearest, SystemClock } from "@baton/core";
import { CREATE_KEY, KeyRing, type Scope, SCOPES } from "@baton/server/keys";
import type { Database, KeyRecord } from "@baton/store";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, type Invocation, valueOf } from "../invocation.ts";
import { toKeyLines } from "../keys-table.ts";
import { Screen } from "../screen.ts";
import { type Configured, configure } from "../serve/config.ts";
import { isKept, openDatabase, toPlace } from "../serve/database-choice.ts";
import { toKeyCommand } from "../serve/key-command.ts";
import type { Config } from "../serve/settings.ts";
import { openOutput } from "../terminal.ts";

type Action = (invocation: Invocation, configured: Configured, word: string | undefined) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["create", create],
  ["list", list],
  ["revoke", revoke],
]);

const TENANT = /^[a-zA-Z0-9_.-]{1,128}$/;
const MIN_CHARS = 4;
const ID_CHARS = 16;

/** Does what the first word says; lists keys where there is none. */
export const command: Command = async (invocation) => {
  const [verb = "list", word] = invocation.positionals;
  const action = ACTIONS.get(verb);
  if (action === undefined) {
    const near = nearest(verb, [...ACTIONS.keys()]);
    const hint = near === undefined ? `make one with \`${CREATE_KEY}\`` : `did you mean ${near}?`;
    throw new BatonError("invalid", `\`baton keys\` knows create, list and revoke, not "${verb}"; ${hint}`);
  }
  if (verb !== "revoke" && word !== undefined) throw new BatonError("invalid", `leave out "${word}"`);
  // The words are an action here, and no crews.
  await action(invocation, await configure({ ...invocation, positionals: [] }, process.env), word);
  return EXIT_CODES.done;
};

async function create(invocation: Invocation, { config }: Configured): Promise<void> {
  const tenant = toTenant(valueOf(invocation, "tenant"));
  const scopes = toScopes(valueOf(invocation, "scopes"));
  await using database = await openDatabase(config);
  const { key, record } = await ringOf(database).create(tenant, scopes);
  if (invocation.flags.has("json")) return printJson({ key, ...toShown(record) });
  process.stdout.write(`${key}\n`);
  const about = `key ${record.id} of ${tenant} (${scopes.join(", ")})`;
  process.stderr.write(`${about} is kept in ${toPlace(config)}; note it down, it is not shown again\n`);
}

async function list({ flags }: Invocation, configured: Configured): Promise<void> {
  const { config } = configured;
  const keys = isKept(config) ? await readKeys(config) : [];
  if (flags.has("json")) return printJson({ keys: keys.map(toShown) });
  const screen = new Screen(openOutput(process.stdout));
  if (keys.length > 0) screen.draw(toKeyLines(keys, { now: Date.now(), width: screen.width }));
  else process.stderr.write(`no keys in ${toPlace(config)}; make one with \`${toKeyCommand(configured)}\`\n`);
}

async function readKeys(config: Config): Promise<readonly KeyRecord[]> {
  await using database = await openDatabase(config);
  return await database.keys();
}

async function revoke({ flags }: Invocation, configured: Configured, word: string | undefined): Promise<void> {
  const { config } = configured;
  if (word === undefined) throw new BatonError("invalid", "name the key by its id: baton keys revoke ID");
  if (!isKept(config)) throw unknownKey(word, config);
  await using database = await openDatabase(config);
  const { id } = findKey(await database.keys(), word, config);
  const isNow = await ringOf(database).revoke(id);
  const live = (await database.keys()).filter(({ revokedAt }) => revokedAt === undefined);
  if (flags.has("json")) return printJson({ id, revoked: isNow });
  process.stdout.write(isNow ? `revoked ${id}\n` : `${id} was revoked before\n`);
  if (live.length > 0) return;
  process.stderr.write(`no key is left, so a server lets nobody in; \`${toKeyCommand(configured)}\` makes one\n`);
}

function findKey(keys: readonly KeyRecord[], word: string, config: Config): KeyRecord {
  const found = word.length < MIN_CHARS ? [] : keys.filter(({ id }) => id.startsWith(word));
  const [only, other] = found;
  if (only === undefined) throw unknownKey(word, config);
  if (other === undefined) return only;
  throw new BatonError("invalid", `${found.length} keys begin with ${word}; write more of the id`);
}

function unknownKey(word: string, config: Config): BatonError {
  // Whoever writes a whole key here should not find it on the screen.
  const named = word.length > ID_CHARS ? "there is no such key" : `there is no key ${word}`;
  return new BatonError("not_found", `${named} in ${toPlace(config)}; \`baton keys list\` shows their ids`);
}

function toTenant(word: string | undefined): string {
  if (word === undefined) throw new BatonError("invalid", `say whose key it is: ${CREATE_KEY}`);
  if (TENANT.test(word)) return word;
  throw new BatonError("invalid", `--tenant: write up to 128 letters, digits and . _ -`);
}

function toScopes(text: string | undefined): readonly Scope[] {
  const words = (text ?? "").split(",").map((word) => word.trim());
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word));
  const known = SCOPES.join(", ");
  if (text === undefined) throw new BatonError("invalid", `say what the key may do, of ${known}: ${CREATE_KEY}`);
  if (unknown !== undefined)
    throw new BatonError("invalid", `there is no scope "${unknown}"; a key has some of ${known}`);
  return SCOPES.filter((scope) => words.includes(scope));
}

function ringOf(database: Database): KeyRing {
  return new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
}

function toShown({ id, tenant, scopes, createdAt, revokedAt }: KeyRecord) {
  return { id, tenant, scopes, createdAt, ...(revokedAt === undefined ? {} : { revokedAt }) };
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
