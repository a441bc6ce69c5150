/**
 * Commands: messages into a run.
 *
 * A cancel is answered with its receipt, everything else once the run has taken it. No rate limit refuses what stops
 * a run.
 */
import { z } from "zod";
import { RUN_HEADERS } from "./api-headers.ts";
import type { Api } from "./api.ts";
import { readJson } from "../gateway/body.ts";
import { orInvalid } from "../gateway/fault.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { QUERY, text, VALUE } from "../gateway/text.ts";
import { setRunHeaders } from "../runs/life-answer.ts";
import { answererOf, linkRun } from "../runs/life.ts";
import { STARTED, toStarted } from "../runs/run-view.ts";
import { findRun, type Service } from "../service.ts";

const MAX_REASON_CHARS = 1_000;

const COMMAND = z.discriminatedUnion("type", [
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume"), input: QUERY.exactOptional() }),
  z.object({ type: z.literal("cancel"), reason: text({ maxChars: MAX_REASON_CHARS }).exactOptional() }),
  z.object({ type: z.literal("say"), text: QUERY }),
  z.object({ type: z.literal("answer"), question: text({ minChars: 1, maxChars: 1_000 }), value: VALUE }),
]);
/** What of a command the run itself may find wrong. */
const FIELDS = { pause: "type", resume: "input", say: "text", answer: "value" } as const;
const NAMES = z.array(z.string());
const RECEIPT = z.object({ stopped: NAMES, finished: NAMES, abandoned: NAMES }).meta({ id: "Receipt" });

/** Adds the route of commands. */
export function addCommands(api: Api, service: Service): void {
  api.add(
    {
      method: "post",
      path: "/api/runs/:id/commands",
      summary: "Pause, resume, cancel, say something, or answer a question",
      scope: "run",
      body: COMMAND,
      answers: {
        200: {
          description: "Of a cancel: what became of everything that was at work",
          schema: RECEIPT,
          headers: RUN_HEADERS,
        },
        202: { description: "The run has taken the command", schema: STARTED, headers: RUN_HEADERS },
      },
    },
    (c) => send(service, c),
  );
}

async function send(service: Service, c: GatewayContext): Promise<Response> {
  const { admission, engine, maxBodyBytes } = service;
  const asked = await readJson(c, COMMAND, { maxBytes: maxBodyBytes });
  const isStop = asked.type === "cancel" || asked.type === "pause";
  if (!isStop) c.var.checkRate();
  const record = await findRun(service, c, c.req.param("id") ?? "");
  if (!isStop && record.session !== undefined) await c.var.limitSession(record.session);
  setRunHeaders(c, record);
  if (asked.type === "cancel") {
    const { receipt } = await engine.command(record.id, asked);
    return c.json(receipt ?? { stopped: [], finished: [], abandoned: [] });
  }
  using _entry = admission.enter(record.id);
  linkRun(service, c, record);
  const command = asked.type === "answer" ? { ...asked, as: answererOf(c) } : asked;
  await orInvalid(FIELDS[asked.type], engine.command(record.id, command));
  return c.json(toStarted(record), 202);
}
