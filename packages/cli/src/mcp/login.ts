/**
 * `baton mcp login`: signs in to a server; prints the link, and waits 5 minutes for the browser.
 */
import { importNeeded } from "@baton/baton/optional";
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { toOneLine } from "../terminal/printable.ts";
import { openServers, printResult, requireNamed } from "./crew-servers.ts";

/** Signs in. */
export const command: CliCommand = async (commandLine) => {
  const { name, server } = await requireNamed(commandLine.positionals, "login");
  if (server.auth !== "oauth")
    throw new BatonError("invalid", `${name} has no \`auth: oauth\`, so nobody signs in to it`);
  const needed = { name: "@baton/mcp", needs: "`baton mcp login`" };
  const { LoopbackCallback, login } = await importNeeded(needed, () => import("@baton/mcp/login"));
  await using callback = await LoopbackCallback.open();
  await using servers = await openServers(commandLine, () => callback.url);
  const { host, caller } = servers;
  const show = (url: string) => process.stderr.write(`Open this page to sign in to ${name}:\n${url}\n`);
  try {
    await login({ host, name, server, caller, callback, show });
    printResult(commandLine, { name, status: "signed_in" }, `signed in to ${name}\n`);
    return EXIT_CODES.done;
  } catch (error) {
    process.stderr.write(`baton: ${toOneLine(toMessage(error))}\n`);
    return EXIT_CODES.failed;
  }
};
