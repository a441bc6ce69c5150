/**
 * Say field: what can be said to a run while it works or waits for a message.
 */
import type { Command } from "@baton/client";
import { type FormEvent, useState } from "react";
import { useApp } from "../app-context.ts";
import { useAgentName } from "../graph/agent-names.ts";
import type { RunStore } from "../store/run-store.ts";
import { sayTo } from "../store/say-to.ts";
import "./say-field.css";

/** A field for a message; questions are answered where they stand. */
export function SayField({ store }: { readonly store: RunStore }) {
  const { client, words } = useApp();
  const [error, setError] = useState<string>();
  const nameOf = useAgentName();
  const view = store.viewAt("live");
  if (view.status === "ended" || view.questions.size > 0) return null;
  const watch = (sent: Promise<unknown>): Promise<boolean> => {
    setError(undefined);
    return sent.then(
      () => true,
      (thrown: unknown) => {
        setError(thrown instanceof Error ? thrown.message : String(thrown));
        return false;
      },
    );
  };
  const send = (command: Command): Promise<boolean> => watch(client.command(store.id, command));
  const isPaused = view.status === "paused";
  const say = (text: string): Promise<boolean> =>
    isPaused ? send({ type: "resume", input: text }) : watch(sayTo(client, store, text));
  const hint = isPaused ? words.runPage.waits.answer(nameOf(view.holder)) : words.runPage.waits.say;
  return (
    <div className="asks">
      <Field hint={hint} send={words.runPage.waits.send} onSend={say} />
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

interface FieldProps {
  readonly hint: string;
  readonly send: string;
  /** Says whether it was taken; what was refused stays in the field. */
  readonly onSend: (text: string) => Promise<boolean>;
}

function Field({ hint, send, onSend }: FieldProps) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    onSend(text).then(
      (isTaken) => isTaken && setText((now) => (now === text ? "" : now)),
      () => undefined,
    );
  };
  return (
    <form className="asks-field" onSubmit={submit}>
      <input value={text} aria-label={hint} placeholder={hint} onChange={(event) => setText(event.target.value)} />
      <button type="submit" className="button plain">
        {send}
      </button>
    </form>
  );
}
