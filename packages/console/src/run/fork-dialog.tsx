/**
 * Fork dialog: a new run that goes on from an event, with the crew as it was, as it is now, or another.
 */
import type { RunInfo } from "@baton/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import type { RunStore } from "../store/run-store.ts";
import { Button } from "../ui/button.tsx";
import { formatOf } from "../ui/format.ts";
import { useLoaded } from "../use-loaded.ts";
import { toCarried } from "./carried.ts";
import "./fork-dialog.css";

interface ForkDialogProps {
  readonly info: RunInfo;
  readonly store: RunStore;
  readonly seq: number;
  readonly onClose: () => void;
}

type Choice = "was" | "now" | "other";
const CHOICES: readonly Choice[] = ["was", "now", "other"];

/** Asks with which crew to go on. */
export function ForkDialog({ info, store, seq, onClose }: ForkDialogProps) {
  const { client, words, settings, navigate } = useApp();
  const { forkDialog: say } = words.runPage;
  const dialog = useRef<HTMLDialogElement>(null);
  const [choice, setChoice] = useState<Choice>("was");
  const [other, setOther] = useState<string>();
  const [error, setError] = useState<string>();
  const crews = useLoaded("crews", () => client.crews());
  const carried = useMemo(() => toCarried(store.story, seq), [store, seq]);
  useEffect(() => dialog.current?.showModal(), []);
  const names = crews.state === "ready" ? crews.value.map(({ id }) => id) : [];
  const crew = choice === "was" ? undefined : choice === "now" ? info.crew : (other ?? names[0]);
  const make = (): void => {
    client.fork(info.id, seq, crew).then(
      ({ id }) => navigate({ page: "run", id, vs: info.id }),
      (thrown: unknown) => setError(thrown instanceof Error ? thrown.message : String(thrown)),
    );
  };
  return (
    <dialog className="fork-dialog" ref={dialog} onClose={onClose} aria-labelledby="fork-title">
      <h2 id="fork-title">{say.title(seq)}</h2>
      <p>{say.comes(carried.calls, formatOf(settings.language).money(carried.costUsd))}</p>
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
      <p className="fork-asks">{say.asks}</p>
      {error !== undefined && (
        <p className="fork-error" role="alert">
          {error}
        </p>
      )}
      <div className="fork-actions">
        <Button onPress={() => dialog.current?.close()}>{say.cancel}</Button>
        <Button kind="primary" onPress={make}>
          {say.make}
        </Button>
      </div>
    </dialog>
  );
}
