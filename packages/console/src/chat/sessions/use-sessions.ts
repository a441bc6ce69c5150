/**
 * Use sessions: the conversations there are, read again when one of them changes.
 */
import type { SessionInfo } from "@baton/client";
import { useCallback, useEffect, useState } from "react";
import { useApp } from "../../app-context.ts";

const COUNT = 100;

/** Conversations, the newest first. */
export interface LoadedSessions {
  /** Undefined while they are loaded. */
  readonly sessions: readonly SessionInfo[] | undefined;
  readonly reload: () => void;
}

/** Loads conversations; again with each `changed`. */
export function useSessions(changed: string): LoadedSessions {
  const { client } = useApp();
  const [sessions, setSessions] = useState<readonly SessionInfo[]>();
  const reload = useCallback(() => {
    client.sessions({ limit: COUNT }).then(
      (page) => setSessions(page.sessions),
      () => setSessions((now) => now),
    );
  }, [client]);
  useEffect(reload, [reload, changed]);
  return { sessions, reload };
}
