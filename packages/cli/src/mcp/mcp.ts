/**
 * `baton mcp`: servers of a crew, and crews as a server, by the Model Context Protocol.
 */
import { BatonError } from "@baton/core";
import { nearest } from "@baton/core/util";
import type { CliCommand } from "../command-line.ts";
import { toOneLine } from "../terminal/printable.ts";

const VERBS: ReadonlyMap<string, () => Promise<{ readonly command: CliCommand }>> = new Map([
  ["add", () => import("./add.ts")],
  ["list", () => import("./list.ts")],
  ["check", () => import("./check.ts")],
  ["update", () => import("./update.ts")],
  ["login", () => import("./login.ts")],
  ["logout", () => import("./logout.ts")],
  ["record", () => import("./record.ts")],
  ["fake", () => import("./fake.ts")],
  ["serve", () => import("./serve-crews.ts")],
]);

/** Runs the verb that the first argument names, with the other arguments. */
export const command: CliCommand = async ({ flags, positionals: [verb, ...positionals], trailing = [] }) => {
  const load = VERBS.get(verb ?? "");
  if (load !== undefined) return (await load()).command({ flags, positionals, trailing });
  const near = nearest(verb ?? "", VERBS.keys());
  const known = near === undefined ? `it has ${[...VERBS.keys()].join(", ")}` : `did you mean \`baton mcp ${near}\`?`;
  const problem = verb === undefined ? "`baton mcp` needs a verb" : `there is no \`baton mcp ${toOneLine(verb)}\``;
  throw new BatonError("invalid", `${problem}; ${known}`);
};
