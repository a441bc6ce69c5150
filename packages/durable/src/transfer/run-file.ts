/**
 * Run file: one run as lines of JSON, to be kept, sent and imported elsewhere.
 *
 * The first line names the run, its crew's definition, its record, the number of its events and the hash of all other
 * lines; then comes one event a line, as the log has it. A file that was cut or changed is refused.
 */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { BatonError, type RunEvent } from "@baton/core";
import { omitUndefined, parseJson } from "@baton/core/util";
import { type FeedbackRecord, newRunId, type Owner, parseEvent, type RunRecord, type Store } from "@baton/store";
import { NO_COUNTS, ownerOf, readLines, runExistsError, runKey, toBatch } from "@baton/store/ports";
import { toCanonicalText } from "../engine/crew-record.ts";
import { findAnswer } from "../engine/fork-record.ts";
import { RunRecordBuilder } from "../log/run-record-builder.ts";

const FORMAT = "baton-run";
const VERSION = 1;
/** The largest file that is imported, and the text that is parsed in one turn of the event loop. */
const MAX_CHARS = 64 * 1_024 * 1_024;
const TURN_CHARS = 256 * 1_024;

type Database = Store["database"];

/** The lines of a run's file, each with its line break. */
export async function* exportRun(database: Database, record: RunRecord): AsyncGenerator<string, void> {
  const { id } = record;
  const length = await database.logs.length(id);
  const hash = createHash("sha256");
  for await (const line of readLog(database, id, length)) hash.update(line);
  const body = await database.definitions.find(record.definition);
  const feedback = (await database.feedback.list([id])).get(id);
  const header = {
    format: FORMAT,
    version: VERSION,
    run: id,
    crew: body === undefined ? null : parseJson(body),
    record: toExported(record, feedback),
    events: length,
    sha256: hash.digest("hex"),
  };
  yield `${JSON.stringify(header)}\n`;
  yield* readLog(database, id, length);
}

/** The record without its owner and without what only the store needs. */
function toExported(record: RunRecord, feedback: readonly FeedbackRecord[] | undefined): object {
  const { tenant: _tenant, user: _user, request: _request, matched: _matched, ...rest } = record;
  const judged = feedback?.map(({ user, rating, comment, at }) => ({
    user,
    rating,
    ...omitUndefined({ comment }),
    at,
  }));
  return { ...rest, ...omitUndefined({ feedback: judged }) };
}

async function* readLog(database: Database, run: string, length: number): AsyncGenerator<string, void> {
  for (let after = 0; after < length;) {
    const lines = (await readLines(database, run, after)).slice(0, length - after);
    after += lines.length;
    for (const line of lines) yield `${line}\n`;
  }
}

/** A file: its text in pieces of any length. */
export type RunFile = AsyncIterable<string> | Iterable<string>;

/**
 * Imports a run for an owner and gives its id: the one in the file if it is free, else a new one. It has ended or is
 * marked as interrupted; nothing continues it by itself. Throws `damaged` with the line if the file was cut or changed.
 */
export async function importRun(store: Store, file: RunFile, owner: Owner): Promise<string> {
  const { header, lines, events } = await readFile(file);
  const { database, lease, clock } = store;
  const isTaken = (await database.logs.length(header.run)) > 0 || (await findTaken(database, header.run));
  const id = isTaken ? newRunId(clock.now()) : header.run;
  const definition = await saveDefinition(database, header.crew);
  const record = toImported(events, { header, owner, id, definition });
  const own = isTaken ? events.map((event) => JSON.stringify({ ...event, run: id })) : lines;
  const answer = findAnswer(events);
  const claim = lease.next(runKey(id));
  const batch = toBatch(id, 1, own);
  const change = { claim, begins: true, ends: true, creates: true, run: record, batch, ...omitUndefined({ answer }) };
  const [lost] = await database.commit([change]);
  if (lost !== undefined) throw runExistsError(id);
  return id;
}

/** Whether there is a run with this id, damaged or not. */
async function findTaken(database: Database, id: string): Promise<boolean> {
  return (await database.runs.find(id).catch(() => true)) !== undefined;
}

async function saveDefinition(database: Database, crew: unknown): Promise<string> {
  const body = toCanonicalText(crew);
  const hash = createHash("sha256").update(body).digest("hex");
  await database.definitions.save(hash, body);
  return hash;
}

interface Header {
  readonly run: string;
  readonly crew: unknown;
  readonly crewName: string;
  readonly events: number;
  readonly sha256: string;
}

interface ReadFile {
  readonly header: Header;
  readonly lines: readonly string[];
  readonly events: readonly RunEvent[];
}

async function readFile(file: RunFile): Promise<ReadFile> {
  const lines: string[] = [];
  const events: RunEvent[] = [];
  const hash = createHash("sha256");
  let header: Header | undefined;
  let parsedChars = 0;
  for await (const line of splitLines(file)) {
    if (header === undefined) {
      header = parseHeader(line);
      continue;
    }
    if (events.length === header.events)
      throw damaged(lines.length + 2, "there are more lines than the first one says");
    events.push(parseLine(line, { header, number: lines.length + 2 }));
    lines.push(line);
    hash.update(`${line}\n`);
    parsedChars += line.length;
    if (parsedChars < TURN_CHARS) continue;
    parsedChars = 0;
    await nextTurn();
  }
  if (header === undefined) throw damaged(1, "the file is empty");
  if (events.length < header.events)
    throw damaged(lines.length + 2, `the file ends here, and ${header.events - events.length} events are missing`);
  if (hash.digest("hex") !== header.sha256)
    throw damaged(1, "its sha256 is not that of the other lines, so one was changed");
  return { header, lines, events };
}

/** The lines of a text that comes in pieces; the last one may have no line break. */
async function* splitLines(file: RunFile): AsyncGenerator<string, void> {
  let rest = "";
  let chars = 0;
  for await (const piece of file) {
    chars += piece.length;
    if (chars > MAX_CHARS) throw new BatonError("invalid", "the file of the run is larger than 64 MB");
    if (!piece.includes("\n")) {
      rest += piece;
      continue;
    }
    const [first = "", ...more] = piece.split("\n");
    yield rest + first;
    rest = more.pop() ?? "";
    yield* more;
  }
  if (rest !== "") yield rest;
}

function parseHeader(line: string): Header {
  const header = parseJson(line);
  if (!isFields(header)) throw damaged(1, "it is not a JSON object");
  const { format, version, run, crew, record, events, sha256 } = header;
  if (format !== FORMAT) throw damaged(1, `its format is not "${FORMAT}", so this is not the file of a run`);
  if (version !== VERSION)
    throw damaged(1, `its version is ${JSON.stringify(version)}; this Baton reads version ${VERSION}`);
  if (typeof run !== "string" || !ID.test(run)) throw damaged(1, "`run` is not the id of a run");
  if (typeof crew !== "object" || crew === null) throw damaged(1, "`crew` is not the definition of a crew");
  if (typeof events !== "number" || !Number.isSafeInteger(events) || events < 1)
    throw damaged(1, "`events` is not a number of events");
  if (typeof sha256 !== "string") throw damaged(1, "`sha256` is missing");
  const named = typeof record === "object" && record !== null && "crew" in record ? record["crew"] : undefined;
  if (typeof named !== "string") throw damaged(1, "`record` is not the record of a run");
  return { run, crew, crewName: named, events, sha256 };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ID = /^[a-zA-Z0-9_-]{1,128}$/;

function parseLine(line: string, { header, number }: { readonly header: Header; readonly number: number }): RunEvent {
  const seq = number - 1;
  let event: RunEvent;
  try {
    event = parseEvent(line);
  } catch (cause) {
    throw damaged(number, "it is not an event in JSON", cause);
  }
  if (event.seq !== seq) throw damaged(number, `event ${seq} is expected, and this is event ${event.seq}`);
  if (event.run !== header.run) throw damaged(number, "it is an event of another run");
  if (seq === 1 && event.type !== "run.started") throw damaged(number, "a run begins with run.started");
  return event;
}

interface Importing {
  readonly header: Header;
  readonly owner: Owner;
  readonly id: string;
  readonly definition: string;
}

function toImported(events: readonly RunEvent[], { header, owner, id, definition }: Importing): RunRecord {
  const [first] = events;
  if (first?.type !== "run.started") throw damaged(2, "a run begins with run.started");
  const { input, request: requestId, options } = first;
  const base: RunRecord = {
    id,
    ...ownerOf(owner),
    crew: header.crewName,
    definition,
    status: "queued",
    request: null,
    ...omitUndefined({ requestId, options }),
    input,
    ...NO_COUNTS,
    questions: [],
    createdAt: first.at,
    updatedAt: first.at,
  };
  const builder = new RunRecordBuilder(base, { isNew: true });
  for (const event of events) builder.add(event, event.lane, event.at);
  const { recoveries: _, runningSince: _since, ...record } = builder.record;
  return record.status === "ended" ? record : { ...record, status: "paused", outcome: "paused", interrupted: true };
}

function damaged(line: number, what: string, cause?: unknown): BatonError {
  return new BatonError("damaged", `line ${line} of the file: ${what}`, { cause });
}
