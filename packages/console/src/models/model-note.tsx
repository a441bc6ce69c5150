/**
 * Model note: which model answers, and if none does, how to get one.
 */
import { useApp } from "../app-context.ts";
import { type AnsweringModel, isScripted, toSentences } from "./answering-model.ts";
import type { Words } from "../words/words.ts";
import "./model-note.css";

/** Nothing until the server has said it. Of one crew if it is told what answers for that, else of all. */
export function ModelNote({ answering }: { readonly answering?: AnsweringModel }) {
  const { words, me } = useApp();
  if (me === undefined || me.model === "") return null;
  const { model: say } = words.lists;
  return (
    <div className="model-note">
      <h2>{say.label}</h2>
      {answering !== undefined && <p>{sayAnswering(answering, say)}</p>}
      {answering === undefined && isScripted(me.model) && <p>{say.some}</p>}
      {(answering === undefined ? isScripted(me.model) : answering.kind !== "models") && <p>{say.how}</p>}
      <details>
        <summary>{say.why}</summary>
        <ul>
          {toSentences(me.model).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function sayAnswering(answering: AnsweringModel, say: Words["lists"]["model"]): string {
  return answering.kind === "models" ? say.models(answering.names.join(", ")) : say[answering.kind];
}
