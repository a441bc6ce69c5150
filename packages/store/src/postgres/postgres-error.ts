/**
 * Failure: what Postgres or the way to it answered, as an error that says what to do next.
 *
 * A place is written without user and password, so no message can give them away.
 */
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/util";

/** Classes and codes of SQLSTATE that mean the server cannot be asked now. */
const UNREACHABLE = /^(08|57P|53300)/;
/** Error codes of Node and the driver for a connection that was lost or never made. */
const NETWORK = /^(E[A-Z_]+)$|timeout|terminated|not queryable|Connection ended/;

/** Where a database is, for people. */
export function placeOf(url: string): string {
  if (!URL.canParse(url) || !/^postgres(ql)?:/.test(url))
    throw new BatonError("invalid", "the URL of Postgres must look like postgres://user:password@host:5432/database");
  const { host, pathname } = new URL(url);
  return `${host || "localhost"}${pathname}`;
}

/** The error of a question that failed at this place. */
export function toPostgresError(thrown: unknown, place: string): BatonError {
  if (thrown instanceof BatonError) return thrown;
  const code = codeOf(thrown);
  const [answer, words = ""] = ANSWERS.get(code) ?? [];
  if (answer !== undefined)
    return new BatonError(
      answer,
      words.replace("PLACE", () => place),
      { cause: thrown },
    );
  const { message } = toBatonError(thrown, "internal");
  if (!UNREACHABLE.test(code) && !NETWORK.test(code || message))
    return new BatonError("internal", `Postgres at ${place} refused: ${message}`, { cause: thrown });
  const what = `Postgres at ${place} cannot be reached (${code || message})`;
  return new BatonError("closed", `${what}: check that it runs, and the host and port of its URL`, {
    cause: thrown,
    retryable: true,
  });
}

type Answer = readonly [code: "invalid" | "conflict" | "busy", message: string];

const WRONG_USER: Answer = [
  "invalid",
  "Postgres at PLACE does not accept the user or the password: check both in its URL",
];

/** Explanations of some SQLSTATE codes for a user. */
const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["28P01", WRONG_USER],
  ["28000", WRONG_USER],
  ["3D000", ["invalid", "there is no database at PLACE: create it (createdb NAME), or name another one in the URL"]],
  [
    "42501",
    [
      "invalid",
      "the user may not create or change tables at PLACE: grant it CREATE on the schema, or make it the owner",
    ],
  ],
  ["23505", ["conflict", "what should be added at PLACE is there already"]],
  ["53100", ["busy", "the disk of Postgres at PLACE is full: free some space and try again"]],
]);

/** The code of an error; of several tries to connect, that of the first. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  const has = typeof thrown === "object" && thrown !== null && "code" in thrown;
  return has && typeof thrown.code === "string" ? thrown.code : "";
}
