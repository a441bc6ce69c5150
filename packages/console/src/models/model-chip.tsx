/**
 * Model chip: what answers for a crew, in a few words; pressed, it says how a language model is chosen.
 */
import { useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/layers/dialog.tsx";
import { ModelNote } from "./model-note.tsx";
import { type AnsweringModel, answeringModelOf } from "./answering-model.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";
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
        {...describedBy(words.chat.model)}
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
  return (
    <Dialog label={words.lists.model.label} onClose={onClose}>
      <ModelNote answering={answering} />
      <div className="dialog-foot">
        <Button onPress={onClose}>{words.chat.close}</Button>
      </div>
    </Dialog>
  );
}
