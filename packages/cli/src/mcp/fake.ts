/**
 * `baton mcp fake`: a server over standard input and output that answers from a cassette.
 */
import { readFile } from "node:fs/promises";
import { importNeeded } from "@baton/baton/optional";
import { BatonError } from "@baton/core";
import type { CliCommand } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";

/** Serves until the input ends. */
export const command: CliCommand = async ({ positionals: [file, name] }) => {
  if (file === undefined) throw new BatonError("invalid", "name the cassette: baton mcp fake FILE [NAME]");
  const needed = { name: "@baton/mcp", needs: "`baton mcp fake`" };
  const { parseCassette } = await importNeeded(needed, () => import("@baton/mcp"));
  const { serveFake } = await import("@baton/mcp/fake");
  const text = await readFile(file, "utf8").catch(() => {
    throw new BatonError("invalid", `${file} cannot be read`);
  });
  const cassette = parseCassette(text, file);
  const names = Object.keys(cassette.servers);
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined || !names.includes(chosen))
    throw new BatonError("invalid", `name a server of the cassette: ${names.join(", ")}`);
  await serveFake(cassette, chosen);
  return EXIT_CODES.done;
};
