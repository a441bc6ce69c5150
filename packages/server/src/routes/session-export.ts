/**
 * Session export: a conversation as a file, in JSON or Markdown: roles, agents, times and run ids, no tool outputs.
 */
import type { RunRecord, SessionRecord } from "@baton/store";
import { parseJson, omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { type Service } from "../service.ts";

/** The query of an export. */
export const EXPORT_QUERY = z.object({ format: z.enum(["json", "markdown"]).default("json") });

/** One message of an exported conversation. */
interface ExportedMessage {
  readonly role: "user" | "assistant";
  readonly agent?: string;
  readonly content: string;
  readonly at?: string;
  readonly run?: string;
}

const MESSAGE = z.looseObject({ role: z.string(), content: z.string(), agent: z.string().optional() });
const MAX_RUNS = 1_000;

/** The messages that people and agents wrote; those of tools are left out. */
export async function readConversation(
  { store }: Service,
  session: SessionRecord,
): Promise<readonly ExportedMessage[]> {
  const { database } = store;
  const { tenant, user, id } = session;
  const runs = (await database.runs.list({ tenant, user, session: id, limit: MAX_RUNS })).toReversed();
  const messages = await database.sessions.messages(session, id);
  let next = 0;
  let current: RunRecord | undefined;
  return messages.flatMap((text): ExportedMessage[] => {
    const { data } = MESSAGE.safeParse(parseJson(text));
    if (data === undefined || (data.role !== "user" && data.role !== "assistant") || data.content === "") return [];
    const { role, content, agent } = data;
    // A run begins with its input; what follows is of that run until the next one begins.
    const begun = role === "user" ? runs.findIndex(({ input }, index) => index >= next && input === content) : -1;
    if (begun >= 0) {
      current = runs[begun];
      next = begun + 1;
    }
    const at = current && new Date(role === "user" ? current.createdAt : current.updatedAt).toISOString();
    return [
      {
        role,
        ...omitUndefined({ agent: role === "assistant" ? agent : undefined }),
        content,
        ...omitUndefined({ at, run: current?.id }),
      },
    ];
  });
}

/** The conversation as Markdown. */
export function toMarkdown(session: SessionRecord, messages: readonly ExportedMessage[]): string {
  const title = session.givenTitle ?? session.title ?? session.id;
  const parts = messages.map(({ role, agent, content, at, run }) => {
    const about = [at, run === undefined ? undefined : `run ${run}`].filter((one) => one !== undefined).join(" · ");
    return `## ${role === "user" ? "User" : (agent ?? "Assistant")}\n\n${about === "" ? "" : `_${about}_\n\n`}${content}\n`;
  });
  return [`# ${title}\n`, ...parts].join("\n");
}
