/**
 * Cassette: calls of MCP tools with their results, in a file, so that a crew runs without its servers.
 */
import { BatonError } from "@baton/core";
import { parseJson } from "@baton/core/util";
import { z } from "zod";

const CALL = z.object({
  tool: z.string(),
  args: z.json(),
  output: z.json().optional(),
  error: z.object({ kind: z.string().optional(), message: z.string() }).optional(),
});
const CASSETTE = z.object({
  version: z.literal(1),
  servers: z.record(
    z.string(),
    z.object({ tools: z.array(z.looseObject({ name: z.string() })), calls: z.array(CALL) }),
  ),
});

/** A recorded call: its output, or why it failed. */
export type RecordedMcpCall = z.output<typeof CALL>;
/** The content of a cassette. */
export type Cassette = z.output<typeof CASSETTE>;

const MAX_CHARS = 64 * 1_024 * 1_024;

/** Reads a cassette; throws `invalid` and says what is wrong with it. */
export function parseCassette(text: string, file: string): Cassette {
  if (text.length > MAX_CHARS) throw new BatonError("invalid", `${file} is larger than 64 MB`);
  const value = parseJson(text);
  if (value === undefined) throw new BatonError("invalid", `${file} is not JSON`);
  const parsed = CASSETTE.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BatonError("invalid", `${file} is not a cassette: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
}
