/**
 * Key dialog: asks for the API key of a server that needs one, and exchanges it for a token at once; what was asked for is
 * shown once it is accepted. A tab whose siblings are signed in asks nobody.
 */
import { ClientError, createClient } from "@baton/client";
import { type SyntheticEvent, useEffect, useId, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { errorText } from "../loading/error-text.ts";
import "../ui/button.css";
import "../ui/layers/dialog.css";

const UNAUTHORIZED = 401;

/** Stays until a key is accepted. */
export function KeyDialog() {
  const { signIn } = useApp();
  const [isAlone, setAlone] = useState(false);
  useEffect(() => {
    // The server does not accept the token of this tab, or it has none.
    signIn.forget();
    signIn.join().then(
      (isIn) => setAlone(!isIn),
      () => setAlone(true),
    );
  }, [signIn]);
  return isAlone && <Dialog />;
}

function Dialog() {
  const { words, signIn } = useApp();
  const { key: say } = words.lists;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState("");
  const [stays, setStays] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setProblem("");
    createClient({ url: "", key: key.trim() })
      .signIn()
      .then(
        ({ token }) => signIn.enter(token, { stays }),
        (thrown: unknown) => {
          const isWrong = thrown instanceof ClientError && thrown.status === UNAUTHORIZED;
          setProblem(isWrong ? say.wrong : errorText(thrown));
        },
      );
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
          autoComplete="current-password"
          aria-label={say.label}
          placeholder="bt_…"
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
        <button type="submit" className="button primary" disabled={key.trim() === ""}>
          {say.use}
        </button>
      </form>
      <label className="dialog-choice">
        <input type="checkbox" checked={stays} onChange={({ target }) => setStays(target.checked)} />
        {say.stay}
      </label>
      {problem !== "" && <p role="alert">{problem}</p>}
      <p>
        <small>{say.hint}</small>
      </p>
    </dialog>
  );
}
