/**
 * Group sessions: conversations by the day of their last use; pinned ones are first.
 */
import type { SessionInfo } from "@baton/client";
import { textField } from "../../turn/text/provenance.ts";

/** When conversations were last used. */
export type SessionDay = "pinned" | "today" | "yesterday" | "earlier";

/** A conversation as the list shows it. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
  readonly crew?: string;
  /** True if it waits for a person. */
  readonly isWaiting: boolean;
  readonly isPinned: boolean;
  /** The number of its runs. */
  readonly runs: number;
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
    isPinned: session.pinned,
    runs: session.runs,
  };
}

/** Conversations by day. `midnight` is the beginning of today. */
export function groupSessions(
  sessions: readonly SessionInfo[],
  midnight: number,
): ReadonlyMap<SessionDay, readonly ListedSession[]> {
  const groups = new Map<SessionDay, ListedSession[]>();
  for (const session of sessions) {
    const day = session.pinned ? "pinned" : dayOf(Date.parse(session.updated_at), midnight);
    groups.set(day, [...(groups.get(day) ?? []), toListed(session)]);
  }
  return groups;
}

function dayOf(at: number, midnight: number): SessionDay {
  if (at >= midnight) return "today";
  return at >= midnight - DAY_MS ? "yesterday" : "earlier";
}
