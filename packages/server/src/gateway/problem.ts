/**
 * Problem: every answer that is an error, with a code that never changes and all that is wrong, by field.
 *
 * It is sent as `application/problem+json` (RFC 9457), and below `/v1/` in OpenAI's form.
 */
import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "@baton/core";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";

/** One thing that is wrong with a request. */
export interface FieldProblem {
  /** The path of the field (`history.3.role`), or the name of the header; empty for the whole. */
  readonly field: string;
  readonly message: string;
}

/** Codes of problems, for programs, with the HTTP status of each. */
const STATUS = {
  invalid: 400,
  invalid_json: 400,
  invalid_utf8: 400,
  incomplete_body: 400,
  invalid_target: 400,
  invalid_request: 400,
  invalid_answer: 400,
  unknown_model: 400,
  invalid_api_key: 401,
  not_allowed: 403,
  missing_scope: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  busy: 409,
  conflict: 409,
  run_ended: 409,
  question_open: 409,
  cancelled: 409,
  idempotency_in_flight: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unsupported_encoding: 415,
  expectation_failed: 417,
  idempotency_mismatch: 422,
  upgrade_required: 426,
  rate_limited: 429,
  limit: 429,
  headers_too_large: 431,
  internal: 500,
  damaged: 500,
  crashed: 500,
  diverged: 500,
  model: 502,
  tool: 502,
  group: 502,
  bad_output: 502,
  output_too_long: 502,
  empty_reply: 502,
  stopping: 503,
  overloaded: 503,
  store_unavailable: 503,
  timeout: 504,
} as const satisfies Record<Exclude<ErrorCode, "closed" | "forbidden">, ContentfulStatusCode> &
  Record<string, ContentfulStatusCode>;

/** The codes there are. */
export type ProblemCode = keyof typeof STATUS;

/** Optional parts of a problem. */
export interface ProblemDetails extends ErrorOptions {
  readonly problems?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the status of the code. */
  readonly status?: ContentfulStatusCode;
}

/** The most problems listed: the answer must not grow with a hostile request. */
const MAX_PROBLEMS = 100;

/** An error whose words are for the client. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly status: ContentfulStatusCode;
  readonly title: string;
  readonly problems: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail, details);
    this.code = code;
    this.status = details.status ?? STATUS[code];
    this.title = STATUS_CODES[this.status] ?? "Error";
    this.problems = toBounded(details.problems ?? []);
    this.headers = details.headers ?? {};
  }

  get detail(): string {
    return this.message;
  }
}

/** The header that says when to come back; at least a second. */
export function retryAfter(waitMs: number): { readonly "Retry-After": string } {
  return { "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1_000))) };
}

/** A request with fields that cannot be used. */
export function invalid(problems: readonly FieldProblem[]): Problem {
  const fields = [...new Set(problems.map(({ field }) => field).filter((field) => field !== ""))];
  const detail = fields.length === 0 ? `it ${problems[0]?.message ?? "is not valid"}` : `see ${listed(fields)}`;
  return new Problem("invalid", `The request is not valid: ${detail}.`, { problems });
}

/** An answer that does not fit its question, which stays open. */
export function invalidAnswer(problems: readonly FieldProblem[]): Problem {
  const fields = [...new Set(problems.map(({ field }) => field))];
  const detail = `The answer does not fit its question, which stays open: see ${listed(fields)}.`;
  return new Problem("invalid_answer", detail, { problems });
}

/** Optional parts of a 404. */
interface Missing {
  /** The field of the request that names it. */
  readonly field?: string | undefined;
  /** A sentence that says where to find the existing ones. */
  readonly next?: string;
}

/** It does not exist or belongs to another user: both get the same answer. */
export function notFound(what: string, { field, next = "" }: Missing = {}): Problem {
  const name = toShort(what, MAX_SAID_CHARS);
  return new Problem("not_found", `There is no ${name}. ${next}`.trimEnd(), {
    problems: field === undefined ? [] : [{ field, message: `there is no ${name}` }],
  });
}

/** The path is right, the method is not. */
export function methodNotAllowed(allowed: readonly string[]): Problem {
  const methods = allowed.join(", ");
  return new Problem("method_not_allowed", `This path answers ${methods}.`, { headers: { Allow: methods } });
}

/** The path of a field in words. */
export function toField(path: readonly PropertyKey[]): string {
  return path.map((part) => toShort(String(part))).join(".");
}

/** A problem as it is sent. */
export interface ProblemAnswer {
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The answer, in the form that clients of this path expect. */
export function toAnswer(problem: Problem, path: string): ProblemAnswer {
  const [type, body] = isOpenAi(path)
    ? ["application/json", toOpenAi(problem)]
    : ["application/problem+json", toBody(problem)];
  return { status: problem.status, headers: { ...problem.headers, "Content-Type": type }, body: JSON.stringify(body) };
}

/** Whether clients of this path expect OpenAI's form. */
export function isOpenAi(path: string): boolean {
  return `${path}/`.startsWith("/v1/");
}

/** A problem as it is sent. */
export const PROBLEM = z
  .object({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: "For programs; it never changes." }),
    problems: z.array(z.object({ field: z.string(), message: z.string() })),
  })
  .meta({ id: "Problem", description: "RFC 9457" });

/** A problem in OpenAI's form. */
export const OPENAI_ERROR = z
  .object({
    error: z.object({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() }),
  })
  .meta({ id: "OpenAiError" });

function toBody({ code, status, title, detail, problems }: Problem): z.infer<typeof PROBLEM> {
  return { type: "about:blank", title, status, detail, code, problems: [...problems] };
}

function toOpenAi({ code, status, detail, problems }: Problem): z.infer<typeof OPENAI_ERROR> {
  const list = problems.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return {
    error: {
      message: [detail, ...list].join("\n"),
      type: toOpenAiType(status),
      code,
      param: problems.find(({ field }) => field !== "")?.field ?? null,
    },
  };
}

function toOpenAiType(status: number): string {
  if (status >= 500) return "server_error";
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  return status === 429 ? "rate_limit_error" : "invalid_request_error";
}

/** Each once, and not too many. */
function toBounded(found: readonly FieldProblem[]): readonly FieldProblem[] {
  const problems = [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
  if (problems.length <= MAX_PROBLEMS) return problems;
  const more = { field: "", message: `and ${problems.length - MAX_PROBLEMS} more` };
  return [...problems.slice(0, MAX_PROBLEMS), more];
}

const MAX_LISTED = 5;

function listed(fields: readonly string[]): string {
  const more = fields.length - MAX_LISTED;
  return fields.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const MAX_NAME_CHARS = 64;
/** An id with what it is the id of. */
const MAX_SAID_CHARS = 160;

/** Shortens a name from outside, which may have any length; a character that this splits is replaced. */
function toShort(name: string, maxChars = MAX_NAME_CHARS): string {
  return (name.length <= maxChars ? name : `${name.slice(0, maxChars)}…`).toWellFormed();
}
