/**
 * `baton schedule`: adds, lists and removes schedules, in the store that servers use.
 *
 * A server that runs on the same data knows of a change within about a second; without one, nothing starts.
 */
import { BatonError } from "@baton/core";
import { given, nearest } from "@baton/core/ports";
import {
  type Database,
  findSchedules,
  type KeptSchedule,
  LOCAL,
  type NewSchedule,
  type Owner,
  readSchedule,
  SCHEDULES,
  toScheduleDocument,
} from "@baton/store";
import { EXIT_CODES } from "../exit-code.ts";
import { type Command, type Invocation, valueOf } from "../command-line.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { toOwnerText, toScheduleLines, toZonedText } from "../view/schedules-table.ts";
import { Screen } from "../terminal/screen.ts";
import { type Configured, configure } from "../serve/config.ts";
import { isKept, openDatabase, toPlace } from "../serve/database-choice.ts";
import { openOutput } from "../terminal/output.ts";

type Action = (invocation: Invocation, configured: Configured, word: string | undefined) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["add", add],
  ["list", list],
  ["remove", remove],
]);

const EXAMPLE =
  'baton schedule add --crew NAME --cron "30 8 * * 1-5" --time-zone Asia/Ho_Chi_Minh "Brief my watchlist"';
const LIST = "`baton schedule list` shows them";
const MAX_NAME_CHARS = 40;

/** Does what the first word says; without a word, lists the schedules. */
export const command: Command = async (invocation) => {
  const [verb = "list", word] = invocation.positionals;
  const action = ACTIONS.get(verb);
  if (action === undefined) {
    const near = nearest(verb, [...ACTIONS.keys()]);
    const hint = near === undefined ? `add one with \`${EXAMPLE}\`` : `did you mean ${near}?`;
    throw new BatonError("invalid", `\`baton schedule\` knows add, list and remove, not "${verb}"; ${hint}`);
  }
  if (verb === "list" && word !== undefined) throw new BatonError("invalid", `leave out "${word}"`);
  // The words are an action here, and no crews.
  await action(invocation, await configure({ ...invocation, positionals: [] }, process.env), word);
  return EXIT_CODES.done;
};

async function add(invocation: Invocation, { config }: Configured, input: string | undefined): Promise<void> {
  const asked = toAsked(invocation, input);
  const owner = toOwner(invocation) ?? LOCAL;
  // What cannot be is refused before anything is opened.
  toScheduleDocument({ ...asked, name: asked.name ?? "unnamed" }, Date.now());
  await using database = await openDatabase(config);
  const schedule = { ...asked, name: asked.name ?? (await toFreeName(database, owner, asked.input)) };
  const document = { ...toScheduleDocument(schedule, Date.now()), version: 0 };
  const kept = readSchedule(await database.documents(owner).put(SCHEDULES, document).catch(toTaken(schedule.name)));
  const place = toPlace(config);
  if (invocation.flags.has("json")) printJson(toShown({ owner, name: kept.name, version: 0, schedule: kept }));
  else process.stdout.write(toPrintable(`${kept.name}\n`));
  say(`${kept.name} of ${toOwnerText(owner)} is kept in ${place}; next: ${toZonedText(kept.nextAt, kept)}`);
  say(`it starts on servers on ${place} that serve the crew ${toOneLine(kept.crew)}`);
  const isLocal = owner.tenant === LOCAL.tenant && owner.user === LOCAL.user;
  const hasKeys = (await database.keys()).some(({ revokedAt }) => revokedAt === undefined);
  if (isLocal && hasKeys)
    say("servers there need keys, and no key sees the runs of local: name --tenant and --user to have them seen");
}

async function list(invocation: Invocation, { config }: Configured): Promise<void> {
  const schedules = isKept(config) ? await readSchedules(config, toOwner(invocation)) : [];
  if (invocation.flags.has("json")) return printJson({ schedules: schedules.map(toShown) });
  const screen = new Screen(openOutput(process.stdout));
  if (schedules.length > 0) screen.draw(toScheduleLines(schedules, { now: Date.now(), width: screen.width }));
  else say(`no schedules in ${toPlace(config)}; add one with \`${EXAMPLE}\``);
}

async function readSchedules(config: Configured["config"], owner: Owner | undefined): Promise<readonly KeptSchedule[]> {
  await using database = await openDatabase(config);
  return (await findSchedules(database)).filter((kept) => owner === undefined || isOf(kept, owner));
}

async function remove(invocation: Invocation, { config }: Configured, name: string | undefined): Promise<void> {
  if (name === undefined) throw new BatonError("invalid", `name the schedule: baton schedule remove NAME; ${LIST}`);
  if (!isKept(config)) throw new BatonError("not_found", `there are no schedules in ${toPlace(config)}`);
  const owner = toOwner(invocation);
  await using database = await openDatabase(config);
  const all = (await findSchedules(database)).filter((kept) => owner === undefined || isOf(kept, owner));
  const { owner: whose, schedule } = findNamed(all, name, toPlace(config));
  const isRemoved = await database.documents(whose).delete(SCHEDULES, name);
  if (invocation.flags.has("json")) printJson({ name, ...whose, removed: isRemoved });
  else process.stdout.write(toPrintable(isRemoved ? `removed ${name}\n` : `${name} was removed before\n`));
  if (schedule?.origin === "crew")
    say(`crew.yaml of ${toOneLine(schedule.crew)} may still have it: then it comes back when a server starts`);
}

function findNamed(schedules: readonly KeptSchedule[], name: string, place: string): KeptSchedule {
  const found = schedules.filter((kept) => kept.name === name);
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  if (only !== undefined) {
    const owners = found.map(({ owner }) => toOwnerText(owner)).join(", ");
    throw new BatonError("invalid", `${owners} each have a schedule ${name}; say whose with --tenant and --user`);
  }
  const near = nearest(name, [...new Set(schedules.map((kept) => kept.name))]);
  const hint = near === undefined ? LIST : `did you mean ${near}? ${LIST}`;
  throw new BatonError("not_found", `there is no schedule "${toOneLine(name)}" in ${place}; ${hint}`);
}

type Asked = Omit<NewSchedule, "name"> & { readonly name?: string };

function toAsked(invocation: Invocation, input: string | undefined): Asked {
  const crew = valueOf(invocation, "crew");
  const cron = valueOf(invocation, "cron");
  if (crew === undefined) throw new BatonError("invalid", `say which crew, as \`baton serve\` names it: ${EXAMPLE}`);
  if (cron === undefined) throw new BatonError("invalid", `say when, with --cron: ${EXAMPLE}`);
  if (input === undefined || input.trim() === "") throw new BatonError("invalid", `say what to ask: ${EXAMPLE}`);
  const timeZone = valueOf(invocation, "time-zone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [session, name] = [valueOf(invocation, "session"), valueOf(invocation, "name")];
  return { crew, input, when: { cron, timeZone }, origin: "user", ...given({ session, name }) };
}

/** Whose schedules are meant; undefined if that was not said. */
function toOwner(invocation: Invocation): Owner | undefined {
  const [tenant, user] = [valueOf(invocation, "tenant"), valueOf(invocation, "user")];
  if (tenant === undefined && user === undefined) return undefined;
  if (tenant !== undefined && user !== undefined) return { tenant, user };
  throw new BatonError("invalid", "name both --tenant and --user, as `baton keys list` shows them");
}

/** A name made of what is asked, which the owner has not used. */
async function toFreeName(database: Database, owner: Owner, input: string): Promise<string> {
  const folded = input
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, "");
  const words = folded.split(" ").filter((word) => word !== "");
  const base = words.join("-").slice(0, MAX_NAME_CHARS) || "schedule";
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if ((await database.documents(owner).get(SCHEDULES, name)) === undefined) return name;
  }
}

function toTaken(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof BatonError) || error.code !== "conflict") throw error;
    const fix = `choose another --name, or first: baton schedule remove ${name}`;
    throw new BatonError("invalid", `there is a schedule ${name} already; ${fix}`, { cause: error });
  };
}

function isOf({ owner }: KeptSchedule, { tenant, user }: Owner): boolean {
  return owner.tenant === tenant && owner.user === user;
}

function toShown({ owner, name, schedule, problem }: KeptSchedule) {
  return schedule === undefined ? { name, ...owner, problem } : { ...schedule, ...owner };
}

function say(text: string): void {
  process.stderr.write(`${toOneLine(text)}\n`);
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
