/**
 * Argument kit: what the arguments of calls are compared with: canonical symbols, and the defaults of the tools.
 */
import type { Json, Tool } from "@baton/core";
import { z } from "zod";
import type { Directory } from "../market/port/listing.ts";
import type { ArgumentKit } from "./match-calls.ts";

const SCHEMA = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ default: z.json().optional() })).default({}),
});

/** The kit of these tools. */
export function toArgumentKit(tools: readonly Tool[], directory: Directory, today: string): ArgumentKit {
  const defaults = new Map(tools.map(({ name, inputSchema }) => [name, defaultsIn(inputSchema)]));
  return {
    canonical: (symbol, tool) => toCanonical(symbol, directory, tool.startsWith("getCrypto") ? "crypto" : "any"),
    defaultsOf: (tool) => defaults.get(tool) ?? new Map(),
    today,
  };
}

function defaultsIn(inputSchema: Json): ReadonlyMap<string, Json> {
  const { properties = {} } = SCHEMA.safeParse(inputSchema).data ?? {};
  return new Map(
    Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A coin's ticker means the coin to tools about coins. */
function toCanonical(symbol: string, directory: Directory, type: "crypto" | "any"): string {
  const exact = directory.get(symbol);
  if (exact !== undefined) return exact.symbol;
  const found = directory.resolve(symbol, { type });
  return found.kind === "one" && found.by !== "typo" ? found.listing.symbol : symbol;
}
