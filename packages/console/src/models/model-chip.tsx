/**
 * Model chip: what answers for a crew, in a few words; pressed, it says how a language model is chosen.
 */
import { useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { ModelNote } from "./model-note.tsx";
import { type AnsweringModel, answeringModelOf } from "./answering-model.ts";
import "../ui/dialog.css";
import "./model-chip.css";

/** Nothing until the server has said what answers. */
export function ModelChip({ crew }: { readonly crew: string }) {
  const { words, me } = useApp();
  const [isOpen, setOpen] = useState(false);
  if (me === undefined || me.model === "") return null;
  const answering = answeringModelOf(me.model, crew);
  const text = answering.kind === "models" ? answering.names.join(", ") : words.chat.answering[answering.kind];
  return (
    <>
      <button
        type="button"
        className="model-chip"
        title={words.chat.model}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span>{text}</span>
      </button>
      {isOpen && <ModelDialog answering={answering} onClose={() => setOpen(false)} />}
    </>
  );
}

function ModelDialog({ answering, onClose }: { readonly answering: AnsweringModel; readonly onClose: () => void }) {
  const { words } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-label={words.lists.model.label} onClose={onClose}>
      <ModelNote answering={answering} />
      <div className="dialog-foot">
        <Button onPress={() => dialog.current?.close()}>{words.chat.close}</Button>
      </div>
    </dialog>
  );
}
