/**
 * Commands: messages into a run.
 *
 * A cancel is answered with its receipt, everything else once the run has taken it. No rate limit refuses what stops
 * a run.
 */
import type { Command } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { readJson } from "../../gateway/input/body.ts";
import { answerOnce } from "../../gateway/idempotency.ts";
import { checkScope } from "../../gateway/keys.ts";
import { invalid, invalidAnswer } from "../../gateway/problem.ts";
import { orInvalid } from "../../gateway/to-problem.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { ID, MODEL, QUERY, text, VALUE } from "../../gateway/input/text.ts";
import { setRunHeaders } from "../../runs/segment-answer.ts";
import { findAnswerableRun, toAnsweredBy, mayApprove, toAnswerCommands } from "../../runs/answer-command.ts";
import { linkRun } from "../../runs/request-segment.ts";
import { checkModel } from "../../runs/check-model.ts";
import { RECEIPT, STARTED, toReceipt, startedViewOf } from "../../runs/run-view.ts";
import { findVisibleRun, type Service } from "../../service.ts";

const MAX_REASON_CHARS = 1_000;

/** A place in a run, as events name it. */
const POSITION = text({ minChars: 1, maxChars: 1_000 });
const CANCEL = z
  .object({
    type: z.literal("cancel"),
    reason: text({ maxChars: MAX_REASON_CHARS }).exactOptional(),
    lane: POSITION.exactOptional(),
    call: POSITION.exactOptional(),
  })
  .refine(({ lane, call }) => lane === undefined || call === undefined, {
    path: ["call"],
    error: "must be left out if lane is given: a cancel takes one of them",
  });
const CONFIGURE = z
  .object({
    type: z.literal("configure"),
    agent: ID.exactOptional(),
    model: MODEL.exactOptional(),
    temperature: z.number().min(0).max(2).exactOptional(),
    max_tokens: z.int().min(1).exactOptional(),
  })
  .refine((asked) => asked.model !== undefined || asked.temperature !== undefined || asked.max_tokens !== undefined, {
    path: ["model"],
    error: "is missing: a configure sets at least one of model, temperature and max_tokens",
  });

const COMMAND = z.discriminatedUnion("type", [
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume"), input: QUERY.exactOptional() }),
  CANCEL,
  z.object({ type: z.literal("say"), text: QUERY, lane: POSITION.exactOptional() }),
  z.object({ type: z.literal("answer"), question: POSITION, value: VALUE }),
  CONFIGURE,
]);
/** The field of a command that the run itself may refuse. */
const FIELDS = { pause: "type", resume: "input", say: "text", configure: "model" } as const;

/** Adds the route of commands. */
export function addCommands(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/api/runs/:id/commands",
      summary: "Pause, resume, cancel, say something, answer a question, or configure its agents",
      scope: ["run", "approve", "admin"],
      headers: ["Idempotency-Key"],
      body: COMMAND,
      answers: {
        200: {
          description: "Of a cancel: the receipt, which says what became of all the work it stopped",
          schema: RECEIPT,
          headers: RUN_HEADERS,
        },
        202: { description: "The run has accepted the command", schema: STARTED, headers: RUN_HEADERS },
      },
    },
    (c) => send(service, c),
  );
}

async function send(service: Service, c: GatewayContext): Promise<Response> {
  const { store, maxBodyBytes } = service;
  const asked = await readJson(c, COMMAND, { maxBytes: maxBodyBytes });
  return answerOnce(c, { store, input: asked, check: () => undefined }, () => carryOut(service, c, asked));
}

async function carryOut(service: Service, c: GatewayContext, asked: z.output<typeof COMMAND>): Promise<Response> {
  const { admission, engine } = service;
  const isAnswer = asked.type === "answer";
  // A key that may only approve may answer, and nothing else.
  if (!isAnswer || !mayApprove(c)) checkScope(c.get("scopes"), "run");
  const isStop = asked.type === "cancel" || asked.type === "pause";
  if (!isStop) c.var.checkRate();
  const id = c.req.param("id") ?? "";
  const record = isAnswer ? await findAnswerableRun(service, c, id) : await findVisibleRun(service, c, id);
  if (!isStop && record.session !== undefined) await c.var.limitSession(record.session);
  setRunHeaders(c, record);
  if (asked.type === "cancel") {
    linkRun(service, c, record);
    const { receipt } = await engine.command(record.id, asked);
    return c.json(toReceipt(receipt));
  }
  using _entry = admission.enter(record.id);
  linkRun(service, c, record);
  const commands =
    asked.type === "answer"
      ? await toAnswerCommands(service, c, { record, answers: [{ ...asked, field: "value" }] })
      : [{ field: FIELDS[asked.type], command: toCommand(service, c, asked) }];
  const refuse = asked.type === "answer" ? invalidAnswer : invalid;
  for (const { field, command } of commands) await orInvalid(field, engine.command(record.id, command), refuse);
  return c.json(startedViewOf(service, record), 202);
}

type Asked = Exclude<z.output<typeof COMMAND>, { readonly type: "cancel" | "answer" }>;

/** The command as the engine knows it. */
function toCommand(service: Service, c: GatewayContext, asked: Asked): Command {
  if (asked.type === "resume" || asked.type === "say") return { ...asked, by: toAnsweredBy(c) };
  if (asked.type !== "configure") return asked;
  const { max_tokens: maxTokens, ...rest } = asked;
  if (rest.model !== undefined) checkModel(service, rest.model);
  return { ...rest, ...omitUndefined({ maxTokens }) };
}
