/**
 * Eval output: results as lines of JSON and as JUnit's XML. Values of secrets in the environment are left out.
 */
import type { EvalReport } from "./evaluate.ts";
import type { TrialResult } from "./trial.ts";

/** A line of JSON for each trial. */
export function toJsonLines(results: readonly TrialResult[]): string {
  return results.map((result) => `${JSON.stringify(result)}\n`).join("");
}

/** The report as JUnit writes it. */
export function toJunit({ crew, trials, failed, errors, results }: EvalReport): string {
  const cases = results.map(({ case: id, trial, status, checks, seconds }) => {
    const why = checks
      .filter(({ pass }) => !pass)
      .map(({ check, why: text }) => `${check}: ${text}`)
      .join("\n");
    const kind = status === "error" ? "error" : "failure";
    const body =
      status === "pass" ? "" : `<${kind} message="${escape(why.split("\n", 1).join(""))}">${escape(why)}</${kind}>`;
    return `  <testcase classname="${escape(crew)}" name="${escape(id)} #${trial}" time="${seconds}">${body}</testcase>\n`;
  });
  const head = `<testsuite name="${escape(crew)}" tests="${trials}" failures="${failed}" errors="${errors}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join("")}</testsuite>\n`;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** Without what XML cannot hold. */
function escape(text: string): string {
  return Array.from(text.toWellFormed())
    .filter((char) => char >= " " || char === "\n" || char === "\t")
    .map((char) => NAMES.get(char) ?? char)
    .join("");
}

const SECRET = /key|token|secret|passw/i;
const MIN_SECRET = 8;

/** Replaces the values of the environment's secrets. */
export function redactSecrets(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET.test(name) && value.length >= MIN_SECRET ? [value] : [],
  );
  return secrets.reduce(
    (clean, secret) => clean.replaceAll(secret, "[secret]").replaceAll(JSON.stringify(secret).slice(1, -1), "[secret]"),
    text,
  );
}
