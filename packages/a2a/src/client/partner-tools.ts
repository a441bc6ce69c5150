/**
 * Partner tools: agents of other systems as tools of a crew: `partner__ask({message})`.
 *
 * A task that takes long suspends its call, so that waiting costs nothing and survives the process. The message is sent
 * once; after that the task is only asked for.
 */
import { defineTool, type Json, suspend, type Tool, ToolError } from "@baton/core";
import { checkJson, lookInto } from "@baton/core/util";
import { isJson, readObject, readParts, readText, toDataPart, toTextPart, type WireObject } from "../wire.ts";
import { type A2aPartner, PartnerLink } from "./partner-link.ts";

const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 30_000;
const MAX_DOUBLINGS = 5;
const MAX_FAILURES = 20;
const REPLY = "reply";
const INPUT = {
  type: "object",
  properties: { message: { type: "string", minLength: 1, description: "What to ask or tell the agent." } },
  required: ["message"],
  additionalProperties: false,
} as const;
/** A person answers with a text, or with the data that the agent asks for. */
const ANSWER = { anyOf: [{ type: "string", minLength: 1 }, { type: "object" }] };

/** A tool for each partner. No partner is contacted before the first call. */
export function a2aTools(partners: Readonly<Record<string, A2aPartner>>): readonly Tool[] {
  return Object.entries(partners).map(([name, partner]) => toTool(name, partner));
}

function toTool(name: string, { effect = "irreversible", ...partner }: A2aPartner): Tool {
  const link = new PartnerLink(name, partner);
  return defineTool({
    name: `${name}__ask`,
    description: `Asks the agent ${name} of another system, and gives its answer.`,
    effect,
    input: {
      jsonSchema: INPUT,
      validate: (value: Json) => {
        const issues = checkJson(INPUT, value);
        return issues.length > 0 ? { ok: false, issues } : { ok: true, value: textAt(value, "message") };
      },
    },
    async run(message, { kept, answers, key, scope: { abort } }) {
      if (kept === undefined) return toNext(name, await link.send({ text: toTextPart(message), id: key }, abort), 0);
      const [id, polls] = [textAt(kept, "task"), lookInto(kept, "polls")];
      const reply = answers?.[REPLY];
      const count = typeof polls === "number" ? polls : 0;
      if (reply === undefined) return toNext(name, { task: await poll(link, kept, abort) }, count + 1);
      const part = typeof reply === "string" ? toTextPart(reply) : toDataPart(reply);
      const context = textAt(kept, "context");
      return toNext(name, await link.send({ text: part, id: `${key}/${count}`, task: { id, context } }, abort), 0);
    },
    release: (kept) => link.cancel(textAt(kept, "task")),
  });
}

/** The state of a task; a partner that cannot be reached is asked again later, for about ten minutes. */
async function poll(link: PartnerLink, kept: Json, abort: AbortSignal): Promise<WireObject> {
  const [id, context, failures] = [textAt(kept, "task"), textAt(kept, "context"), lookInto(kept, "failures")];
  try {
    return await link.get(id, abort);
  } catch (error) {
    const isGone = error instanceof ToolError && ["network", "unavailable", "temporary"].includes(error.kind);
    const count = typeof failures === "number" ? failures + 1 : 1;
    if (!isGone || count > MAX_FAILURES) throw error;
    return { id, contextId: context, failures: count, status: {} };
  }
}

function textAt(value: Json, field: string): string {
  return readText(lookInto(value, field)) ?? "";
}

/** The answer of a partner as the output of the call, or as the reason why it waits. */
function toNext(name: string, answer: WireObject, polls: number) {
  const message = readObject(answer["message"]);
  if (message !== undefined) return toOutput([message]);
  const task = readObject(answer["task"]) ?? {};
  const status = readObject(task["status"]) ?? {};
  const said = readParts(readObject(status["message"])?.["parts"]).text;
  const id = readText(task["id"]);
  if (id === undefined) throw new ToolError("permanent", `${name} sent neither a message nor a task`);
  const failures = typeof task["failures"] === "number" ? task["failures"] : 0;
  const keep = { task: id, context: readText(task["contextId"]) ?? "", polls, failures };
  switch (status["state"]) {
    case "TASK_STATE_COMPLETED":
      return toOutput(Array.isArray(task["artifacts"]) ? task["artifacts"] : [], said);
    case "TASK_STATE_INPUT_REQUIRED":
    case "TASK_STATE_AUTH_REQUIRED":
      return suspend({
        keep,
        questions: [{ name: REPLY, kind: "input", text: said || `${name} waits for a reply`, schema: ANSWER }],
      });
    case "TASK_STATE_FAILED":
    case "TASK_STATE_REJECTED":
    case "TASK_STATE_CANCELED":
      throw new ToolError("permanent", said || `${name} did not complete the task: ${status["state"]}`);
    default:
      return suspend({ keep, afterMs: Math.min(MAX_POLL_MS, FIRST_POLL_MS * 2 ** Math.min(polls, MAX_DOUBLINGS)) });
  }
}

/** The data of all parts if there is any, else their text. */
function toOutput(holders: readonly unknown[], said = ""): Json {
  const contents = holders.map((one) => readParts(readObject(one)?.["parts"]));
  const fields = contents.flatMap(({ data }) => [...data]);
  const data = Object.fromEntries(fields.flatMap(([name, value]) => (isJson(value) ? [[name, value] as const] : [])));
  const texts = contents.map((content) => content.text).filter((part) => part !== "");
  const text = texts.join("\n\n");
  if (fields.length === 0) return text || said;
  return text === "" ? data : { text, data };
}
