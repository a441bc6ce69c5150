/**
 * Query string: the input in a URL, by the same rules as the input in a body.
 *
 * A name may come once; what is percent-encoded must be well-formed UTF-8. Names the schema does not know are left
 * out.
 */
import type { z } from "zod";
import { parse } from "./body.ts";
import type { GatewayContext } from "../gateway-env.ts";
import { type FieldProblem, invalid, toField } from "../problem.ts";

/** Reads and checks what follows the `?`, an object of strings. Throws a `Problem`. */
export function readQuery<Schema extends z.ZodType>(c: GatewayContext, schema: Schema): z.output<Schema> {
  const start = c.req.url.indexOf("?");
  return parse(schema, parseQuery(start === -1 ? "" : c.req.url.slice(start + 1)));
}

function parseQuery(search: string): unknown {
  const values = new Map<string, string>();
  const problems: FieldProblem[] = [];
  for (const part of search.split("&").filter((text) => text !== "")) {
    const equals = part.indexOf("=");
    const rawName = equals === -1 ? part : part.slice(0, equals);
    const name = decode(rawName);
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    const field = toField([name ?? rawName]);
    if (name === undefined || value === undefined) {
      problems.push({ field, message: "is not percent-encoded UTF-8" });
    } else if (values.has(name)) problems.push({ field, message: "is given more than once" });
    else values.set(name, value);
  }
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(values);
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
