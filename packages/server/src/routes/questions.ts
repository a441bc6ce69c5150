/**
 * Questions: the open questions that the caller may answer, over all runs: an inbox for operators.
 */
import { omitUndefined } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import { z } from "zod";
import type { Api } from "./api.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { readQuery } from "../gateway/input/query-string.ts";
import { checkScope } from "../gateway/keys.ts";
import { findOpenQuestions, mayApprove } from "../runs/answer-command.ts";
import { QUESTION } from "../runs/run-view.ts";
import { type Service, visibleRuns } from "../service.ts";
import { LIST_PAGE, noSuchPage } from "./list-page.ts";

const QUERY = LIST_PAGE.extend({
  before: z.string().max(1_024).optional().meta({ description: "`next` of the page before" }),
  who: z.enum(["user", "operator"]).optional().meta({ description: "Only the questions that this one must answer" }),
});
const OPEN_QUESTION = QUESTION.extend({
  run: z.string(),
  crew: z.string(),
  user: z.string(),
  session: z.string().optional(),
  who: z.enum(["user", "operator"]),
}).meta({ id: "OpenQuestion" });
const QUESTIONS = z.object({ questions: z.array(OPEN_QUESTION), next: z.string().optional() });

/** Runs that are read from the store at a time. */
const RUNS = 100;

/** Adds the route that lists open questions. */
export function addQuestions(api: Api, service: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/questions",
      summary: "Open questions that you may answer: of your runs, and with the scope approve those for an operator",
      scope: ["read", "approve", "admin"],
      query: QUERY,
      answers: { 200: { description: "Questions of the newest runs first", schema: QUESTIONS } },
    },
    async (c) => {
      const { who, before, limit } = readQuery(c, QUERY);
      if (who === "operator" && !mayApprove(c)) checkScope(c.get("scopes"), "approve");
      if (who === "user") checkScope(c.get("scopes"), "read");
      return c.json(await list(service, c, { who, before, limit }));
    },
  );
}

/** The open questions, run by run, until one more than the limit is found: it says that there is a next page. */
async function list(service: Service, c: GatewayContext, { who, before, limit }: z.output<typeof QUERY>) {
  const questions: Question[] = [];
  for await (const record of openRuns(service, c, before)) {
    if (record.questions.length === 0) continue;
    const open = await questionsOf(service, c, record);
    // If the question of the cursor was answered since, the questions of its run come again.
    const seen = open.findIndex((question) => toCursor(question) === before);
    questions.push(...open.slice(seen + 1).filter((question) => who === undefined || question.who === who));
    const last = questions[limit - 1];
    if (questions.length > limit && last !== undefined) {
      return { questions: questions.slice(0, limit), next: toCursor(last) };
    }
  }
  return { questions };
}

type Question = z.infer<typeof OPEN_QUESTION>;

/** The place after a question: its run and the question. */
function toCursor({ run, question }: Question): string {
  return `${run}:${question}`;
}

/** The open runs that may have questions for the caller, newest first, beginning with the run that the cursor names. */
async function* openRuns(service: Service, c: GatewayContext, cursor: string | undefined): AsyncGenerator<RunRecord> {
  const filter = mayApprove(c) ? { tenant: c.get("tenant") } : visibleRuns(c);
  let last = cursor?.split(":", 1)[0];
  if (last !== undefined) {
    const first = await service.engine.find(last, filter);
    if (first === undefined) throw noSuchPage(`run ${last}`);
    yield first;
  }
  for (;;) {
    const page = { status: "open", limit: RUNS, ...omitUndefined({ before: last }) } as const;
    const runs = await service.store.database.runs.list({ ...filter, ...page });
    yield* runs;
    if (runs.length < RUNS) return;
    last = runs.at(-1)?.id;
  }
}

/** The questions of a run that the caller may answer. */
async function questionsOf(service: Service, c: GatewayContext, record: RunRecord) {
  const { id: run, user, session } = record;
  const isOwn = user === c.get("user") || c.get("scopes").includes("admin");
  const mayRead = isOwn && c.get("scopes").includes("read");
  const open = [...(await findOpenQuestions(service, record)).values()];
  return open.flatMap(({ question, kind, agent, text, tool, args, schema, who = "user" }) => {
    if (who === "operator" ? !mayApprove(c) : !mayRead) return [];
    const about = { run, crew: service.crews.idOf(record), user, ...omitUndefined({ session }) };
    return [{ ...about, question, kind, agent, text, ...omitUndefined({ tool, args }), schema, who }];
  });
}
