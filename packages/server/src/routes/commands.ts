/**
 * Commands: messages into a run.
 *
 * A cancel is answered with its receipt, everything else once the run has taken it. No rate limit refuses what stops a
 * run. Reads: api, life, run-view, service. Read by: app.
 */
import type { Command } from "@baton/core";
import { z } from "zod";
import type { Api } from "../api.ts";
import { readJson } from "../gateway/body.ts";
import { orInvalid } from "../gateway/fault.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { QUERY, text, VALUE } from "../gateway/text.ts";
import { given } from "@baton/core";
import { setRunHeaders } from "../life-answer.ts";
import { answererOf, linkRun } from "../life.ts";
import { STARTED, toStarted } from "../run-view.ts";
import { findRun, type Service } from "../service.ts";

const MAX_REASON_CHARS = 1_000;

const COMMAND = z.discriminatedUnion("type", [
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume"), input: QUERY.optional() }),
  z.object({ type: z.literal("cancel"), reason: text({ maxChars: MAX_REASON_CHARS }).optional() }),
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
        200: { description: "Of a cancel: what became of everything that was at work", schema: RECEIPT },
        202: { description: "The run has taken the command", schema: STARTED },
      },
    },
    (c) => command(service, c),
  );
}

async function command(service: Service, c: GatewayContext): Promise<Response> {
  const { admission, engine, maxBodyBytes } = service;
  const asked = await readJson(c, COMMAND, { maxBytes: maxBodyBytes });
  if (asked.type !== "cancel" && asked.type !== "pause") c.var.checkRate();
  const record = await findRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  if (asked.type === "cancel") {
    const { receipt } = await engine.command(record.id, { type: "cancel", ...given({ reason: asked.reason }) });
    return c.json(receipt ?? { stopped: [], finished: [], abandoned: [] });
  }
  // Who waits is to be at work again, and needs room; who is at work has it.
  using _entry = record.status === "paused" ? admission.enter() : admission.pass();
  linkRun(service, c, record);
  await orInvalid(FIELDS[asked.type], engine.command(record.id, toCommand(c, asked)));
  return c.json(toStarted(record), 202);
}

function toCommand(c: GatewayContext, asked: Exclude<z.output<typeof COMMAND>, { type: "cancel" }>): Command {
  switch (asked.type) {
    case "resume":
      return { type: "resume", ...given({ input: asked.input }) };
    case "answer":
      return { ...asked, as: answererOf(c) };
    default:
      return asked;
  }
}
