/**
 * Use undone changes: which changes of memory were undone already, as the server knows it; a card alone cannot after a reload.
 */
import { useEffect, useState } from "react";
import { fetchUndone } from "./memory-request.ts";
import type { MemoryChange } from "../answer/answer-notes.ts";

/** None until the server has answered; nothing is asked for if nothing can be undone. */
export function useUndoneChanges(memories: readonly MemoryChange[]): ReadonlySet<string> {
  const [undone, setUndone] = useState<ReadonlySet<string>>(new Set());
  const canUndo = memories.some(({ undo }) => undo !== undefined);
  useEffect(() => {
    if (!canUndo) return undefined;
    let isLeft = false;
    fetchUndone().then(
      (found) => !isLeft && setUndone(found),
      () => {},
    );
    return () => {
      isLeft = true;
    };
  }, [canUndo]);
  return undone;
}
