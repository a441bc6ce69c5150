/**
 * `baton keys`: creates, lists, rotates and revokes the API keys of a server, in the server's store.
 *
 * A new key is printed once, alone on standard output; only its hash is stored.
 */
import { describeStore, hasDatabase, openDatabase } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { CREATE_KEY, createKey, hasScope, type KeyPlan, PLANS, type KeyScope, SCOPES } from "@baton/server/keys";
import { type KeyRecord, LOCAL, type TransferCounts } from "@baton/store";
import { EXIT_CODES } from "../exit-code.ts";
import { type CliCommand, type CommandLine, printJson, requireAction, say, valueOf } from "../command-line.ts";
import { toKeyLines } from "../view/keys-table.ts";
import { Screen } from "../terminal/screen.ts";
import { type Configured, configure, POSTGRES_SETTING } from "../serve/config.ts";
import { toKeyCommand } from "../serve/key-command.ts";
import type { ServerConfig } from "../serve/settings.ts";
import { openOutput } from "../terminal/output.ts";
import { toOneLine } from "../terminal/printable.ts";

type Action = (commandLine: CommandLine, configured: Configured, word: string | undefined) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["create", create],
  ["list", list],
  ["revoke", revoke],
  ["rotate", rotate],
  ["open", open],
]);

/** Actions that need the id of a key. */
const NAMING: ReadonlySet<string> = new Set(["revoke", "rotate"]);

const TENANT = /^[a-zA-Z0-9_.-]{1,128}$/;
const USER = /^[a-zA-Z0-9_.@+-]{1,128}$/;
const CREW = /^[a-zA-Z0-9_-]{1,128}$/;
const MIN_CHARS = 4;
const ID_CHARS = 16;

/** Does the action; without one, lists the keys. */
export const command: CliCommand = async (commandLine) => {
  const [verb = "list", word] = commandLine.positionals;
  const action = requireAction("keys", ACTIONS, verb);
  if (!NAMING.has(verb) && word !== undefined)
    throw new BatonError("invalid", `\`baton keys ${verb}\` takes no "${toOneLine(word)}"; remove it`);
  // The positional arguments are not crews here.
  await action(commandLine, await configure({ ...commandLine, positionals: [] }, process.env), word);
  return EXIT_CODES.done;
};

async function create(commandLine: CommandLine, { config }: Configured): Promise<void> {
  const tenant = toTenant(valueOf(commandLine, "tenant"));
  const scopes = toScopes(valueOf(commandLine, "scopes"));
  const options = omitUndefined({
    user: toUser(valueOf(commandLine, "user")),
    plan: toPlan(valueOf(commandLine, "plan")),
    crews: toCrews(valueOf(commandLine, "crews")),
  });
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const before = await database.keys.list();
  const isAdopting = commandLine.flags.has("adopt-local");
  if (isAdopting) checkFirst(before, tenant, config);
  const { key, record } = createKey({ tenant, scopes, ...options }, Date.now());
  // Transfer first: if it fails, no key exists and nothing has changed.
  const adopted = isAdopting ? await database.owners.transfer(LOCAL, record) : undefined;
  await database.keys.add(record);
  const { id, user } = record;
  if (commandLine.flags.has("json")) printJson({ key, ...toShown(record), ...omitUndefined({ adopted }) });
  else process.stdout.write(`${key}\n`);
  const place = describeStore(config);
  const about = `key ${id} of ${tenant}, user ${user} (${scopes.join(", ")})`;
  say(`${about} is stored in ${place}; save it now, it is not shown again`);
  if (adopted !== undefined) say(toAdopted(adopted, user));
  if (before.length === 0) say(`from now on every server on ${place} needs a key: Authorization: Bearer KEY`);
}

/** Throws if the tenant has keys: only its first key can adopt the runs from before. */
function checkFirst(keys: readonly KeyRecord[], tenant: string, config: ServerConfig): void {
  const known = keys.find((key) => key.tenant === tenant);
  if (known === undefined) return;
  const problem = `it works only with the first key of a tenant, and ${tenant} has ${known.id} in ${describeStore(config)}`;
  throw new BatonError("invalid", `--adopt-local: ${problem}; remove it, or name another --tenant`);
}

function toAdopted({ runs, sessions, documents }: TransferCounts, user: string): string {
  if (runs + sessions + documents === 0) return "there were no runs or sessions of local to adopt";
  const kept = documents === 0 ? "" : ` and ${count(documents, "document")}`;
  return `${count(runs, "run")} and ${count(sessions, "session")}${kept} of local now belong to ${user}`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

async function list({ flags }: CommandLine, configured: Configured): Promise<void> {
  const { config } = configured;
  const keys = hasDatabase(config) ? await readKeys(config) : [];
  if (flags.has("json")) return printJson({ keys: keys.map(toShown) });
  const screen = new Screen(openOutput(process.stdout));
  if (keys.length > 0) screen.draw(toKeyLines(keys, { now: Date.now(), width: screen.width }));
  else process.stderr.write(`no keys in ${describeStore(config)}; create one with \`${toKeyCommand(configured)}\`\n`);
}

async function readKeys(config: ServerConfig): Promise<readonly KeyRecord[]> {
  await using database = await openDatabase(config, POSTGRES_SETTING);
  return await database.keys.list();
}

async function revoke({ flags }: CommandLine, configured: Configured, word: string | undefined): Promise<void> {
  const { config } = configured;
  if (word === undefined) throw new BatonError("invalid", "name the key by its id: baton keys revoke ID");
  if (!hasDatabase(config)) throw unknownKey(word, config);
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const { id } = findKey(await database.keys.list(), word, config);
  const isNow = await database.keys.revoke(id, Date.now());
  const live = (await database.keys.list()).filter(({ revokedAt }) => revokedAt === undefined);
  if (flags.has("json")) printJson({ id, revoked: isNow });
  else process.stdout.write(isNow ? `revoked ${id}\n` : `${id} was already revoked\n`);
  if (live.length > 0) return;
  say(
    `no active key is left, but servers on ${describeStore(config)} still need one; create one with \`${toKeyCommand(configured)}\``,
  );
  say(
    "a key with the --tenant and --user of an old one sees the same runs; `baton keys open` removes the need for keys",
  );
}

/** Creates a key with the same tenant, user, plan and scopes; when it is stored, revokes the old one. */
async function rotate({ flags }: CommandLine, { config }: Configured, word: string | undefined): Promise<void> {
  if (word === undefined) throw new BatonError("invalid", "name the key by its id: baton keys rotate ID");
  if (!hasDatabase(config)) throw unknownKey(word, config);
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const old = findKey(await database.keys.list(), word, config);
  if (old.revokedAt !== undefined || old.error !== undefined) {
    throw new BatonError("invalid", `key ${old.id} is revoked or damaged; create a new one with \`${CREATE_KEY}\``);
  }
  const { tenant, user, plan, crews } = old;
  const scopes = SCOPES.filter((scope) => old.scopes.includes(scope));
  const { key, record } = createKey({ tenant, user, scopes, ...omitUndefined({ plan, crews }) }, Date.now());
  await database.keys.add(record);
  await database.keys.revoke(old.id, Date.now());
  if (flags.has("json")) printJson({ key, ...toShown(record), replaces: old.id });
  else process.stdout.write(`${key}\n`);
  say(`key ${record.id} replaces ${old.id} of ${tenant}, user ${user}; save it now, it is not shown again`);
}

/** Removes all keys, so that servers on loopback need none. */
async function open(commandLine: CommandLine, { config }: Configured): Promise<void> {
  const place = describeStore(config);
  const before = hasDatabase(config) ? await removeKeys(config, valueOf(commandLine, "key")) : 0;
  if (commandLine.flags.has("json")) return printJson({ removed: before });
  if (before === 0) return say(`there are no keys in ${place}; servers on 127.0.0.1 need none`);
  process.stdout.write(`removed ${count(before, "key")}\n`);
  say(`servers on ${place} now need no key, work only on 127.0.0.1, and show the runs of local`);
  say("the runs of a tenant are still stored: create a key with its --tenant and --user to see them");
}

async function removeKeys(config: ServerConfig, key: string | undefined): Promise<number> {
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const isAdmin = key !== undefined && hasScope(await database.keys.list(), key, "admin");
  if (key !== undefined && !isAdmin) {
    throw new BatonError("invalid", `--key: ${describeStore(config)} has no such key with the scope admin`);
  }
  if (!isAdmin && (await database.claims.isInUse())) {
    const problem = `a server or another command is using ${describeStore(config)}`;
    throw new BatonError("invalid", `${problem}; stop it first, or use an admin key: baton keys open --key ADMIN_KEY`);
  }
  return await database.keys.deleteAll();
}

function findKey(keys: readonly KeyRecord[], word: string, config: ServerConfig): KeyRecord {
  const found = word.length < MIN_CHARS ? [] : keys.filter(({ id }) => id.startsWith(word));
  const [only, other] = found;
  if (only === undefined) throw unknownKey(word, config);
  if (other === undefined) return only;
  throw new BatonError("invalid", `${found.length} keys start with ${word}; write more of the id`);
}

function unknownKey(word: string, config: ServerConfig): BatonError {
  // A whole key that was passed by mistake is not printed.
  const named = word.length > ID_CHARS ? "there is no such key" : `there is no key ${word}`;
  return new BatonError("not_found", `${named} in ${describeStore(config)}; \`baton keys list\` shows their ids`);
}

function toTenant(word: string | undefined): string {
  if (word === undefined) throw new BatonError("invalid", `--tenant is missing: ${CREATE_KEY}`);
  if (TENANT.test(word)) return word;
  throw new BatonError("invalid", `--tenant must be at most 128 letters, digits and . _ -`);
}

function toUser(word: string | undefined): string | undefined {
  if (word === undefined || USER.test(word)) return word;
  throw new BatonError("invalid", `--user must be at most 128 letters, digits and . _ @ + -`);
}

function toPlan(word: string | undefined): KeyPlan | undefined {
  const plan = PLANS.find((known) => known === word);
  if (word === undefined || plan !== undefined) return plan;
  throw new BatonError("invalid", `--plan must be ${PLANS.join(" or ")}, not "${word}"`);
}

/** Ids of crews, as routes name them. */
function toCrews(text: string | undefined): readonly string[] | undefined {
  const ids = text?.split(",").map((word) => word.trim());
  if (ids?.every((id) => CREW.test(id)) !== false) return ids;
  throw new BatonError("invalid", "--crews must be ids of crews, as `baton serve` lists them: --crews support,billing");
}

function toScopes(text: string | undefined): readonly KeyScope[] {
  const words = (text ?? "").split(",").map((word) => word.trim());
  const unknown = words.find((word) => !SCOPES.some((scope) => scope === word));
  const known = SCOPES.join(", ");
  if (text === undefined) throw new BatonError("invalid", `--scopes is missing; name some of ${known}: ${CREATE_KEY}`);
  if (unknown !== undefined) throw new BatonError("invalid", `--scopes must be some of ${known}, not "${unknown}"`);
  return SCOPES.filter((scope) => words.includes(scope));
}

function toShown({ id, tenant, user, plan = "free", scopes, crews, createdAt, revokedAt }: KeyRecord) {
  return { id, tenant, user, plan, scopes, createdAt, ...omitUndefined({ crews, revokedAt }) };
}
