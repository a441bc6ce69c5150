/**
 * `baton mcp logout`: forgets the tokens of a server.
 */
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { openServers, printResult, requireNamed } from "./crew-servers.ts";

/** Forgets the sign-in. */
export const command: CliCommand = async (commandLine) => {
  const { name, server } = await requireNamed(commandLine.positionals, "logout");
  await using servers = await openServers(commandLine);
  const { signIn } = await servers.host.linkOf(name, server, servers.caller);
  const wasSignedIn = (await signIn?.options.store.remove()) ?? false;
  const text = wasSignedIn ? `signed out of ${name}\n` : `nobody was signed in to ${name}\n`;
  printResult(commandLine, { name, status: "signed_out", was_signed_in: wasSignedIn }, text);
  return EXIT_CODES.done;
};
