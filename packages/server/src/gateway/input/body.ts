/**
 * Body: reads the JSON of a request, and refuses what is not exactly that before anything looks at it.
 *
 * No more than the limit is ever held. A compressed body is refused (415): no client of ours needs one, and what is
 * never unpacked cannot be a bomb. Each way to fail has its own code; what a schema finds is listed field by field,
 * and fields it does not know are left out.
 */
import type { Readable } from "node:stream";
import type { z } from "zod";
import { askForBody, type GatewayContext } from "../gateway-env.ts";
import { findFault } from "./json-fault.ts";
import { scanJson } from "./json-scan.ts";
import { invalid, Problem, toField } from "../problem.ts";
import { schemaMessage, toFieldProblems } from "./schema-messages.ts";

const JSON_TYPE = "application/json";

/** Options for reading a body. */
export interface BodyOptions {
  readonly maxBytes: number;
}

/** Reads and checks the body of a request. Throws a `Problem`. */
export async function readJson<Schema extends z.ZodType>(
  c: GatewayContext,
  schema: Schema,
  { maxBytes }: BodyOptions,
): Promise<z.output<Schema>> {
  const { socket } = c.env;
  if (socket?.body !== undefined) return parse(schema, socket.body);
  checkType(c.req.header("content-type"));
  return parse(schema, parseBody(await readWhole(c, maxBytes)));
}

/** Reads a body that is text of one of these types. Throws a `Problem`. */
export async function readText(
  c: GatewayContext,
  { types, maxBytes }: BodyOptions & { readonly types: readonly string[] },
): Promise<string> {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (!types.includes(type)) throw wrongType(c.req.header("content-type"), types[0] ?? "");
  return decode(await readWhole(c, maxBytes));
}

async function readWhole(c: GatewayContext, maxBytes: number): Promise<Buffer> {
  checkEncoding("Content-Encoding", c.req.header("content-encoding"));
  checkEncoding("Transfer-Encoding", c.req.header("transfer-encoding"));
  const length = Number(c.req.header("content-length") ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  askForBody(c);
  return readBytes(c.env.incoming, maxBytes);
}

/** The value as the schema wants it. Throws a `Problem` that lists all that is wrong, in the field it came in. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, field = ""): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: schemaMessage });
  if (parsed.success) return parsed.data;
  throw invalid(toFieldProblems(parsed.error, field));
}

function checkType(header: string | undefined): void {
  if (header === JSON_TYPE) return;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((part) => part === "charset=utf-8" || part === 'charset="utf-8"');
  if (type === JSON_TYPE && isUtf8) return;
  throw wrongType(header, JSON_TYPE);
}

function wrongType(header: string | undefined, wanted: string): Problem {
  const seen = header?.trim() ? `is ${toField([header])}, but must be` : "is missing: it must be";
  const what = wanted === JSON_TYPE ? "JSON" : "text";
  return new Problem(
    "unsupported_media_type",
    `The body is not read: send ${what} in UTF-8 with the header \`Content-Type: ${wanted}\`.`,
    { problems: [{ field: "Content-Type", message: `${seen} ${wanted}` }], headers: { Accept: wanted } },
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

/** Listens by itself, for an iterator costs as much as all else that is done with a small body. */
function readBytes(incoming: Readable, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const read: Buffer[] = [];
  let length = 0;
  const settle = (then: () => void) => {
    incoming.off("data", take).off("end", end).off("error", fail).off("close", fail);
    then();
  };
  const take = (chunk: Buffer) => {
    length += chunk.length;
    read.push(chunk);
    if (length <= maxBytes) return;
    // The rest of a body that is given up stays unread: the adapter drains it or closes the connection.
    incoming.pause();
    settle(() => reject(tooLarge(maxBytes)));
  };
  const end = () => settle(() => resolve(Buffer.concat(read, length)));
  const fail = (cause?: Error) => settle(() => reject(incomplete(cause)));
  if (incoming.readableEnded) end();
  else if (incoming.destroyed) fail(incoming.errored ?? undefined);
  else incoming.on("data", take).on("end", end).on("error", fail).on("close", fail);
  return promise;
}

function incomplete(cause: Error | undefined): Problem {
  return new Problem("incomplete_body", "The body ended before it was complete.", { cause });
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new Problem("invalid_json", "The body is empty: send JSON.");
  return parseJsonText(decode(bytes), "body");
}

/** The value of a JSON text, called so in errors. Throws a `Problem`. */
export function parseJsonText(text: string, name: string): unknown {
  const problems = scanJson(text);
  if (problems.length > 0) throw invalid(problems);
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = text.length > MAX_SEARCHED_CHARS ? "" : `: see character ${findFault(text)}`;
    throw new Problem("invalid_json", `The ${name} is not JSON${place}.`, { cause: error });
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return DECODER.decode(bytes);
  } catch (error) {
    throw new Problem("invalid_utf8", "The body is not well-formed UTF-8.", { cause: error });
  }
}

function tooLarge(maxBytes: number): Problem {
  return new Problem("too_large", `The body is larger than ${maxBytes.toLocaleString("en-US")} bytes: send less.`);
}
