/**
 * `baton schedule`: adds, lists and removes schedules in the store of a server.
 *
 * A running server on the same data sees a change within about a second. Without a server nothing starts.
 */
import { describeStore, hasDatabase, openDatabase } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import { omitUndefined, nearest } from "@baton/core/util";
import {
  findSchedules,
  type StoredSchedule,
  type NewSchedule,
  readSchedule,
  SCHEDULES,
  toScheduleDocument,
} from "@baton/durable";
import { type Database, LOCAL, type Owner } from "@baton/store";
import { EXIT_CODES } from "../exit-code.ts";
import { type CliCommand, type CommandLine, printJson, requireAction, say, valueOf } from "../command-line.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { toOwnerText, toScheduleLines, toZonedText } from "../view/schedules-table.ts";
import { Screen } from "../terminal/screen.ts";
import { type Configured, configure, POSTGRES_SETTING } from "../serve/config.ts";
import { openOutput } from "../terminal/output.ts";

type Action = (commandLine: CommandLine, configured: Configured, word: string | undefined) => Promise<void>;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["add", add],
  ["list", list],
  ["remove", remove],
]);

const EXAMPLE =
  'baton schedule add --crew NAME --cron "30 8 * * 1-5" --time-zone Asia/Ho_Chi_Minh "Brief my watchlist"';
const LIST = "`baton schedule list` lists the schedules";
const MAX_NAME_CHARS = 40;

/** Does the action; without one, lists the schedules. */
export const command: CliCommand = async (commandLine) => {
  const [verb = "list", word] = commandLine.positionals;
  const action = requireAction("schedule", ACTIONS, verb);
  if (verb === "list" && word !== undefined)
    throw new BatonError("invalid", `\`baton schedule list\` takes no "${toOneLine(word)}"; remove it`);
  // The positional arguments are not crews here.
  await action(commandLine, await configure({ ...commandLine, positionals: [] }, process.env), word);
  return EXIT_CODES.done;
};

async function add(commandLine: CommandLine, { config }: Configured, input: string | undefined): Promise<void> {
  const asked = toAsked(commandLine, input);
  const owner = toOwner(commandLine) ?? LOCAL;
  // An invalid schedule is refused before the database is opened.
  toScheduleDocument({ ...asked, name: asked.name ?? "unnamed" }, Date.now());
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const schedule = { ...asked, name: asked.name ?? (await toFreeName(database, owner, asked.input)) };
  const document = { ...toScheduleDocument(schedule, Date.now()), version: 0 };
  const kept = readSchedule(await database.documents(owner).put(SCHEDULES, document).catch(toTaken(schedule.name)));
  const place = describeStore(config);
  if (commandLine.flags.has("json")) printJson(toShown({ owner, name: kept.name, version: 0, schedule: kept }));
  else process.stdout.write(toPrintable(`${kept.name}\n`));
  say(`${kept.name} of ${toOwnerText(owner)} is stored in ${place}; next run: ${toZonedText(kept.nextAt, kept)}`);
  say(`a server on ${place} that serves the crew ${toOneLine(kept.crew)} starts its runs`);
  const isLocal = owner.tenant === LOCAL.tenant && owner.user === LOCAL.user;
  const hasKeys = (await database.keys.list()).some(({ revokedAt }) => revokedAt === undefined);
  if (isLocal && hasKeys)
    say("servers there need keys, and no key sees the runs of local; to see the runs, add --tenant and --user");
}

async function list(commandLine: CommandLine, { config }: Configured): Promise<void> {
  const schedules = hasDatabase(config) ? await readSchedules(config, toOwner(commandLine)) : [];
  if (commandLine.flags.has("json")) return printJson({ schedules: schedules.map(toShown) });
  const screen = new Screen(openOutput(process.stdout));
  if (schedules.length > 0) screen.draw(toScheduleLines(schedules, { now: Date.now(), width: screen.width }));
  else say(`no schedules in ${describeStore(config)}; add one with \`${EXAMPLE}\``);
}

async function readSchedules(
  config: Configured["config"],
  owner: Owner | undefined,
): Promise<readonly StoredSchedule[]> {
  await using database = await openDatabase(config, POSTGRES_SETTING);
  return (await findSchedules(database)).filter((kept) => owner === undefined || isOf(kept, owner));
}

async function remove(commandLine: CommandLine, { config }: Configured, name: string | undefined): Promise<void> {
  if (name === undefined) throw new BatonError("invalid", `name the schedule: baton schedule remove NAME; ${LIST}`);
  if (!hasDatabase(config)) throw new BatonError("not_found", `there are no schedules in ${describeStore(config)}`);
  const owner = toOwner(commandLine);
  await using database = await openDatabase(config, POSTGRES_SETTING);
  const all = (await findSchedules(database)).filter((kept) => owner === undefined || isOf(kept, owner));
  const { owner: whose, schedule } = findNamed(all, name, describeStore(config));
  const isRemoved = await database.documents(whose).delete(SCHEDULES, name);
  if (commandLine.flags.has("json")) printJson({ name, ...whose, removed: isRemoved });
  else process.stdout.write(toPrintable(isRemoved ? `removed ${name}\n` : `${name} was already removed\n`));
  if (schedule?.origin === "crew")
    say(`if crew.yaml of ${toOneLine(schedule.crew)} still has it, the next start of a server adds it again`);
}

function findNamed(schedules: readonly StoredSchedule[], name: string, place: string): StoredSchedule {
  const found = schedules.filter((kept) => kept.name === name);
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  if (only !== undefined) {
    const owners = found.map(({ owner }) => toOwnerText(owner)).join(", ");
    throw new BatonError("invalid", `${owners} each have a schedule ${name}; name the owner with --tenant and --user`);
  }
  const near = nearest(name, [...new Set(schedules.map((kept) => kept.name))]);
  const hint = near === undefined ? LIST : `did you mean ${near}? ${LIST}`;
  throw new BatonError("not_found", `there is no schedule "${toOneLine(name)}" in ${place}; ${hint}`);
}

type Asked = Omit<NewSchedule, "name"> & { readonly name?: string };

function toAsked(commandLine: CommandLine, input: string | undefined): Asked {
  const crew = valueOf(commandLine, "crew");
  const cron = valueOf(commandLine, "cron");
  if (crew === undefined) throw new BatonError("invalid", `--crew is missing: ${EXAMPLE}`);
  if (cron === undefined) throw new BatonError("invalid", `--cron is missing: ${EXAMPLE}`);
  if (input === undefined || input.trim() === "") throw new BatonError("invalid", `the input is missing: ${EXAMPLE}`);
  const timeZone = valueOf(commandLine, "time-zone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [session, name] = [valueOf(commandLine, "session"), valueOf(commandLine, "name")];
  return { crew, input, when: { cron, timeZone }, origin: "user", ...omitUndefined({ session, name }) };
}

/** The owner in `--tenant` and `--user`; undefined if both are missing. */
function toOwner(commandLine: CommandLine): Owner | undefined {
  const [tenant, user] = [valueOf(commandLine, "tenant"), valueOf(commandLine, "user")];
  if (tenant === undefined && user === undefined) return undefined;
  if (tenant !== undefined && user !== undefined) return { tenant, user };
  throw new BatonError("invalid", "--tenant and --user must be used together; `baton keys list` shows them");
}

/** A name made from the input that the owner does not use yet. */
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
    const fix = `choose another --name, or remove it first: baton schedule remove ${name}`;
    throw new BatonError("invalid", `the schedule ${name} already exists; ${fix}`, { cause: error });
  };
}

function isOf({ owner }: StoredSchedule, { tenant, user }: Owner): boolean {
  return owner.tenant === tenant && owner.user === user;
}

function toShown({ owner, name, schedule, problem }: StoredSchedule) {
  return schedule === undefined ? { name, ...owner, problem } : { ...schedule, ...owner };
}
