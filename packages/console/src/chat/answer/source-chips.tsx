/**
 * Source chips: where the figures of an answer come from, numbered; each leads to its call.
 */
import { useApp } from "../../app-context.ts";
import { useChat } from "../chat-context.ts";
import { formatDay } from "../../ui/format-day.ts";
import type { AnswerSource } from "./provenance.ts";

/** The sources of an answer. */
export function SourceChips({ sources }: { readonly sources: readonly AnswerSource[] }) {
  const { words, settings } = useApp();
  const { showCall } = useChat();
  const kinds: Readonly<Record<string, string>> = words.chat.kinds;
  return (
    <ul className="chat-sources" aria-label={words.run.sources}>
      {sources.map(({ n, title, kind, asOf, call, note }) => (
        <li key={n}>
          <button type="button" onClick={() => showCall(call)} {...(note === undefined ? {} : { title: note })}>
            <b>{n}</b>
            <span>{`${title} · ${kinds[kind] ?? kind} · ${formatDay(asOf, settings.language)}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
