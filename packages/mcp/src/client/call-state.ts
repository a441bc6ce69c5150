/**
 * Call state: what a suspended call of a server's tool keeps, and its questions and answers.
 */
import { type Json, ToolError } from "@baton/core";
import type { ToolQuestion } from "@baton/core/ports";
import { z } from "zod";

const OWNER = z.object({ tenant: z.string(), user: z.string() });
const TASK = z.object({ id: z.string(), startedAt: z.number(), pollMs: z.number() });
const KEPT = z.object({
  /** Its questions, by kind; the answers are for these. */
  asked: z.enum(["drift", "sign-in", "input"]).optional(),
  isDriftAllowed: z.boolean().optional(),
  signIns: z.number().default(0),
  requestState: z.string().optional(),
  /** The questions that the server asked: its keys and their modes, by the names they have here. */
  inputs: z.record(z.string(), z.object({ key: z.string(), mode: z.enum(["form", "url"]) })).optional(),
  task: TASK.optional(),
  owner: OWNER.optional(),
});

/** State of a call between two runs of its tool. */
export type KeptCall = z.output<typeof KEPT>;
/** A task of a server that the call waits for. */
export type TaskState = z.output<typeof TASK>;

/** The state that a call kept; an empty one at its first run. */
export function parseKeptCall(kept: Json | undefined): KeptCall {
  return KEPT.parse(kept ?? {});
}

const INPUT_REQUEST = z.looseObject({
  method: z.string(),
  params: z
    .looseObject({
      mode: z.string().optional(),
      message: z.string().default(""),
      url: z.string().optional(),
      requestedSchema: z.record(z.string(), z.json()).optional(),
    })
    .optional(),
});
const MAX_TEXT = 4_000;
const MAX_REQUESTS = 20;
const MAX_NAME = 100;
const REFUSALS = ["decline", "cancel"];

/** Questions of a server, and what they stand for. */
export type AskedInputs = Readonly<{ questions: readonly ToolQuestion[]; inputs: NonNullable<KeptCall["inputs"]> }>;

/** The questions that a server asks. Throws `permanent` if it asks for something that Baton does not offer. */
export function toQuestions(server: string, requests: unknown): AskedInputs {
  const parsed = z.record(z.string(), INPUT_REQUEST).safeParse(requests ?? {});
  const entries = Object.entries(parsed.data ?? {});
  if (!parsed.success || entries.length > MAX_REQUESTS)
    throw new ToolError("permanent", `${server} asked questions that cannot be read`);
  const foreign = entries.find(([, { method }]) => method !== "elicitation/create");
  if (foreign !== undefined)
    throw new ToolError("permanent", `${server} asked for ${foreign[1].method}, which Baton does not offer`);
  const asked = entries.map(([key, { params }], index) => {
    const plain = key.replaceAll(/[^\p{L}\p{N}_.:@+-]/gu, "_").slice(0, MAX_NAME);
    const name = plain === key ? key : `${plain}_${index + 1}`;
    const { mode = "form", message = "", url, requestedSchema = {} } = params ?? {};
    const text = message.slice(0, MAX_TEXT);
    if (mode !== "url")
      return { name, kind: "input", text, schema: { anyOf: [requestedSchema, { enum: REFUSALS }] } } as const;
    const page = URL.parse(url ?? "");
    if (page === null || !["https:", "http:"].includes(page.protocol))
      throw new ToolError("permanent", `${server} asked to open something that is not a web page`);
    return { name, kind: "link", text, url: page.href } as const;
  });
  const inputs = asked.map(({ name, kind }, index) => {
    const mode = kind === "link" ? ("url" as const) : ("form" as const);
    return [name, { key: entries[index]?.[0] ?? name, mode }] as const;
  });
  return { questions: asked, inputs: Object.fromEntries(inputs) };
}

/** The answers of people as a server reads them. */
export function toInputResponses(
  inputs: NonNullable<KeptCall["inputs"]>,
  answers: Readonly<Record<string, Json>>,
): Record<string, Json> {
  const entries = Object.entries(inputs).map(([name, { key, mode }]): [string, Json] => {
    const answer = answers[name] ?? "cancel";
    if (answer === "decline" || answer === "cancel") return [key, { action: answer }];
    return [key, mode === "url" ? { action: "accept" } : { action: "accept", content: answer }];
  });
  return Object.fromEntries(entries);
}
