/**
 * Group sessions: conversations by the day of their last use.
 */
import type { SessionInfo } from "@baton/client";
import { textField } from "../../turn/text/provenance.ts";

/** When conversations were last used. */
export type SessionDay = "today" | "yesterday" | "earlier";

/** A conversation as the list shows it. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly crew?: string;
  /** True if it waits for a person. */
  readonly isWaiting: boolean;
}

const ID_CHARS = 8;
const DAY_MS = 86_400_000;

/** A conversation by its title; one without by the beginning of its id. */
function toListed(session: SessionInfo): ListedSession {
  const crew = textField(session, "crew");
  const title = textField(session, "title") ?? "";
  return {
    id: session.id,
    title: title.trim() === "" ? session.id.slice(0, ID_CHARS) : title,
    ...(crew === undefined ? {} : { crew }),
    isWaiting: session.paused_run !== undefined,
  };
}

/** Those whose title or crew has the words, by day. `midnight` is the beginning of today. */
export function groupSessions(
  sessions: readonly SessionInfo[],
  q: string,
  midnight: number,
): ReadonlyMap<SessionDay, readonly ListedSession[]> {
  const groups = new Map<SessionDay, ListedSession[]>();
  const wanted = q.trim().toLocaleLowerCase();
  for (const session of sessions) {
    const listed = toListed(session);
    const text = `${listed.title} ${listed.crew ?? ""} ${listed.id}`.toLocaleLowerCase();
    if (!text.includes(wanted)) continue;
    const day = dayOf(Date.parse(session.updated_at), midnight);
    groups.set(day, [...(groups.get(day) ?? []), listed]);
  }
  return groups;
}

function dayOf(at: number, midnight: number): SessionDay {
  if (at >= midnight) return "today";
  return at >= midnight - DAY_MS ? "yesterday" : "earlier";
}
