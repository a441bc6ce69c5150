/**
 * Feedback: a user's judgement of a run that has ended or paused, kept beside its log.
 */
import { BatonError } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { FeedbackRecord, RunRecord } from "@baton/store";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { readJson } from "../../gateway/input/body.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { text } from "../../gateway/input/text.ts";
import { FEEDBACK, toFeedbackView } from "../../runs/run-view.ts";
import { setRunHeaders } from "../../runs/segment-answer.ts";
import { findVisibleRun, type Service } from "../../service.ts";

const MAX_COMMENT_CHARS = 2_000;

const BODY = z.object({
  rating: z.enum(["up", "down"]).nullable(),
  comment: text({ maxChars: MAX_COMMENT_CHARS }).optional(),
});

/** Adds the routes of feedback. */
export function addFeedback(api: Api, service: Service): void {
  api.add(
    {
      method: "put",
      path: "/api/runs/:id/feedback",
      summary: "Rate a run that has ended or paused, in place of an earlier rating of yours; `null` removes it",
      scope: "run",
      body: BODY,
      answers: {
        200: { description: "Your feedback", schema: FEEDBACK, headers: RUN_HEADERS },
        204: { description: "Removed", headers: RUN_HEADERS },
      },
    },
    (c) => put(service, c),
  );
  api.add(
    {
      method: "delete",
      path: "/api/runs/:id/feedback",
      summary: "Remove your feedback from a run",
      scope: "run",
      answers: { 204: { description: "Removed", headers: RUN_HEADERS } },
    },
    async (c) => remove(service, c, await findRated(service, c)),
  );
}

async function put(service: Service, c: GatewayContext): Promise<Response> {
  const { rating, comment } = await readJson(c, BODY, { maxBytes: service.maxBodyBytes });
  const record = await findRated(service, c);
  if (rating === null) return remove(service, c, record);
  const { store, observer } = service;
  const { tenant, user } = c.var;
  const written = comment === undefined || comment === "" ? {} : { comment };
  const feedback: FeedbackRecord = { tenant, user, rating, ...written, at: store.clock.now() };
  await store.database.feedback.save(record.id, feedback);
  observer.feedback(rating);
  return c.json(toFeedbackView(feedback));
}

async function remove({ store }: Service, c: GatewayContext, { id }: RunRecord): Promise<Response> {
  await store.database.feedback.delete(id, c.var);
  return c.body(null, 204);
}

async function findRated(service: Service, c: GatewayContext): Promise<RunRecord> {
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  if (record.status === "ended" || record.status === "paused") return record;
  throw new BatonError("conflict", `run ${record.id} is ${record.status}: rate it once it has ended or paused`);
}

/** The feedback on runs that a caller sees: the caller's own, else the newest of another user. */
export async function findFeedback(
  { store }: Service,
  c: GatewayContext,
  records: readonly RunRecord[],
): Promise<ReadonlyMap<string, FeedbackRecord>> {
  const all = await store.database.feedback.list(records.map(({ id }) => id));
  const { tenant, user } = c.var;
  const shown = Array.from(all, ([run, list]) => {
    const own = list.find((one) => one.tenant === tenant && one.user === user);
    return [run, own ?? list.at(-1)] as const;
  });
  return new Map(shown.flatMap(([run, feedback]) => (feedback === undefined ? [] : [[run, feedback]])));
}

/** The view of a run with its feedback. */
export function withFeedback<View extends object>(view: View, feedback: FeedbackRecord | undefined): View {
  return { ...view, ...omitUndefined({ feedback: feedback && toFeedbackView(feedback) }) };
}
