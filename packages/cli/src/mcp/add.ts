/**
 * `baton mcp add`: connects to a server, shows its tools, and writes it into crew.yaml and the lock.
 *
 * The effects that the server proposes are shown and not applied: what the crew does not state asks for approval.
 */
import { BatonError, type Effect } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { findUrlProblem, type McpDefinition, type McpServer, toTarget } from "@baton/crewfile/mcp";
import { dirname, resolve } from "node:path";
import type { CliCommand, CommandLine } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toToolText, toVisible } from "./drift-text.ts";
import {
  isConfirmed,
  openServers,
  printResult,
  replaceFile,
  requireConsent,
  requireServers,
  withLocked,
} from "./crew-servers.ts";
import { addServerText } from "./server-text.ts";

/** The first start of a package takes longer than all others: it is fetched. */
const FIRST_START_MS = 60_000;
const NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Adds a server. */
export const command: CliCommand = async (commandLine) => {
  const { name, path, target } = parseWords(commandLine);
  requireConsent(commandLine);
  const crew = await requireServers(path);
  if (crew.servers.has(name)) throw new BatonError("invalid", `${crew.file} has a server "${name}" already`);
  const server: McpServer = { ...target, folder: resolve(dirname(crew.file)) };
  const text = addServerText(crew.text, name, target);
  const isJson = commandLine.flags.has("json");
  const write = (line: string) => isJson || process.stdout.write(line);
  write(`${name}: ${toVisible(toTarget(server))}\n`);
  await using servers = await openServers(commandLine);
  try {
    const inspected = await servers.inspect(name, { ...server, connectTimeoutMs: FIRST_START_MS });
    const tools = [...inspected.tools.values()];
    for (const tool of tools) write(toToolText(tool));
    write(`The server proposes these effects; copy those that you believe into crew.yaml:\n${toProposal(tools)}`);
    if (!(await isConfirmed(commandLine, `Write ${crew.file} and ${crew.lockFile}?`))) return EXIT_CODES.failed;
    const next = withLocked(crew.lock, { [name]: servers.toLockedServer(server, inspected) });
    await replaceFile(crew.lockFile, servers.toLockText(next));
    await replaceFile(crew.file, text);
    const proposed = Object.fromEntries(tools.map((tool) => [tool.name, toProposed(tool)]));
    const added = `${name} is added; agents list its tools as ${name}__*, or one by one\n`;
    printResult(commandLine, { name, target: toTarget(server), protocol: inspected.protocol, proposed }, added);
    return EXIT_CODES.done;
  } catch (error) {
    process.stderr.write(`baton: ${toOneLine(toMessage(error))}; nothing was written\n`);
    return EXIT_CODES.failed;
  }
};

type Added = Readonly<{ name: string; path: string | undefined; target: Pick<McpServer, "url" | "command"> }>;

function parseWords({ positionals, trailing = [] }: CommandLine): Added {
  const own = positionals.slice(0, positionals.length - trailing.length);
  const [name, ...words] = own;
  const usage = "write `baton mcp add NAME URL`, or `baton mcp add NAME -- COMMAND…`";
  if (name === undefined) throw new BatonError("invalid", `the name of the server is missing; ${usage}`);
  if (!NAME.test(name))
    throw new BatonError("invalid", `"${toOneLine(name)}" is not a name of a server: use small letters, digits and -`);
  if (trailing.length > 0) return { name, path: words[0], target: { command: trailing } };
  const [url, path] = words;
  if (url === undefined) throw new BatonError("invalid", `the URL is missing; ${usage}`);
  const problem = findUrlProblem(url);
  if (problem !== undefined) throw new BatonError("invalid", `"${toOneLine(url)}" ${problem}; ${usage}`);
  return { name, path, target: { url } };
}

function toProposal(tools: readonly McpDefinition[]): string {
  const lines = tools.map((tool) => {
    const name = /^[\w-]+$/.test(tool.name) ? tool.name : JSON.stringify(tool.name);
    return `      ${name}: ${toProposed(tool)}\n`;
  });
  return `    tools:\n${lines.join("")}`;
}

/** The effect that a server claims for its tool. */
function toProposed({ annotations = {} }: McpDefinition): Effect {
  if (annotations["readOnlyHint"] === true) return "read";
  return annotations["idempotentHint"] === true ? "idempotent" : "irreversible";
}
