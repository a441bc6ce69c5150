/**
 * Memory card: something that the assistant keeps about the user, with a way back.
 */
import { BookmarkCheck } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../app-context.ts";
import type { SignIn } from "../../settings/sign-in.ts";
import { Button } from "../../ui/button.tsx";
import type { MemoryNote } from "../answer/answer-notes.ts";
import { authorizationHeaders } from "./memory-request.ts";
import { textField } from "../text/provenance.ts";

interface MemoryCardProps {
  readonly memory: MemoryNote;
  /** True if the server says that it was undone before. */
  readonly isUndone: boolean;
}

/** One change of what is remembered. */
export function MemoryCard({ memory, isUndone }: MemoryCardProps) {
  const { words, signIn } = useApp();
  const [asked, setState] = useState<"kept" | "asked" | "undone">("kept");
  const state = isUndone ? "undone" : asked;
  const [problem, setProblem] = useState("");
  const titles: Readonly<Record<string, string>> = words.chat.remembered;
  const { undo, operation, text } = memory;
  const goBack = (path: string): void => {
    setState("asked");
    setProblem("");
    undoChange(path, signIn).then(
      () => setState("undone"),
      (thrown: unknown) => {
        setState("kept");
        setProblem(thrown instanceof Error ? thrown.message : String(thrown));
      },
    );
  };
  return (
    <section className="chat-memory" role="group" aria-label={titles[operation] ?? operation}>
      <BookmarkCheck size={16} aria-hidden />
      <span>
        <strong>{`${state === "undone" ? words.chat.undone : (titles[operation] ?? operation)}: `}</strong>
        {text}
      </span>
      {undo !== undefined && state !== "undone" && (
        <Button kind="quiet" disabled={state === "asked"} onPress={() => goBack(undo)}>
          {words.chat.undo}
        </Button>
      )}
      {problem !== "" && <p role="alert">{problem}</p>}
    </section>
  );
}

async function undoChange(path: string, signIn: SignIn): Promise<void> {
  const response = await fetch(path, { method: "POST", headers: authorizationHeaders(signIn) });
  if (response.ok) return;
  const body: unknown = await response.json().catch(() => undefined);
  throw new Error(textField(body, "detail") ?? `${response.status} ${response.statusText}`);
}
