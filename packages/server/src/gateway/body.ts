/**
 * Body: reads the JSON of a request, and refuses what is not exactly that before anything looks at it.
 *
 * No more than the limit is ever held. A compressed body is refused (415): no client of ours needs one, and what is
 * never unpacked cannot be a bomb. Each way to fail has its own code; what a schema finds is listed field by field,
 * and fields it does not know are left out.
 */
import type { z } from "zod";
import { askForBody, type GatewayContext } from "./gateway-env.ts";
import { findFault } from "./json-fault.ts";
import { scanJson } from "./json-scan.ts";
import { invalid, Problem, toField } from "./problem.ts";
import { say, toFieldProblems } from "./wording.ts";

/** How a body is read. */
export interface BodyOptions {
  readonly maxBytes: number;
}

/** Reads and checks the body of a request. Throws a `Problem`. */
export async function readJson<Schema extends z.ZodType>(
  c: GatewayContext,
  schema: Schema,
  { maxBytes }: BodyOptions,
): Promise<z.output<Schema>> {
  checkType(c.req.header("content-type"));
  checkEncoding("Content-Encoding", c.req.header("content-encoding"));
  checkEncoding("Transfer-Encoding", c.req.header("transfer-encoding"));
  const length = Number(c.req.header("content-length") ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  askForBody(c);
  // The rest of a body that is given up stays unread: the adapter drains it or closes the connection.
  const chunks = c.env.incoming.iterator({ destroyOnReturn: false });
  const bytes = await readBytes(chunks, maxBytes);
  return parse(schema, parseBody(bytes));
}

/** The value as the schema wants it. Throws a `Problem` that lists all that is wrong, in the field it came in. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, field = ""): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: say });
  if (parsed.success) return parsed.data;
  throw invalid(toFieldProblems(parsed.error, field));
}

function checkType(header: string | undefined): void {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((part) => part === "charset=utf-8" || part === 'charset="utf-8"');
  if (type === "application/json" && isUtf8) return;
  const seen = header?.trim() ? `is ${toField([header])}, but must be` : "is missing: it must be";
  throw new Problem(
    "unsupported_media_type",
    "The body is not read: send JSON in UTF-8 with the header `Content-Type: application/json`.",
    {
      problems: [{ field: "Content-Type", message: `${seen} application/json` }],
      headers: { Accept: "application/json" },
    },
  );
}

/** In a longer text the place of a fault is not looked for: that would take longer than all else. */
const MAX_SEARCHED_CHARS = 1_048_576;

const PLAIN: readonly string[] = ["identity", "chunked"];

function checkEncoding(field: "Content-Encoding" | "Transfer-Encoding", value = "identity"): void {
  if (PLAIN.includes(value.trim().toLowerCase())) return;
  throw new Problem("unsupported_encoding", "The body is not read: send it uncompressed.", {
    problems: [{ field, message: "must be left out" }],
    headers: { "Accept-Encoding": "identity" },
  });
}

async function readBytes(chunks: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("a body is bytes");
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      read.push(chunk);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("incomplete_body", "The body ended before it was complete.", { cause: error });
  }
  return Buffer.concat(read, length);
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Problem("invalid_json", "The body is empty: send JSON.");
  const text = decode(bytes);
  const problems = scanJson(text);
  if (problems.length > 0) throw invalid(problems);
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = text.length > MAX_SEARCHED_CHARS ? "" : `: see character ${findFault(text)}`;
    throw new Problem("invalid_json", `The body is not JSON${place}.`, { cause: error });
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Problem("invalid_utf8", "The body is not well-formed UTF-8.", { cause: error });
  }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem("too_large", `The body is larger than ${maxBytes.toLocaleString("en-US")} bytes: send less.`);
}
