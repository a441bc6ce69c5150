/**
 * Fake source: answers as a market-data service does, from answers that are kept in `fixtures/<source>.jsonl`.
 *
 * A line is one answer: its request is a path with its query, `*` stands for any value, `*=*` for any
 * further parameters, and the most exact line wins.
 * Time stands still on the day of the answers. A magic word in a request, such as ZZ500, makes every service misbehave
 * in the same way.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@baton/core/util";
import { z } from "zod";
import { toFaultReply } from "./fault-symbols.ts";
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";

/** Settings of a fake source. */
export interface FakeSourceOptions {
  /** Requests after which the answer is the service's own word for too many. */
  readonly allowed?: number;
  /** Answers that differ from those on file. */
  readonly answer?: (seen: Seen) => Reply | undefined;
  /** To which ZZREDIRHOST redirects. */
  readonly elsewhere?: string;
}

const Line = z.strictObject({
  request: z.string(),
  status: z.int().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Text as it is sent, or JSON. */
  body: z.unknown().optional(),
  /** The magic word whose fault is the answer. */
  fault: z.string().optional(),
  /** Of a line without a request: it answers if a header lacks a text, as in `["user-agent", "@"]`. */
  unless: z.tuple([z.string(), z.string()]).optional(),
});
type Line = z.infer<typeof Line>;

/** The word for the answer to one request too many. */
const LIMIT = "too many";
const WORD = /ZZ[A-Z0-9]+?(?=USD|\b)/;
const PREFIXES: ReadonlyMap<string, string> = new Map([["fmp", "/stable"]]);

/** A line whose answer is read once it is asked for: some are long. */
type Kept = Readonly<{ request: string; read: () => Line }>;

function readLines(source: string): readonly Kept[] {
  const text = readFileSync(join(import.meta.dirname, "fixtures", `${source}.jsonl`), "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [, request = '""'] = /^\{"request":("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    return { request: z.string().parse(parseJson(request)), read: () => Line.parse(parseJson(line)) };
  });
}

/** The kept answer to a request, as text. */
export function readAnswer(source: string, request: string): string {
  const line = readLines(source).find((each) => each.request === request);
  if (line === undefined) throw new Error(`${source} has no answer to ${request}`);
  return toReply(line.read()).body.toString();
}

/** Starts a service: `await using kraken = await startFake("kraken")`. */
export function startFake(source: string, options: FakeSourceOptions = {}): Promise<FakeServer> {
  const lines = readLines(source);
  const { allowed = Infinity, answer, elsewhere } = options;
  let asked = 0;
  const reply = (seen: Seen): Reply => {
    const own = answer?.(seen);
    if (own !== undefined) return own;
    const isOver = ++asked > allowed;
    const line = (isOver ? lines.find(({ request }) => request === LIMIT) : findLine(lines, seen))?.read();
    const word = line?.fault ?? (line === undefined || isLoose(line) ? WORD.exec(toText(seen))?.[0] : undefined);
    const fault = word === undefined ? undefined : toFaultReply(word, elsewhere);
    return fault ?? toConditional(seen, line === undefined ? { status: 404, body: "{}" } : toReply(line));
  };
  return FakeServer.start(reply, PREFIXES.get(source));
}

const isLoose = ({ request }: Line): boolean => request.includes("*");

const toText = ({ path, query, body }: Seen): string => `${path} ${[...query.values()].join(" ")} ${body}`;

/** The first line that a header asks for, else the one with the fewest wildcards. */
function findLine(lines: readonly Kept[], seen: Seen): Kept | undefined {
  const refused = lines.filter(({ request }) => request === "").find((line) => lacks(seen, line.read()));
  if (refused !== undefined) return refused;
  const stars = ({ request }: Kept) => request.split("*").length;
  return lines.filter((line) => matches(line, seen)).toSorted((one, other) => stars(one) - stars(other))[0];
}

const lacks = ({ headers }: Seen, { unless: [name, text] = ["", ""] }: Line): boolean =>
  !(headers[name] ?? "").includes(text);

function matches({ request }: Kept, seen: Seen): boolean {
  if (request === "*") return true;
  const [path = "", search] = request.split("?");
  if (!isLike(path, decodeURIComponent(seen.path))) return false;
  const given = new Map([...seen.query, ...bodyOf(seen)]);
  const expected = [...new URLSearchParams(search)];
  const named = expected.filter(([name]) => name !== "*");
  const isWhole = given.size === named.length || named.length < expected.length;
  return isWhole && named.every(([name, value]) => isLike(value, given.get(name)));
}

function isLike(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const [start = "", end] = pattern.split("*");
  return end === undefined ? text === start : text.startsWith(start) && text.endsWith(end);
}

/** The fields of a JSON body as text, as if they were a query. */
function bodyOf({ body }: Seen): readonly (readonly [string, string])[] {
  const fields = Object.entries(z.record(z.string(), z.unknown()).safeParse(parseJson(body)).data ?? {});
  return fields.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

function toReply({ status = 200, headers = {}, body = "" }: Line): Reply {
  return { status, headers, body: typeof body === "string" ? body : JSON.stringify(body) };
}

/** A known version is answered with 304 and no body. */
function toConditional(seen: Seen, reply: Reply): Reply {
  if ((reply.status ?? 200) !== 200) return reply;
  const etag = `"${reply.body.length}-${seen.path}"`;
  if (seen.headers["if-none-match"] === etag) return { status: 304, body: "" };
  return { ...reply, headers: { ...reply.headers, etag } };
}
