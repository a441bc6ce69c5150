/**
 * Session list: the existing conversations, to continue, find, rename, pin and delete them, and a new one.
 */
import type { SessionInfo } from "@baton/client";
import { CirclePause, Download, Ellipsis, Pencil, Pin, PinOff, Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useApp } from "../../app-context.ts";
import { useRequest } from "../../loading/use-request.ts";
import { PageLink } from "../../navigation/page-link.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/layers/menu.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { groupSessions, type ListedSession, type SessionDay } from "./group-sessions.ts";
import "./session-list.css";

/** The changes that a reader may make. */
export interface SessionActions {
  readonly onDelete: (session: ListedSession) => void;
  readonly onEdit: (session: string, edit: { readonly title?: string; readonly pinned?: boolean }) => void;
}

interface SessionsProps extends SessionActions {
  /** Undefined while they are loaded. */
  readonly sessions: readonly SessionInfo[] | undefined;
  readonly current: string | undefined;
}

const DAYS: readonly SessionDay[] = ["pinned", "today", "yesterday", "earlier"];
const SETTLE_MS = 200;
const MAX_FOUND = 30;

/** The list at the left. */
export function SessionList({ sessions, current, ...actions }: SessionsProps) {
  const { words } = useApp();
  const [q, setQ] = useState("");
  const groups = groupSessions(sessions ?? [], new Date().setHours(0, 0, 0, 0));
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
      {q.trim() === "" ? (
        DAYS.map((day) => <Group key={day} day={day} sessions={groups.get(day) ?? []} current={current} {...actions} />)
      ) : (
        <Found q={q.trim()} sessions={sessions ?? []} onClear={() => setQ("")} />
      )}
    </div>
  );
}

interface FoundProps {
  readonly q: string;
  readonly sessions: readonly SessionInfo[];
  readonly onClear: () => void;
}

/** Conversations with a message that has the words: every message is searched. */
function Found({ q, sessions, onClear }: FoundProps) {
  const { client, words } = useApp();
  const text = useSettled(q);
  const found = useRequest(`search ${text}`, () => client.runs({ q: text, limit: MAX_FOUND, after: "none" }));
  if (found.state !== "ready") return null;
  const hits = found.value.runs.filter(({ session_id }) => session_id !== undefined);
  if (hits.length === 0) {
    return (
      <div className="sessions-none">
        <p>{words.conversations.nothing(text)}</p>
        <Button kind="quiet" onPress={onClear}>
          {words.conversations.clear}
        </Button>
      </div>
    );
  }
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  return (
    <ul>
      {hits.map(({ id, input, session_id: session = "" }) => (
        <li key={id}>
          <PageLink to={{ page: "chat", session, run: id }}>
            <span className="sessions-title">{titles.get(session) ?? input}</span>
            <small>{input}</small>
          </PageLink>
        </li>
      ))}
    </ul>
  );
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface GroupProps extends SessionActions {
  readonly current: string | undefined;
  readonly day: SessionDay;
  readonly sessions: readonly ListedSession[];
}

function Group({ day, sessions, current, ...actions }: GroupProps) {
  const { words } = useApp();
  if (sessions.length === 0) return null;
  return (
    <>
      <h2>{words.conversations[day]}</h2>
      <ul>
        {sessions.map((session) => (
          <Line key={session.id} session={session} isCurrent={current === session.id} {...actions} />
        ))}
      </ul>
    </>
  );
}

interface LineProps extends SessionActions {
  readonly session: ListedSession;
  readonly isCurrent: boolean;
}

/** One conversation. F2 renames it in its place, Delete deletes it. */
function Line({ session, isCurrent, onDelete, onEdit }: LineProps) {
  const { words } = useApp();
  const [isNamed, setNamed] = useState(false);
  const { id, title, crew, isWaiting } = session;
  const press = ({ key, target }: KeyboardEvent): void => {
    if (target instanceof HTMLInputElement) return;
    if (key === "F2") setNamed(true);
    if (key === "Delete") onDelete(session);
  };
  return (
    <li className={isCurrent ? "current" : ""} onKeyDown={press}>
      {isNamed ? (
        <Rename
          title={title}
          onDone={(next) => {
            setNamed(false);
            if (next !== undefined) onEdit(id, { title: next });
          }}
        />
      ) : (
        <PageLink to={{ page: "chat", session: id }} isCurrent={isCurrent}>
          <span className="sessions-title">{title}</span>
          {crew !== undefined && <small>{crew}</small>}
          {isWaiting && <CirclePause size={14} role="img" aria-label={words.run.waiting} />}
        </PageLink>
      )}
      <LineMenu session={session} onDelete={onDelete} onEdit={onEdit} onRename={() => setNamed(true)} />
    </li>
  );
}

interface LineMenuProps extends SessionActions {
  readonly session: ListedSession;
  readonly onRename: () => void;
}

function LineMenu({ session, onDelete, onEdit, onRename }: LineMenuProps) {
  const { client, words } = useApp();
  const { conversations: say } = words;
  const { id, title, isPinned } = session;
  const save = (): void => {
    client.exportSession(id, "markdown").then((text) => saveFile(`${id}.md`, text, "text/markdown"), ignore);
  };
  return (
    <Menu
      label={`${say.more}: ${title}`}
      className="sessions-more"
      isIcon
      align="end"
      button={<Ellipsis size={15} aria-hidden />}
      items={[
        {
          id: "name",
          name: say.rename,
          aside: "F2",
          icon: <Pencil size={15} aria-hidden />,
          onPress: onRename,
        },
        {
          id: "pin",
          name: isPinned ? say.unpin : say.pin,
          icon: isPinned ? <PinOff size={15} aria-hidden /> : <Pin size={15} aria-hidden />,
          onPress: () => onEdit(id, { pinned: !isPinned }),
        },
        { id: "export", name: say.export, icon: <Download size={15} aria-hidden />, onPress: save },
        {
          id: "delete",
          name: say.delete,
          note: say.goes(session.runs),
          kind: "danger",
          icon: <Trash2 size={15} aria-hidden />,
          onPress: () => onDelete(session),
        },
      ]}
    />
  );
}

interface RenameProps {
  readonly title: string;
  /** Called with the new title; undefined if nothing changes. */
  readonly onDone: (title: string | undefined) => void;
}

function Rename({ title, onDone }: RenameProps) {
  const { words } = useApp();
  const [text, setText] = useState(title);
  const finish = (): void => onDone(text.trim() === "" || text.trim() === title ? undefined : text.trim());
  return (
    <input
      className="sessions-rename"
      autoFocus
      maxLength={200}
      aria-label={words.conversations.rename}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === "Enter") finish();
        if (key === "Escape") onDone(undefined);
      }}
    />
  );
}

function ignore(): void {}
