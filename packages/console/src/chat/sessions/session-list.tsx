/**
 * Session list: the existing conversations, to continue them, and a new one.
 */
import type { SessionInfo } from "@baton/client";
import { CirclePause, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../app-context.ts";
import { PageLink } from "../../navigation/page-link.tsx";
import { type SessionDay, groupSessions, type ListedSession } from "./group-sessions.ts";
import "./session-list.css";

interface SessionsProps {
  /** Undefined while they are loaded. */
  readonly sessions: readonly SessionInfo[] | undefined;
  readonly current: string | undefined;
  readonly onDelete: (session: string) => void;
}

const DAYS: readonly SessionDay[] = ["today", "yesterday", "earlier"];

/** The list at the left. */
export function SessionList({ sessions, current, onDelete }: SessionsProps) {
  const { words } = useApp();
  const [q, setQ] = useState("");
  const groups = groupSessions(sessions ?? [], q, new Date().setHours(0, 0, 0, 0));
  return (
    <div className="sessions">
      <PageLink to={{ page: "chat" }} className="sessions-new">
        <Plus size={16} aria-hidden />
        {words.conversations.new}
      </PageLink>
      {(sessions?.length ?? 0) > 0 && (
        <input
          type="search"
          className="sessions-search"
          value={q}
          placeholder={words.conversations.search}
          aria-label={words.conversations.search}
          onChange={(event) => setQ(event.target.value)}
        />
      )}
      {sessions?.length === 0 && (
        <>
          <h2>{words.conversations.title}</h2>
          <p className="sessions-none">{words.conversations.none}</p>
        </>
      )}
      {DAYS.map((day) => (
        <Group key={day} day={day} sessions={groups.get(day) ?? []} current={current} onDelete={onDelete} />
      ))}
    </div>
  );
}

interface GroupProps extends Pick<SessionsProps, "current" | "onDelete"> {
  readonly day: SessionDay;
  readonly sessions: readonly ListedSession[];
}

function Group({ day, sessions, current, onDelete }: GroupProps) {
  const { words } = useApp();
  if (sessions.length === 0) return null;
  return (
    <>
      <h2>{words.conversations[day]}</h2>
      <ul>
        {sessions.map(({ id, title, crew, isWaiting }) => (
          <li key={id} className={current === id ? "current" : ""}>
            <PageLink to={{ page: "chat", session: id }} isCurrent={current === id}>
              <span className="sessions-title">{title}</span>
              {crew !== undefined && <small>{crew}</small>}
              {isWaiting && <CirclePause size={14} role="img" aria-label={words.run.waiting} />}
            </PageLink>
            <Delete title={title} onDelete={() => onDelete(id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Asks once more before it deletes. */
function Delete({ title, onDelete }: { readonly title: string; readonly onDelete: () => void }) {
  const { words } = useApp();
  const [isSure, setSure] = useState(false);
  const label = isSure ? words.chat.deleteSure : words.conversations.delete;
  return (
    <button
      type="button"
      className={isSure ? "sure" : ""}
      aria-label={`${label}: ${title}`}
      data-tip={label}
      onClick={() => (isSure ? onDelete() : setSure(true))}
      onBlur={() => setSure(false)}
      onPointerLeave={() => setSure(false)}
    >
      {isSure ? label : <Trash2 size={14} aria-hidden />}
    </button>
  );
}
