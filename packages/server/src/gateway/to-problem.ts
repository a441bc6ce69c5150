/**
 * To problem: turns what the engine, the store or a bug throws into the problem that the client may see.
 *
 * For errors that the client can fix, the answer has the engine's message and what to do next. The message of a server
 * fault stays in the server: its answer has only a code.
 */
import { BatonError } from "@baton/core";
import { invalid, Problem, type ProblemCode, retryAfter } from "./problem.ts";

const UNSAID = "Something went wrong in the server. Its log has more under this answer's X-Request-Id.";

/** The default for Retry-After. */
const RETRY_AFTER_MS = 1_000;

/** Anything thrown, as what the client may know of it. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (!(thrown instanceof BatonError)) return new Problem("internal", UNSAID, { cause: thrown });
  const code = toCode(thrown);
  const { message, retryAfterMs } = thrown;
  if (isUnavailable(code)) return unavailable(code, { cause: thrown, retryAfterMs });
  const waitMs = retryAfterMs ?? (code === "busy" ? RETRY_AFTER_MS : undefined);
  const headers = waitMs === undefined ? {} : retryAfter(waitMs);
  const problem = new Problem(code, toSentence(message, NEXT.get(code)), { cause: thrown, headers });
  return problem.status < 500 ? problem : new Problem(code, UNSAID, { cause: thrown, headers });
}

/** The next step for the client, for codes whose engine messages have none. */
const NEXT: ReadonlyMap<ProblemCode, string> = new Map([
  ["run_ended", "Start another with POST /api/runs."],
  [
    "question_open",
    "Answer with the command `answer`, or `resume` the run if `pause` stopped it: GET /api/runs/:id lists the questions.",
  ],
  ["conflict", "GET /api/runs/:id shows the status of the run."],
  ["not_allowed", "This needs a key with the scope approve or admin."],
]);

/** Messages of the engine start in lower case because other messages embed them. */
function toSentence(message: string, next = ""): string {
  const [first = "", ...rest] = message;
  const end = [".", "?", "!"].some((mark) => message.endsWith(mark)) ? "" : ".";
  return `${first.toUpperCase()}${rest.join("")}${end} ${next}`.trimEnd();
}

/** An engine that stops says so by itself; a store that cannot be used passes on why, or that it may pass. */
function toCode({ code, retryable, cause }: BatonError): ProblemCode {
  if (code === "forbidden") return "not_allowed";
  if (code === "closed") return cause === undefined ? "stopping" : "store_unavailable";
  return code === "busy" && (retryable || cause !== undefined) ? "store_unavailable" : code;
}

const UNAVAILABLE = {
  stopping: ["The server is stopping. Send this again after Retry-After.", 5_000],
  overloaded: ["The server is running as many runs as it may. Send this again after Retry-After.", 1_000],
  store_unavailable: [
    "The store cannot be used now; the server's log says why. Send this again after Retry-After.",
    1_000,
  ],
} as const satisfies Partial<Record<ProblemCode, readonly [string, number]>>;

const DAMAGED =
  "The store is damaged and cannot be used until the operator of this server repairs it; the server's log says how.";

/** The server cannot do this now, through no fault of the request. */
export function unavailable(
  code: keyof typeof UNAVAILABLE,
  { cause, retryAfterMs }: ErrorOptions & { readonly retryAfterMs?: number | undefined } = {},
): Problem {
  const [usual, waitMs] = UNAVAILABLE[code];
  const isDamaged = cause instanceof BatonError && cause.code === "damaged";
  const detail = isDamaged ? DAMAGED : usual;
  return new Problem(code, detail, { cause, headers: retryAfter(retryAfterMs ?? waitMs) });
}

function isUnavailable(code: ProblemCode): code is keyof typeof UNAVAILABLE {
  return Object.hasOwn(UNAVAILABLE, code);
}

/** Turns the engine's `invalid` error into a problem of the field that caused it, made by `refuse`. */
export async function orInvalid<T>(field: string, work: Promise<T>, refuse = invalid): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "invalid") throw error;
    throw refuse([{ field, message: error.message }]);
  }
}
