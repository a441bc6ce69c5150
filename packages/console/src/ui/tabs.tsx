/**
 * Tabs: one row of names over a panel; arrows, Home and End move in it.
 */
import type { KeyboardEvent } from "react";
import "./tabs.css";

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Readonly<{ name: Name; text: string }>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** The id of the panel; each tab has the id `PANEL-NAME`. */
  readonly panel: string;
}

/** The row; the panel is the caller's, with `role="tabpanel"`. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose, panel }: TabsProps<Name>) {
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const last = tabs.length - 1;
    const moves: ReadonlyMap<string, number> = new Map([
      ["ArrowRight", at === last ? 0 : at + 1],
      ["ArrowLeft", at === 0 ? last : at - 1],
      ["Home", 0],
      ["End", last],
    ]);
    const next = tabs[moves.get(event.key) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(next.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={press}>
      {tabs.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${panel}-${name}`}
          data-tab={name}
          tabIndex={name === chosen ? 0 : -1}
          aria-selected={name === chosen}
          aria-controls={panel}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
