/**
 * Model note: which model answers, and if none does, how to get one.
 */
import { useApp } from "../app-context.ts";
import { isScripted, toSentences } from "./model-words.ts";
import "./model-note.css";

/** Nothing until the server has said it. */
export function ModelNote() {
  const { words, me } = useApp();
  if (me === undefined || me.model === "") return null;
  const { model: say } = words.lists;
  return (
    <div className="model-note">
      <h2>{say.label}</h2>
      {isScripted(me.model) && <p>{`${say.offline} ${say.how}`}</p>}
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
