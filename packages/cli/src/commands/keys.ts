/**
 * `baton keys`: makes, lists, rotates and revokes the keys of a server, in the store it uses, and takes keys back.
 *
 * A key is printed once, alone on standard output, and kept nowhere; what is listed holds no part of it.
 */
import { BatonError } from "@baton/core";
import { given, nearest } from "@baton/core/ports";
import { CREATE_KEY, createKey, hasScope, type Plan, PLANS, type Scope, SCOPES } from "@baton/server/keys";
import { type KeyRecord, LOCAL, type Transferred } from "@baton/store";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, type Invocation, valueOf } from "../command-line.ts";
import { toKeyLines } from "../view/keys-table.ts";
import { Screen } from "../terminal/screen.ts";
import { type Configured, configure } from "../serve/config.ts";
import { isKept, openDatabase, toPlace } from "../serve/database-choice.ts";
import { toKeyCommand } from "../serve/key-command.ts";
import type { Config } from "../serve/settings.ts";
import { openOutput } from "../terminal/output.ts";

type Action = (invocation: Invocation, configured: Configured, word: string | undefined) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["create", create],
  ["list", list],
  ["revoke", revoke],
  ["rotate", rotate],
  ["open", open],
]);

/** Actions that are about one key. */
const NAMING: ReadonlySet<string> = new Set(["revoke", "rotate"]);

const TENANT = /^[a-zA-Z0-9_.-]{1,128}$/;
const USER = /^[a-zA-Z0-9_.@+-]{1,128}$/;
const MIN_CHARS = 4;
const ID_CHARS = 16;

/** Does what the first word says; without a word, lists the keys. */
export const command: Command = async (invocation) => {
  const [verb = "list", word] = invocation.positionals;
  const action = ACTIONS.get(verb);
  if (action === undefined) {
    const near = nearest(verb, [...ACTIONS.keys()]);
    const hint = near === undefined ? `make one with \`${CREATE_KEY}\`` : `did you mean ${near}?`;
    throw new BatonError("invalid", `\`baton keys\` knows ${[...ACTIONS.keys()].join(", ")}, not "${verb}"; ${hint}`);
  }
  if (!NAMING.has(verb) && word !== undefined) throw new BatonError("invalid", `leave out "${word}"`);
  // The words are an action here, and no crews.
  await action(invocation, await configure({ ...invocation, positionals: [] }, process.env), word);
  return EXIT_CODES.done;
};

async function create(invocation: Invocation, { config }: Configured): Promise<void> {
  const tenant = toTenant(valueOf(invocation, "tenant"));
  const scopes = toScopes(valueOf(invocation, "scopes"));
  const options = given({ user: toUser(valueOf(invocation, "user")), plan: toPlan(valueOf(invocation, "plan")) });
  await using database = await openDatabase(config);
  const before = await database.keys();
  const isAdopting = invocation.flags.has("adopt-local");
  if (isAdopting) checkFirst(before, tenant, config);
  const { key, record } = createKey({ tenant, scopes, ...options }, Date.now());
  // If something of `local` is in use, there is no key yet and nothing has changed.
  const adopted = isAdopting ? await database.transfer(LOCAL, record) : undefined;
  await database.addKey(record);
  const { id, user } = record;
  if (invocation.flags.has("json")) printJson({ key, ...toShown(record), ...given({ adopted }) });
  else process.stdout.write(`${key}\n`);
  const place = toPlace(config);
  const about = `key ${id} of ${tenant}, user ${user} (${scopes.join(", ")})`;
  say(`${about} is kept in ${place}; note it down, it is not shown again`);
  if (adopted !== undefined) say(toAdopted(adopted, user));
  if (before.length === 0) say(`from now on every server on ${place} needs a key: Authorization: Bearer KEY`);
}

/** What was there before keys goes to one key: the next one would find nothing. */
function checkFirst(keys: readonly KeyRecord[], tenant: string, config: Config): void {
  const known = keys.find((key) => key.tenant === tenant);
  if (known === undefined) return;
  const problem = `${tenant} has keys in ${toPlace(config)} (${known.id}), and only the first key of a tenant adopts`;
  throw new BatonError("invalid", `--adopt-local: ${problem}; leave it out, or name another --tenant`);
}

function toAdopted({ runs, sessions, documents }: Transferred, user: string): string {
  if (runs + sessions + documents === 0) return "there was nothing of local to adopt";
  const kept = documents === 0 ? "" : ` and ${count(documents, "document")}`;
  return `${count(runs, "run")} and ${count(sessions, "session")}${kept} of local belong to ${user} now`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
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
  const isNow = await database.revokeKey(id, Date.now());
  const live = (await database.keys()).filter(({ revokedAt }) => revokedAt === undefined);
  if (flags.has("json")) printJson({ id, revoked: isNow });
  else process.stdout.write(isNow ? `revoked ${id}\n` : `${id} was revoked before\n`);
  if (live.length > 0) return;
  say(
    `no key is left, and servers on ${toPlace(config)} still need one: \`${toKeyCommand(configured)}\` makes another`,
  );
  say("with the --tenant and --user of an old key it sees the same runs; `baton keys open` serves without keys again");
}

/** Makes a key for the same user and the same uses, and revokes the old one once the new one is kept. */
async function rotate({ flags }: Invocation, { config }: Configured, word: string | undefined): Promise<void> {
  if (word === undefined) throw new BatonError("invalid", "name the key by its id: baton keys rotate ID");
  if (!isKept(config)) throw unknownKey(word, config);
  await using database = await openDatabase(config);
  const old = findKey(await database.keys(), word, config);
  if (old.revokedAt !== undefined || old.error !== undefined) {
    throw new BatonError("invalid", `key ${old.id} does not work any more; make another with \`${CREATE_KEY}\``);
  }
  const { tenant, user, plan } = old;
  const scopes = SCOPES.filter((scope) => old.scopes.includes(scope));
  const { key, record } = createKey({ tenant, user, scopes, ...given({ plan }) }, Date.now());
  await database.addKey(record);
  await database.revokeKey(old.id, Date.now());
  if (flags.has("json")) printJson({ key, ...toShown(record), replaces: old.id });
  else process.stdout.write(`${key}\n`);
  say(`key ${record.id} replaces ${old.id} of ${tenant}, user ${user}; note it down, it is not shown again`);
}

/** Removes all keys, so that servers on loopback need none. */
async function open(invocation: Invocation, { config }: Configured): Promise<void> {
  const place = toPlace(config);
  const before = isKept(config) ? await removeKeys(config, valueOf(invocation, "key")) : 0;
  if (invocation.flags.has("json")) return printJson({ removed: before });
  if (before === 0) return say(`there are no keys in ${place}: servers on 127.0.0.1 need none`);
  process.stdout.write(`removed ${count(before, "key")}\n`);
  say(`from now on servers on ${place} need no key, and only on 127.0.0.1; they show the runs of local`);
  say("the runs of a tenant are still there: a new key with its --tenant and --user sees them");
}

async function removeKeys(config: Config, key: string | undefined): Promise<number> {
  await using database = await openDatabase(config);
  const isAdmin = key !== undefined && hasScope(await database.keys(), key, "admin");
  if (key !== undefined && !isAdmin) {
    throw new BatonError("invalid", `--key: this is not a key of ${toPlace(config)} with the scope admin`);
  }
  if (!isAdmin && (await database.isInUse())) {
    const problem = `a server or another command uses ${toPlace(config)} now`;
    throw new BatonError("invalid", `${problem}; stop it first, or show that you may: baton keys open --key ADMIN_KEY`);
  }
  return await database.deleteKeys();
}

function findKey(keys: readonly KeyRecord[], word: string, config: Config): KeyRecord {
  const found = word.length < MIN_CHARS ? [] : keys.filter(({ id }) => id.startsWith(word));
  const [only, other] = found;
  if (only === undefined) throw unknownKey(word, config);
  if (other === undefined) return only;
  throw new BatonError("invalid", `${found.length} keys begin with ${word}; write more of the id`);
}

function unknownKey(word: string, config: Config): BatonError {
  // A whole key that was written here by mistake is not repeated on the screen.
  const named = word.length > ID_CHARS ? "there is no such key" : `there is no key ${word}`;
  return new BatonError("not_found", `${named} in ${toPlace(config)}; \`baton keys list\` shows their ids`);
}

function toTenant(word: string | undefined): string {
  if (word === undefined) throw new BatonError("invalid", `say whose key it is: ${CREATE_KEY}`);
  if (TENANT.test(word)) return word;
  throw new BatonError("invalid", `--tenant: write up to 128 letters, digits and . _ -`);
}

function toUser(word: string | undefined): string | undefined {
  if (word === undefined || USER.test(word)) return word;
  throw new BatonError("invalid", `--user: write up to 128 letters, digits and . _ @ + -`);
}

function toPlan(word: string | undefined): Plan | undefined {
  const plan = PLANS.find((known) => known === word);
  if (word === undefined || plan !== undefined) return plan;
  throw new BatonError("invalid", `--plan: there is no plan "${word}"; a key has ${PLANS.join(" or ")}`);
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

function toShown({ id, tenant, user, plan = "free", scopes, createdAt, revokedAt }: KeyRecord) {
  return { id, tenant, user, plan, scopes, createdAt, ...given({ revokedAt }) };
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
