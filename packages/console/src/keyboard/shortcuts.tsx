/**
 * Shortcuts: every key of the console and what it does.
 */
import { ArrowLeft, ArrowRight, Command, type LucideIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import "../ui/dialog.css";
import "./keyboard-layer.css";

const GROUPS = {
  everywhere: [
    ["palette", ["Ctrl K", "Command K"]],
    ["pages", ["1", "2", "3", "4"]],
    ["new", ["N"]],
    ["search", ["/"]],
    ["help", ["?"]],
  ],
  chat: [
    ["stage", ["S"]],
    ["work", ["W"]],
    ["stop", ["Esc"]],
  ],
  run: [
    ["play", ["Space"]],
    ["event", ["Left", "Right"]],
    ["turn", ["Shift Left", "Shift Right"]],
    ["ends", ["Home", "End"]],
    ["live", ["L"]],
    ["fork", ["F"]],
    ["inspector", ["X", "O", "E"]],
    ["speed", [",", "."]],
    ["axis", ["T"]],
    ["copy", ["C"]],
  ],
} as const;
/** Keys that are drawn: the font has no such characters. */
const DRAWN: ReadonlyMap<string, LucideIcon> = new Map([
  ["Command", Command],
  ["Left", ArrowLeft],
  ["Right", ArrowRight],
]);
const NAMES = ["everywhere", "chat", "run"] as const;

/** The list, in a dialog. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const { words } = useApp();
  const { shortcuts: say } = words.lists;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog shortcuts" aria-label={say.title} onClose={onClose}>
      <h2 tabIndex={-1}>{say.title}</h2>
      {NAMES.map((group) => (
        <section key={group}>
          <h3>{say[group]}</h3>
          <dl>
            {GROUPS[group].map(([name, keys]) => (
              <div key={name}>
                <dt>{say.names[name]}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>
                      <Key name={key} names={say.keys} />
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p>
        <small>{say.off}</small>
      </p>
      <div className="dialog-foot">
        <Button onPress={onClose}>{say.close}</Button>
      </div>
    </dialog>
  );
}

/** The keys that are pressed at once. */
function Key({ name, names }: { readonly name: string; readonly names: Readonly<Record<string, string>> }) {
  return name.split(" ").map((part) => {
    const Icon = DRAWN.get(part);
    return Icon === undefined ? (
      <span key={part}>{part}</span>
    ) : (
      <Icon key={part} size={12} role="img" aria-label={names[part] ?? part} />
    );
  });
}
