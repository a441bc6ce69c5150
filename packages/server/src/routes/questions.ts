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
import { LIST_PAGE } from "./list-page.ts";

const QUERY = LIST_PAGE.extend({
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

/** Runs of the tenant that have open questions, read page by page until enough questions are found. */
async function list(service: Service, c: GatewayContext, { who, before, limit }: z.output<typeof QUERY>) {
  const { database } = service.store;
  const filter = mayApprove(c) ? { tenant: c.get("tenant") } : visibleRuns(c);
  const questions: z.infer<typeof OPEN_QUESTION>[] = [];
  let last = before;
  for (;;) {
    const runs = await database.runs.list({
      ...filter,
      status: "open",
      limit: RUNS,
      ...omitUndefined({ before: last }),
    });
    for (const record of runs) {
      last = record.id;
      if (record.questions.length > 0) questions.push(...(await questionsOf(service, c, record)).filter(isWanted));
      if (questions.length >= limit) return { questions, next: last };
    }
    if (runs.length < RUNS) return { questions };
  }

  function isWanted(question: z.infer<typeof OPEN_QUESTION>): boolean {
    return who === undefined || question.who === who;
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
