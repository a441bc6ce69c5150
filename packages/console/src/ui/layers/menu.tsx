/**
 * Menu: a button with a list of things to do, or of values to choose from. Arrows, Home, End and letters move in it.
 */
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { PopoverLayer, type PopoverProps } from "./popover.tsx";

/** One line of a menu. */
export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly icon?: ReactNode;
  /** A second line, smaller. */
  readonly note?: string;
  /** At the right: a key, a price. */
  readonly aside?: string;
  readonly kind?: "danger";
  readonly isDisabled?: boolean;
  /** In a list of values: true for the one that is chosen. */
  readonly isChosen?: boolean;
  readonly onPress: () => void;
}

interface MenuProps extends PopoverProps {
  readonly items: readonly MenuItem[];
  /** `listbox`: a value is chosen. */
  readonly role?: "menu" | "listbox";
}

type Move = (at: number, count: number) => number;

const MOVES: ReadonlyMap<string, Move> = new Map<string, Move>([
  ["ArrowDown", (at, count) => (at + 1) % count],
  ["ArrowUp", (at, count) => (at - 1 + count) % count],
  ["Home", () => 0],
  ["End", (_, count) => count - 1],
]);
const TYPED_MS = 700;

/** The button and its menu. */
export function Menu({ items, role = "menu", ...props }: MenuProps) {
  const layer = useRef<HTMLDivElement>(null);
  const linesOf = (): readonly HTMLElement[] => [...(layer.current?.querySelectorAll<HTMLElement>(".menu-item") ?? [])];
  const focusFirst = (): void => {
    const chosen = items.findIndex(({ isChosen }) => isChosen === true);
    linesOf()[Math.max(0, chosen)]?.focus();
  };
  const findTyped = useTyped();
  const press = (event: KeyboardEvent): void => {
    const lines = linesOf();
    const at = lines.findIndex((line) => line === document.activeElement);
    const move = MOVES.get(event.key);
    if (event.key === "Tab") layer.current?.hidePopover();
    const next = move === undefined ? findTyped(event, items, at) : move(at, lines.length);
    if (next === undefined) return;
    event.preventDefault();
    lines[next]?.focus();
  };
  return (
    <PopoverLayer {...props} role={role} layer={layer} layerClass="menu" onOpen={focusFirst}>
      <div className="menu-lines" role="presentation" onKeyDown={press}>
        {items.map((item) => (
          <Line key={item.id} item={item} role={role} onClose={() => layer.current?.hidePopover()} />
        ))}
      </div>
    </PopoverLayer>
  );
}

interface LineProps {
  readonly item: MenuItem;
  readonly role: "menu" | "listbox";
  readonly onClose: () => void;
}

function Line({ item, role, onClose }: LineProps) {
  const { name, icon, note, aside, kind = "", isDisabled = false, isChosen, onPress } = item;
  const choose = (): void => {
    if (isDisabled) return;
    onClose();
    onPress();
  };
  const mark = isChosen === true ? <Check size={15} aria-hidden /> : <span className="menu-space" />;
  return (
    <button
      type="button"
      role={role === "listbox" ? "option" : "menuitem"}
      className={`menu-item ${kind}`}
      tabIndex={-1}
      aria-disabled={isDisabled}
      aria-selected={role === "listbox" ? isChosen === true : undefined}
      onClick={choose}
    >
      {icon ?? mark}
      <span>
        <span className="menu-name">{name}</span>
        {note !== undefined && <small>{note}</small>}
      </span>
      {aside !== undefined && <span className="menu-aside">{aside}</span>}
    </button>
  );
}

/** Finds the next line that begins with the letters that were typed one after another. */
function useTyped(): (event: KeyboardEvent, items: readonly MenuItem[], at: number) => number | undefined {
  const typed = useRef({ text: "", at: 0 });
  return (event, items, at) => {
    if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const isFresh = event.timeStamp - typed.current.at > TYPED_MS;
    const text = (isFresh ? "" : typed.current.text) + event.key.toLowerCase();
    typed.current = { text, at: event.timeStamp };
    const from = text.length === 1 ? at + 1 : at;
    const order = items.map((_, index) => (index + Math.max(0, from)) % items.length);
    return order.find((index) => items[index]?.name.toLowerCase().startsWith(text) === true);
  };
}
