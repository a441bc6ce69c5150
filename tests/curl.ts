/**
 * Curl: a `curl` command of the documentation, run as a reader would run it: by curl in a shell; or, on a machine
 * without it, by what its options mean, as far as the documentation uses them.
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const TIMEOUT_MS = 60_000;

/** What a command got. */
export interface CurlAnswer {
  /** `HTTP/1.1 200 OK` */
  readonly statusLine: string;
  readonly headers: Headers;
  readonly body: string;
  /** Whether status and headers were printed too. */
  readonly isHeadShown: boolean;
}

/** What `$NAME` stands for in a command. */
export type Variables = Readonly<Record<string, string>>;

/** Runs a command. */
export type Curl = (command: string, variables: Variables) => Promise<CurlAnswer>;

/** Whether this machine has curl. */
export function hasCurl(): boolean {
  return spawnSync("curl", ["--version"]).status === 0;
}

/** Runs a command in a shell. */
export const shellCurl: Curl = async (command, variables) => {
  const folder = await mkdtemp(join(tmpdir(), "baton-curl-"));
  try {
    const head = join(folder, "head");
    const env = { PATH: process.env["PATH"], HOME: folder, HEAD: head, ...variables };
    const options = { env, timeout: TIMEOUT_MS };
    const { stdout } = await promisify(execFile)("sh", ["-c", `${command.trimEnd()} -D "$HEAD"`], options);
    const [statusLine = "", ...fields] = (await readFile(head, "utf8")).trimEnd().split("\r\n");
    const isHeadShown = stdout.startsWith(statusLine);
    const body = isHeadShown ? stdout.slice(stdout.indexOf("\r\n\r\n") + 4) : stdout;
    return { statusLine: statusLine.trimEnd(), headers: toHeaders(fields), body, isHeadShown };
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Does what a command means. */
export const fetchCurl: Curl = async (command, variables) => {
  const { url, method, fields, data, isHeadShown } = parseCommand(toWords(command, variables));
  const response = await fetch(`http://${url}`, {
    method: method ?? (data === undefined ? "GET" : "POST"),
    headers: toHeaders(fields),
    ...(data === undefined ? {} : { body: data }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status, statusText, headers } = response;
  return { statusLine: `HTTP/1.1 ${status} ${statusText}`, headers, body: await response.text(), isHeadShown };
};

interface Parsed {
  readonly url: string;
  readonly method: string | undefined;
  readonly fields: readonly string[];
  readonly data: string | undefined;
  readonly isHeadShown: boolean;
}

/** Options without a value that change nothing here but what is printed: `-s`, `-N`, `-i`. */
const PLAIN = /^-[sNi]+$/;

function parseCommand([curl, ...words]: readonly string[]): Parsed {
  const values = new Map<string, string[]>([
    ["-X", []],
    ["-H", []],
    ["-d", []],
    ["", []],
  ]);
  const plain: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (PLAIN.test(word)) plain.push(word);
    else if (word.startsWith("-")) optionOf(values, word).push(words[++index] ?? "");
    else optionOf(values, "").push(word);
  }
  const [url, ...more] = optionOf(values, "");
  if (curl !== "curl" || url === undefined || more.length > 0) throw new Error("a command is curl with one address");
  return {
    url,
    method: optionOf(values, "-X")[0],
    fields: optionOf(values, "-H"),
    data: optionOf(values, "-d")[0],
    isHeadShown: plain.some((word) => word.includes("i")),
  };
}

function optionOf(values: ReadonlyMap<string, string[]>, option: string): string[] {
  const found = values.get(option);
  if (found === undefined) throw new Error(`what does ${option} mean? Teach tests/curl.ts, or leave it out`);
  return found;
}

/** A piece of a command: in single quotes, in double quotes, a line that goes on, white space, or bare. */
const PIECE = /'([^']*)'|"([^"]*)"|(\\\n)|(\s+)|([^\s'"\\]+)/gy;

/** The words of a command, as a shell makes them. */
function toWords(command: string, variables: Variables): readonly string[] {
  const fill = (text: string) => text.replaceAll(/\$([A-Z]+)/g, (_, name: string) => variables[name] ?? "");
  const words: string[] = [];
  let isOpen = false;
  for (const [, literal, quoted, goesOn, space, bare] of command.trim().matchAll(PIECE)) {
    if (goesOn !== undefined || space !== undefined) {
      isOpen = false;
      continue;
    }
    const text = literal ?? fill(quoted ?? bare ?? "");
    words.push(isOpen ? `${words.pop()}${text}` : text);
    isOpen = true;
  }
  return words;
}

function toHeaders(fields: readonly string[]): Headers {
  const pairs = fields.map((field): [string, string] => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon), field.slice(colon + 1).trim()];
  });
  return new Headers(pairs);
}
