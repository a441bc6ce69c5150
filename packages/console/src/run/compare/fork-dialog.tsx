/**
 * Fork dialog: a new run that continues from an event, with the crew as it was, as it is now, or another.
 */
import type { RunInfo } from "@baton/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import type { RunStore } from "../../store/run-store.ts";
import type { Aside, Story } from "../../store/story.ts";
import { Button } from "../../ui/button.tsx";
import { useRequest } from "../../loading/use-request.ts";
import { forkSavings } from "./fork-savings.ts";
import "./fork-dialog.css";

interface ForkDialogProps {
  readonly info: RunInfo;
  readonly store: RunStore;
  readonly seq: number;
  readonly onClose: () => void;
}

type Choice = "was" | "now" | "other";
const MAX_CHARS = 10_000;
const CHOICES: readonly Choice[] = ["was", "now", "other"];

/** Asks with which crew to continue. */
export function ForkDialog({ info, store, seq, onClose }: ForkDialogProps) {
  const { client, words, format, navigate } = useApp();
  const { forkDialog: say } = words.runPage;
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<Choice>("was");
  const [other, setOther] = useState<string>();
  const [input, setInput] = useState<string>();
  const [error, setError] = useState<string>();
  const crews = useRequest("crews", () => client.crews());
  const said = messageBefore(store.story, seq);
  const from = input === undefined ? seq : (said?.seq ?? 1);
  const carried = useMemo(() => forkSavings(store.story, from), [store, from]);
  useEffect(() => dialog.current?.showModal(), []);
  const names = crews.state === "ready" ? crews.value.map(({ id }) => id) : [];
  const crew = choice === "was" ? undefined : choice === "now" ? info.crew : (other ?? names[0]);
  const make = (): void => {
    const how = { ...(crew === undefined ? {} : { crew }), ...(input === undefined ? {} : { input }) };
    client.fork(info.id, seq, how).then(
      ({ id }) => navigate({ page: "run", id, vs: info.id }),
      (thrown: unknown) => setError(thrown instanceof Error ? thrown.message : String(thrown)),
    );
  };
  return (
    <dialog className="fork-dialog" ref={dialog} onClose={onClose} aria-labelledby="fork-title">
      <h2 id="fork-title">{say.title(seq)}</h2>
      <p>{say.comes(carried.calls, format.money(carried.costUsd))}</p>
      <fieldset>
        <legend>{say.goOn}</legend>
        {CHOICES.map((one) => (
          <label key={one}>
            <input type="radio" name="fork-crew" checked={choice === one} onChange={() => setChoice(one)} />
            {say[one]}
            {one === "other" && choice === "other" && (
              <select aria-label={say.which} value={crew} onChange={(event) => setOther(event.target.value)}>
                {names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </label>
        ))}
      </fieldset>
      <Reword was={said?.text ?? ""} input={input} onInput={setInput} />
      <p className="fork-asks">{say.asks}</p>
      {error !== undefined && (
        <p className="fork-error" role="alert">
          {error}
        </p>
      )}
      <div className="fork-actions">
        <Button onPress={() => dialog.current?.close()}>{say.cancel}</Button>
        <Button kind="primary" disabled={input?.trim() === ""} onPress={make}>
          {say.make}
        </Button>
      </div>
    </dialog>
  );
}

interface RewordProps {
  readonly was: string;
  readonly input: string | undefined;
  readonly onInput: (input: string | undefined) => void;
}

/** The fork may say something else instead of the last message before it. */
function Reword({ was, input, onInput }: RewordProps) {
  const { words } = useApp();
  const { forkDialog: say } = words.runPage;
  const isOn = input !== undefined;
  return (
    <div className="fork-reword">
      <label>
        <input type="checkbox" checked={isOn} onChange={() => onInput(isOn ? undefined : was)} />
        {say.reword}
      </label>
      {isOn && (
        <textarea
          rows={3}
          maxLength={MAX_CHARS}
          aria-label={say.message}
          value={input}
          onChange={(event) => onInput(event.target.value)}
        />
      )}
      {isOn && <p className="fork-asks">{say.onlyMessage}</p>}
    </div>
  );
}

/** Returns the last message of a person before an event. */
function messageBefore({ asides }: Story, seq: number): Extract<Aside, { kind: "user" }> | undefined {
  return asides.filter((aside) => aside.kind === "user").findLast((aside) => aside.seq <= seq);
}
