/**
 * Palette: goes to a page, a conversation, a run or a crew by a few letters of its name.
 */
import { useEffect, useId, useState } from "react";
import { useApp } from "../app-context.ts";
import type { PageRoute } from "../navigation/route.ts";
import { Dialog } from "../ui/layers/dialog.tsx";
import { useRequest } from "../loading/use-request.ts";
import "./keyboard-layer.css";

interface Entry {
  readonly group: "pages" | "crews" | "sessions" | "runs";
  readonly name: string;
  readonly hint: string;
  readonly to: PageRoute;
}

const PAGES = ["chat", "runs", "crews", "overview"] as const;
const MAX_FOUND = 6;
const SETTLE_MS = 120;
const STEPS: ReadonlyMap<string, number> = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
]);

/** The palette, until something was chosen. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { words, navigate } = useApp();
  const { palette: say } = words.lists;
  const id = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(useSettled(text));
  useEffect(() => setChosen(0), [text]);
  const at = Math.min(chosen, entries.length - 1);
  const go = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    navigate(entry.to);
  };
  return (
    <Dialog label={say.title} className="palette" onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        aria-label={say.search}
        placeholder={say.search}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(entries[at]);
          const step = STEPS.get(event.key);
          if (step !== undefined) setChosen(Math.max(0, Math.min(at + step, entries.length - 1)));
          if (step !== undefined || event.key === "Enter") event.preventDefault();
        }}
      />
      <Found id={id} entries={entries} at={at} onPoint={setChosen} onChoose={go} />
      {entries.length === 0 && <p>{say.none}</p>}
    </Dialog>
  );
}

interface FoundProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (entry: Entry) => void;
}

function Found({ id, entries, at, onPoint, onChoose }: FoundProps) {
  const { words } = useApp();
  const { palette: say } = words.lists;
  return (
    <ul id={`${id}-list`} role="listbox" aria-label={say.title}>
      {entries.map((entry, index) => (
        <li
          key={`${entry.group} ${JSON.stringify(entry.to)}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerMove={() => onPoint(index)}
          onClick={() => onChoose(entry)}
        >
          <span>{entry.name}</span>
          <small>{`${say[entry.group]}${entry.hint === "" ? "" : ` · ${entry.hint}`}`}</small>
        </li>
      ))}
    </ul>
  );
}

/** Finds pages and crews by their name, conversations and runs by their first message. */
function useEntries(text: string): readonly Entry[] {
  const { client, words } = useApp();
  const q = text === "" ? {} : { q: text };
  const crews = useRequest("crews", () => client.crews());
  const sessions = useRequest(`sessions ${text}`, () => client.sessions({ ...q, limit: MAX_FOUND }));
  const runs = useRequest(`runs ${text}`, () => client.runs({ ...q, limit: MAX_FOUND, after: "none" }));
  const fits = (name: string): boolean => name.toLowerCase().includes(text.toLowerCase());
  const pages = PAGES.map((page): Entry => ({ group: "pages", name: words.pages[page], hint: "", to: { page } }));
  const served = crews.state === "ready" ? crews.value : [];
  return [
    ...pages.filter(({ name }) => fits(name)),
    ...served
      .filter(({ id, name }) => text !== "" && (fits(id) || fits(name)))
      .map(({ id, description }): Entry => ({ group: "crews", name: id, hint: description, to: { page: "crew", id } })),
    ...(sessions.state === "ready" ? sessions.value.sessions : []).map(
      ({ id, title = words.conversations.untitled, crew = "" }): Entry => ({
        group: "sessions",
        name: title,
        hint: crew,
        to: { page: "chat", session: id },
      }),
    ),
    ...(runs.state === "ready" ? runs.value.runs : []).map(({ id, input, crew }): Entry => ({
      group: "runs",
      name: input,
      hint: crew,
      to: { page: "run", id },
    })),
  ];
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
