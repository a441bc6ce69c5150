/**
 * Use undone changes: the changes of memory that were undone before, as the server knows them; after a reload the card does
 * not.
 */
import { useEffect, useState } from "react";
import { useApp } from "../../app-context.ts";
import { fetchUndone } from "./memory-request.ts";
import type { MemoryNote } from "../answer/answer-notes.ts";

/** None until the server has answered; nothing is asked for if nothing can be undone. */
export function useUndoneChanges(memories: readonly MemoryNote[]): ReadonlySet<string> {
  const [undone, setUndone] = useState<ReadonlySet<string>>(new Set());
  const { signIn } = useApp();
  const canUndo = memories.some(({ undo }) => undo !== undefined);
  useEffect(() => {
    if (!canUndo) return undefined;
    let isLeft = false;
    fetchUndone(signIn).then(
      (found) => !isLeft && setUndone(found),
      () => {},
    );
    return () => {
      isLeft = true;
    };
  }, [canUndo, signIn]);
  return undone;
}
