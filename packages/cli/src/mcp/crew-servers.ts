/**
 * Crew servers: the MCP servers that a verb of `baton mcp` is about, and the way to ask them.
 */
import { writeFile, rename } from "node:fs/promises";
import { importNeeded } from "@baton/baton/optional";
import { BatonError } from "@baton/core";
import { nearest } from "@baton/core/util";
import { type CrewServers, type McpLock, type McpServer, readCrewServers } from "@baton/crewfile/mcp";
import { readEnvOf } from "@baton/crewfile/env-file";
import type { CommandLine } from "../command-line.ts";
import { findCrew } from "../crew/crew-path.ts";
import { folderOf } from "../runs/data-folder.ts";
import { isInteractive } from "../terminal/output.ts";
import { toOneLine } from "../terminal/printable.ts";
import { TerminalPrompt } from "../terminal/user-prompt.ts";
import { LazyDocuments } from "../tools/lazy-documents.ts";

/** Servers with their names. */
export type NamedServers = readonly (readonly [name: string, server: McpServer])[];

const NEEDED = { name: "@baton/mcp", needs: "`baton mcp`" };

/** Reads the servers of a crew; throws if something is wrong with them. */
export async function requireServers(path: string | undefined): Promise<CrewServers> {
  const found = await findCrew(path);
  await readEnvOf(found, process.env);
  const crew = await readCrewServers(found, process.env);
  const error = crew.findings.find(({ severity }) => severity === "error");
  if (error === undefined) return crew;
  throw new BatonError("invalid", `${error.file}:${error.line}:${error.column} ${error.message}; ${error.fix}`);
}

/** Reads the words `[NAME] [CREW]`: one word is a server of the crew in this folder, if it has one of that name. */
export async function chooseServers(words: readonly string[]): Promise<{ crew: CrewServers; chosen: NamedServers }> {
  const [first, second] = words;
  const here = second === undefined ? await requireServers(undefined).catch(() => undefined) : undefined;
  const isName = second !== undefined || (first !== undefined && here?.servers.has(first) === true);
  const name = isName ? first : undefined;
  const crew = await requireServers(isName ? second : first);
  if (name === undefined) return { crew, chosen: [...crew.servers] };
  return { crew, chosen: [[name, requireServer(crew, name)]] };
}

/** Reads the words `NAME [CREW]`. */
export async function requireNamed([name, path]: readonly string[], verb: string) {
  if (name === undefined) throw new BatonError("invalid", `name the server: baton mcp ${verb} NAME`);
  const crew = await requireServers(path);
  return { crew, name, server: requireServer(crew, name) };
}

function requireServer({ servers, file }: CrewServers, name: string): McpServer {
  const server = servers.get(name);
  if (server !== undefined) return server;
  const near = nearest(name, servers.keys());
  const known = servers.size === 0 ? "it has none" : `it has ${[...servers.keys()].join(", ")}`;
  const hint = near === undefined ? known : `did you mean ${near}?`;
  throw new BatonError("invalid", `${file} has no server "${toOneLine(name)}"; ${hint}`);
}

/** Opens connections for a command, and the tokens of its user. */
export async function openServers(commandLine: CommandLine, callbackUrl?: () => string) {
  const { McpHost, openSecretBox } = await importNeeded(NEEDED, () => import("@baton/mcp"));
  const lock = await import("@baton/mcp/lock");
  const data = folderOf(commandLine);
  const lazy = new LazyDocuments(data);
  const host = new McpHost({
    data,
    warn: (text) => process.stderr.write(`baton: ${toOneLine(text)}\n`),
    secrets: () => openSecretBox(data, process.env),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
  });
  const caller = { tenant: "local", user: "local", documents: lazy.documents };
  return {
    ...lock,
    host,
    caller,
    inspect: (name: string, server: McpServer) => lock.inspectServer({ host, name, server, caller }),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await lazy[Symbol.asyncDispose]();
    },
  };
}

/** Throws unless somebody can confirm, or need not. */
export function requireConsent({ flags }: CommandLine): void {
  if (flags.has("yes") || isInteractive()) return;
  throw new BatonError("invalid", "without a terminal nobody can confirm; add --yes");
}

/** Asks for confirmation, unless `--yes` is given. */
export async function isConfirmed({ flags }: CommandLine, question: string): Promise<boolean> {
  if (flags.has("yes")) return true;
  const said = await new TerminalPrompt().decision(`${question} (y/n) `, ["yes", "no"]);
  return said.kind === "text" && said.text === "yes";
}

/** Writes a file in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

/** A lock with these servers instead of those of the same names. */
export function withLocked(lock: McpLock | undefined, locked: McpLock["servers"]): McpLock {
  return { version: 1, servers: { ...lock?.servers, ...locked } };
}

/** Prints text, or JSON if that is asked for. */
export function printResult({ flags }: CommandLine, document: unknown, text: string): void {
  process.stdout.write(flags.has("json") ? `${JSON.stringify(document, undefined, 2)}\n` : text);
}
