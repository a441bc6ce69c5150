/**
 * Session export: a conversation as a file, in JSON or Markdown: roles, agents, times and run ids, no tool outputs.
 */
import type { RunEvent } from "@baton/core";
import { isMember } from "@baton/core/engine";
import { parseJson, omitUndefined } from "@baton/core/util";
import type { Database, SessionRecord } from "@baton/store";
import { readEvents } from "@baton/store/ports";
import { z } from "zod";
import { type Service } from "../../service.ts";

/** The query of an export. */
export const EXPORT_QUERY = z.object({ format: z.enum(["json", "markdown"]).default("json") });

/** One message of an exported conversation. */
interface ExportedMessage {
  readonly role: "user" | "assistant";
  readonly agent?: string;
  readonly content: string;
  /** It says what the agent was about to do; it is not the answer. */
  readonly commentary?: true;
  readonly at?: string;
  readonly run: string;
}

const MESSAGE = z.looseObject({
  role: z.string(),
  content: z.string(),
  agent: z.string().optional(),
  calls: z.array(z.unknown()).default([]),
});

/** A text that was said in a run, and when. */
type Said = Readonly<{ role: string; text: string; at: number }>;

/** The messages that people and agents wrote; those of tools are left out. */
export async function readConversation(
  { store: { database } }: Service,
  session: SessionRecord,
): Promise<readonly ExportedMessage[]> {
  const exported: ExportedMessage[] = [];
  for (const { run, messages } of await database.sessions.conversation(session, session.id)) {
    const said = await readSaid(database, run);
    let next = 0;
    for (const text of messages) {
      const { data } = MESSAGE.safeParse(parseJson(text));
      if (data === undefined || (data.role !== "user" && data.role !== "assistant") || data.content === "") continue;
      const { role, content, agent, calls } = data;
      const found = said.findIndex((one, index) => index >= next && one.role === role && one.text === content);
      if (found >= 0) next = found + 1;
      // A message that the run was given, not said in it, is as old as what was said before it.
      const at = said[Math.max(0, next - 1)]?.at;
      exported.push({
        role,
        ...omitUndefined({ agent: role === "assistant" ? agent : undefined }),
        content,
        ...(role === "assistant" && calls.length > 0 ? { commentary: true as const } : {}),
        ...omitUndefined({ at: at === undefined ? undefined : new Date(at).toISOString() }),
        run,
      });
    }
  }
  return exported;
}

/** All that was said in a run, in order; nothing if its log was deleted or is damaged. */
async function readSaid(database: Database, run: string): Promise<readonly Said[]> {
  const said: Said[] = [];
  try {
    for (let after = 0; ;) {
      const events = await readEvents(database, run, after);
      if (events.length === 0) return said;
      after += events.length;
      said.push(...events.flatMap(toSaid));
    }
  } catch {
    return said;
  }
}

function toSaid(event: RunEvent): readonly Said[] {
  const { at } = event;
  const one = (role: string, text: unknown) => (typeof text === "string" ? [{ role, text, at }] : []);
  if (event.type === "run.started" || event.type === "run.resumed") return one("user", event.input);
  if (event.type === "question.answered") return one("user", event.value);
  if (event.type === "command.received" && event.command.type === "say" && !isMember(event.lane))
    return one("user", event.command.text);
  return event.type === "step.ended" ? one("assistant", event.text) : [];
}

/** The conversation as Markdown. */
export function toMarkdown(session: SessionRecord, messages: readonly ExportedMessage[]): string {
  const title = session.givenTitle ?? session.title ?? session.id;
  const parts = messages.map(({ role, agent, content, commentary, at, run }) => {
    const about = [...(at === undefined ? [] : [at]), `run ${run}`, ...(commentary ? ["commentary"] : [])].join(" · ");
    return `## ${role === "user" ? "User" : (agent ?? "Assistant")}\n\n_${about}_\n\n${content}\n`;
  });
  return [`# ${title}\n`, ...parts].join("\n");
}
