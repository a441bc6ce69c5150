/**
 * `baton mcp check`: compares servers with the lock; the exit code is 0 if all are as they were.
 */
import { toMessage } from "@baton/core/util";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toDriftText } from "./drift-text.ts";
import { chooseServers, openServers, printResult } from "./crew-servers.ts";

/** Checks the servers. */
export const command: CliCommand = async (commandLine) => {
  const { crew, chosen } = await chooseServers(commandLine.positionals);
  await using servers = await openServers(commandLine);
  const checked = await Promise.all(
    chosen.map(async ([name, server]) => {
      try {
        const { tools } = await servers.inspect(name, server);
        const drift = servers.findDrift(crew.lock?.servers[name]?.tools, tools);
        return { name, status: drift.length === 0 ? "ok" : "drift", drift } as const;
      } catch (error) {
        return { name, status: "unavailable", reason: toMessage(error), drift: [] } as const;
      }
    }),
  );
  const text = checked.map((one) => {
    const reason = "reason" in one ? `: ${toOneLine(one.reason)}` : "";
    return `${one.name} ${one.status}${reason}\n${toDriftText(one.drift)}`;
  });
  printResult(commandLine, { servers: checked }, text.join(""));
  return checked.every(({ status }) => status === "ok") ? EXIT_CODES.done : EXIT_CODES.failed;
};
