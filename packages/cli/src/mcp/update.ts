/**
 * `baton mcp update`: shows how servers differ from the lock, and writes the lock.
 */
import { toMessage } from "@baton/core/util";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toDriftText } from "./drift-text.ts";
import {
  chooseServers,
  isConfirmed,
  openServers,
  printResult,
  replaceFile,
  requireConsent,
  withLocked,
} from "./crew-servers.ts";

/** Updates the lock; if a server fails, nothing is written. */
export const command: CliCommand = async (commandLine) => {
  requireConsent(commandLine);
  const { crew, chosen } = await chooseServers(commandLine.positionals);
  await using servers = await openServers(commandLine);
  try {
    const asked = await Promise.all(
      chosen.map(async ([name, server]) => ({ name, server, inspected: await servers.inspect(name, server) })),
    );
    const locked = asked.map(
      ({ name, server, inspected }) => [name, servers.toLockedServer(server, inspected)] as const,
    );
    const isWhole = chosen.length === crew.servers.size;
    const next = withLocked(isWhole ? undefined : crew.lock, Object.fromEntries(locked));
    const changes = asked.map(({ name, inspected }) => ({
      name,
      drift: servers.findDrift(crew.lock?.servers[name]?.tools, inspected.tools),
    }));
    const text = changes.map(
      ({ name, drift }) => `${name}${drift.length === 0 ? " is as it was" : ""}\n${toDriftText(drift)}`,
    );
    printResult(commandLine, { servers: changes }, text.join(""));
    if (!(await isConfirmed(commandLine, `Write ${crew.lockFile}?`))) return EXIT_CODES.failed;
    await replaceFile(crew.lockFile, servers.toLockText(next));
    return EXIT_CODES.done;
  } catch (error) {
    process.stderr.write(`baton: ${toOneLine(toMessage(error))}; the lock is unchanged\n`);
    return EXIT_CODES.failed;
  }
};
