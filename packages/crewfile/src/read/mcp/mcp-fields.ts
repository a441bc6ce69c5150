/**
 * MCP fields: `mcp` of crew.yaml as servers, with everything wrong at its place.
 */
import { basename } from "node:path";
import type { Effect } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { Fields } from "../fields/fields.ts";
import { type Cursor, readChoice, readText, report, reportKey } from "../yaml/cursor.ts";
import type { Variables } from "../env-file.ts";
import type { McpAuth, McpOAuth, McpServer } from "./mcp-server.ts";

/** A server as it was read, and its entry in crew.yaml. */
export interface ServerEntry {
  readonly cursor: Cursor;
  readonly server: McpServer;
  /** The fields of `tools`, by their names. */
  readonly tools: ReadonlyMap<string, Cursor>;
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** The effects that a tool of another system may be given. */
export const EFFECTS: readonly Effect[] = ["read", "idempotent", "irreversible"];
const AUTHS: readonly McpAuth[] = ["none", "oauth", "bearer"];
const RUNNERS: readonly string[] = ["npx", "uvx"];
const SECOND_MS = 1_000;
const KB = 1_024;

/** Reads the servers of a crew, which run in its folder. */
export function readServers(
  entries: ReadonlyMap<string, Cursor>,
  folder: string,
  env: Variables,
): ReadonlyMap<string, ServerEntry> {
  const servers = new Map<string, ServerEntry>();
  const seen = new Map<string, string>();
  for (const [name, cursor] of entries) {
    checkName(cursor, name, seen);
    seen.set(name.toLowerCase(), name);
    servers.set(name, readServer(cursor, folder, env));
  }
  return servers;
}

/** Reports a name that is not valid, or that differs from another only in case. */
export function checkName(cursor: Cursor, name: string, seen: ReadonlyMap<string, string>): void {
  const same = seen.get(name.toLowerCase());
  if (same !== undefined) {
    const message = `the servers \`${same.slice(0, 40)}\` and \`${name.slice(0, 40)}\` differ only in case`;
    reportKey(cursor, { code: "name_collision", message, fix: "rename one of them" });
  }
  if (NAME.test(name)) return;
  const message = `\`${name.slice(0, 60)}\` is not a valid name of a server`;
  const fix = "use small letters, digits and -, at most 32, beginning with a letter";
  reportKey(cursor, { code: "invalid_server", message, fix });
}

function readServer(cursor: Cursor, folder: string, env: Variables): ServerEntry {
  const fields = new Fields(cursor);
  const url = readUrl(fields.get("url"));
  const command = readCommand(fields.get("command"));
  checkTarget(fields);
  const tools = fields.get("tools") === undefined ? undefined : fields.entries("tools");
  const auth = fields.choice("auth", AUTHS);
  const token = readSecret(fields.get("token"), env);
  const oauth = readOAuth(fields.fields("oauth"), env);
  checkAuth(fields, auth ?? "none");
  const server: McpServer = {
    folder,
    ...omitUndefined({
      url,
      command,
      auth,
      token,
      oauth,
      env: readVariables(fields, "env", env),
      headers: readVariables(fields, "headers", env),
      tools: tools && readEffects(tools),
      connectTimeoutMs: readAmount(fields, "connect_timeout_seconds", SECOND_MS),
      timeoutMs: readAmount(fields, "timeout_seconds", SECOND_MS),
      taskTimeoutMs: readAmount(fields, "task_timeout_seconds", SECOND_MS),
      maxResultBytes: readAmount(fields, "max_result_kb", KB),
      maxParallelCalls: readAmount(fields, "max_parallel_calls", 1),
    }),
  };
  fields.end();
  return { cursor, server, tools: tools ?? new Map() };
}

function invalid(cursor: Cursor, message: string, fix: string): undefined {
  report(cursor, { code: "invalid_server", message, fix });
}

function checkTarget(fields: Fields): void {
  const both = fields.get("url") !== undefined && fields.get("command") !== undefined;
  const none = fields.get("url") === undefined && fields.get("command") === undefined;
  if (both) invalid(fields.cursor, "a server has a `url` or a `command`, not both", "remove one of them");
  if (none && fields.cursor.value.kind === "map")
    invalid(fields.cursor, "the server has no `url` and no `command`", "add one of them");
}

/** An address: `https:`, or `http:` on this machine. */
export function readUrl(cursor: Cursor | undefined): string | undefined {
  const text = cursor && readText(cursor);
  if (cursor === undefined || text === undefined) return undefined;
  const problem = findUrlProblem(text);
  return problem === undefined
    ? text
    : invalid(cursor, `\`url\` ${problem}`, "write a URL such as https://api.example.com/mcp");
}

/** The reason why a text is not the address of a server; undefined if it is one. */
export function findUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "is not a URL";
  if (url.username !== "" || url.password !== "")
    return "has a user or a password, which belong into `headers` or `token`, as ${NAME}";
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return isSafe ? undefined : "must be https:, or http: on this machine";
}

/** Whether a host is this machine. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function readCommand(cursor: Cursor | undefined): readonly string[] | undefined {
  if (cursor === undefined) return undefined;
  const fix = 'write a list such as [npx, -y, "server@1.2.3"]; there is no shell';
  if (cursor.value.kind !== "list") return invalid(cursor, "`command` must be a list", fix);
  const words = cursor.value.items.map((item) =>
    item.kind === "scalar" && item.value !== null ? item.text : undefined,
  );
  const known = words.filter((word) => word !== undefined);
  if (known.length < words.length || (known[0] ?? "").trim() === "")
    return invalid(cursor, "`command` must be a list of texts, the program first", fix);
  checkPinned(cursor, known);
  return known;
}

/** Warns of a program that is another one tomorrow. */
function checkPinned(cursor: Cursor, [program = "", ...words]: readonly string[]): void {
  const runner = basename(program).replace(/\.(cmd|exe)$/, "");
  if (!RUNNERS.includes(runner)) return;
  const flag = words.findIndex((word) => ["-p", "--package", "--from"].includes(word));
  const joined = words.find((word) => /^--(package|from)=/.test(word));
  const named = joined?.slice(joined.indexOf("=") + 1) ?? (flag === -1 ? undefined : words[flag + 1]);
  const name = named ?? words.find((word) => !word.startsWith("-")) ?? "";
  const at = Math.max(name.lastIndexOf("@"), name.lastIndexOf("="));
  const version = at > 0 ? name.slice(at + 1) : "";
  if (name === "" || (version !== "" && version !== "latest")) return;
  const message = `\`${runner}\` starts whatever version of \`${name.slice(0, 80)}\` is the newest then`;
  const fix =
    runner === "npx" ? `write \`${name}@1.2.3\`, with the version` : `write \`${name}==1.2.3\`, with the version`;
  report(cursor, { code: "unpinned_command", severity: "warning", message, fix });
}

function checkAuth(fields: Fields, auth: McpAuth): void {
  const { cursor } = fields;
  const token = fields.get("token");
  const oauth = fields.get("oauth");
  if (auth === "bearer" && token === undefined)
    invalid(fields.get("auth") ?? cursor, "`auth: bearer` needs a `token`", "add `token: ${NAME}`");
  if (auth !== "bearer" && token !== undefined)
    invalid(token, "`token` is only for `auth: bearer`", "add `auth: bearer`, or remove it");
  if (auth !== "oauth" && oauth !== undefined)
    invalid(oauth, "`oauth` is only for `auth: oauth`", "add `auth: oauth`, or remove it");
  if (auth !== "none" && fields.get("command") !== undefined)
    invalid(fields.get("auth") ?? cursor, "a `command` has no `auth`", "give it what it needs by `env`");
}

function readOAuth(fields: Fields | undefined, env: Variables): McpOAuth | undefined {
  if (fields === undefined) return undefined;
  const oauth = omitUndefined({
    clientId: readVariable(fields.get("client_id"), env),
    clientSecret: readVariable(fields.get("client_secret"), env),
    clientMetadataUrl: fields.text("client_metadata_url"),
    scopes: fields.texts("scopes"),
  });
  fields.end();
  return oauth;
}

function readEffects(tools: ReadonlyMap<string, Cursor>): Readonly<Record<string, Effect>> {
  const effects = Array.from(tools, ([name, cursor]) => [name, readChoice(cursor, EFFECTS)] as const);
  return Object.fromEntries(effects.flatMap(([name, effect]) => (effect === undefined ? [] : [[name, effect]])));
}

function readAmount(fields: Fields, name: string, unit: number): number | undefined {
  const cursor = fields.get(name);
  const amount = fields.number(name);
  if (cursor === undefined || amount === undefined) return undefined;
  const value = amount * unit;
  if (value >= 1 && Number.isSafeInteger(Math.round(value))) return Math.round(value);
  return invalid(cursor, `\`${name}\` must be above 0`, "write a number above 0, or remove it");
}

/** A token is written as a variable, so that the file can be committed. */
export function readSecret(cursor: Cursor | undefined, env: Variables): string | undefined {
  const text = cursor && readText(cursor);
  if (cursor === undefined || text === undefined) return undefined;
  if (!VARIABLE.test(text))
    invalid(cursor, "`token` must not stand in the file", "write ${NAME}, and set that variable");
  VARIABLE.lastIndex = 0;
  return readVariable(cursor, env);
}

function readVariables(fields: Fields, name: string, env: Variables): Record<string, string> | undefined {
  if (fields.get(name) === undefined) return undefined;
  const values = Array.from(fields.entries(name), ([key, cursor]) => [key, readVariable(cursor, env) ?? ""] as const);
  return Object.fromEntries(values);
}

/** Text with each `${NAME}` replaced by the variable. */
function readVariable(cursor: Cursor | undefined, env: Variables): string | undefined {
  const text = cursor && readText(cursor);
  if (cursor === undefined || text === undefined) return undefined;
  return text.replaceAll(VARIABLE, (_, name: string) => {
    const value = env[name];
    if (value === undefined || value === "") {
      const fix = `set ${name} in the environment, or in .env`;
      report(cursor, { code: "unset_variable", message: `the variable ${name} is not set`, fix });
    }
    return value ?? "";
  });
}
