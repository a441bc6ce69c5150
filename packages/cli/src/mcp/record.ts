/**
 * `baton mcp record`: writes the MCP calls of stored runs as a cassette, without their secrets. No server is needed.
 */
import { writeFile } from "node:fs/promises";
import { findSecrets } from "@baton/baton/secrets";
import { BatonError, type Json, type RunEvent } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { type CrewServers, toMcpToolName } from "@baton/crewfile/mcp";
import type { Database } from "@baton/store";
import { type CliCommand, valueOf } from "../command-line.ts";
import { isCrew } from "../crew/crew-path.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { folderOf, requireDatabase } from "../runs/data-folder.ts";
import { requireRun } from "../runs/run-search.ts";
import { countNoun } from "../view/number-text.ts";
import { printResult, requireServers } from "./crew-servers.ts";

type Call = Readonly<{ tool: string; args: Json; output?: Json; error?: { kind?: string; message: string } }>;

/** Records the runs that the words name; a word that is a crew is the crew. */
export const command: CliCommand = async (commandLine) => {
  const file = valueOf(commandLine, "to");
  if (file === undefined) throw new BatonError("invalid", "name the file: baton mcp record RUN… --to FILE");
  const { positionals } = commandLine;
  const crews = await Promise.all(positionals.map(isCrew));
  const runs = positionals.filter((_, index) => crews[index] !== true);
  if (runs.length === 0) throw new BatonError("invalid", "name a run: baton mcp record RUN… --to FILE");
  const crew = await requireServers(positionals[crews.indexOf(true)]);
  await using database = await requireDatabase(folderOf(commandLine));
  const names = toNames(crew);
  const calls = new Map(Array.from(crew.servers.keys(), (name): [string, Call[]] => [name, []]));
  for (const word of runs) {
    for (const { server, call } of await findCalls(database, word, names)) calls.get(server)?.push(call);
  }
  const servers = Array.from(calls, ([name, own]) => {
    const tools = Object.values(crew.lock?.servers[name]?.tools ?? {}).map(({ definition }) => definition);
    return [name, { tools, calls: own }] as const;
  });
  const cassette = { version: 1, servers: Object.fromEntries(servers) };
  await writeFile(file, `${hideSecrets(JSON.stringify(cassette, undefined, 2))}\n`);
  const count = servers.reduce((sum, [, { calls: own }]) => sum + own.length, 0);
  printResult(commandLine, { file, calls: count }, `${file}: ${countNoun(count, "call")}\n`);
  return EXIT_CODES.done;
};

type Named = ReadonlyMap<string, Readonly<{ server: string; tool: string }>>;

function toNames({ servers, lock }: CrewServers): Named {
  const all = [...servers.keys()].flatMap((server) =>
    Object.keys(lock?.servers[server]?.tools ?? {}).map(
      (tool) => [toMcpToolName(server, tool), { server, tool }] as const,
    ),
  );
  return new Map(all);
}

async function findCalls(database: Database, word: string, names: Named) {
  const { exportRun } = await import("@baton/durable");
  const record = await requireRun(database, word);
  const started = new Map<string, Json>();
  const found: { server: string; call: Call }[] = [];
  for await (const line of exportRun(database, record)) {
    const event = parseJson(line);
    if (isEvent(event, "call.started")) started.set(event.call, event.args);
    if (!isEvent(event, "call.ended")) continue;
    const named = names.get(event.tool);
    const args = started.get(event.call);
    if (named === undefined || args === undefined) continue;
    const { output = null, error } = event;
    const ended =
      error === undefined
        ? { output }
        : { error: { ...(error.kind === undefined ? {} : { kind: error.kind }), message: error.message } };
    found.push({ server: named.server, call: { tool: named.tool, args, ...ended } });
  }
  return found;
}

function isEvent<T extends RunEvent["type"]>(value: unknown, type: T): value is Extract<RunEvent, { type: T }> {
  return typeof value === "object" && value !== null && "type" in value && value.type === type;
}

function hideSecrets(text: string): string {
  const secrets = findSecrets(process.env, []).map((secret) => JSON.stringify(secret).slice(1, -1));
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "***"), text);
}
