/**
 * Use session actions: renames, pins and deletes conversations. A deletion can be undone for some seconds, and only then
 * happens.
 */
import type { SessionInfo } from "@baton/client";
import { useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { errorText } from "../../loading/error-text.ts";
import type { SessionActions } from "./session-list.tsx";
import type { LoadedSessions } from "./use-sessions.ts";

const UNDO_MS = 10_000;

/** The conversations that are not deleted, and what can be done with them; `current` is shown. */
export function useSessionActions(
  { sessions, reload }: LoadedSessions,
  current: string | undefined,
): SessionActions & { readonly sessions: readonly SessionInfo[] | undefined } {
  const { client, words, notify, navigate } = useApp();
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const fail = (thrown: unknown): void => {
    notify(errorText(thrown));
    reload();
  };
  const restore = (id: string): void => {
    clearTimeout(timers.current.get(id));
    setDeleted((now) => new Set([...now].filter((one) => one !== id)));
  };
  return {
    sessions: sessions?.filter(({ id }) => !deleted.has(id)),
    onEdit: (id, edit) => {
      client.editSession(id, edit).then(reload, fail);
    },
    onDelete: ({ id, title }) => {
      setDeleted((now) => new Set([...now, id]));
      if (id === current) navigate({ page: "chat" });
      const remove = (): void => {
        client.deleteSession(id).then(reload, (thrown: unknown) => {
          restore(id);
          fail(thrown);
        });
      };
      timers.current.set(id, setTimeout(remove, UNDO_MS));
      notify(words.conversations.deleted(title), () => restore(id));
    },
  };
}
