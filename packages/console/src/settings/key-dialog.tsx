/**
 * Key dialog: asks for the API key of a server that needs one; what was asked for is shown once it is accepted.
 */
import { type SyntheticEvent, useEffect, useId, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import "../ui/button.css";
import "../ui/dialog.css";

interface KeyDialogProps {
  /** A key was given, and refused. */
  readonly isRefused: boolean;
}

/** Stays until a key is accepted. */
export function KeyDialog({ isRefused }: KeyDialogProps) {
  const { words, setKey } = useApp();
  const { key: say } = words.lists;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") setKey(text.trim());
  };
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id={`${id}-title`}>{say.title}</h2>
      <p>{say.text}</p>
      <form className="dialog-form" onSubmit={submit}>
        <input
          type="password"
          autoComplete="off"
          aria-label={say.label}
          placeholder="bt_…"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button primary" disabled={text.trim() === ""}>
          {say.use}
        </button>
      </form>
      {isRefused && <p role="alert">{say.wrong}</p>}
      <p>
        <small>{say.hint}</small>
      </p>
    </dialog>
  );
}
