/**
 * Source chips: where the figures of an answer come from, numbered; each leads to its call.
 */
import { useApp } from "../../app-context.ts";
import { useShownRun } from "../run-context.ts";
import { describedBy } from "../../ui/layers/tooltip.tsx";
import type { AnswerSource } from "../text/provenance.ts";

/** The sources of an answer. */
export function SourceChips({ sources }: { readonly sources: readonly AnswerSource[] }) {
  const { words, format } = useApp();
  const { showCall } = useShownRun();
  const kinds: Readonly<Record<string, string>> = words.chat.kinds;
  return (
    <ul className="chat-sources" aria-label={words.run.sources}>
      {sources.map(({ n, title, kind, asOf, call, note }) => (
        <li key={n}>
          <button type="button" onClick={() => showCall({ call })} {...describedBy(note)}>
            <b>{n}</b>
            <span>{`${title} · ${kinds[kind] ?? kind} · ${format.day(asOf)}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
