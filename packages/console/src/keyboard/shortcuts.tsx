/**
 * Shortcuts: every key of the console and what it does.
 */
import { ArrowLeft, ArrowRight, Command, type LucideIcon } from "lucide-react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/layers/dialog.tsx";
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
  return (
    <Dialog label={say.title} className="shortcuts" onClose={onClose}>
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
    </Dialog>
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
