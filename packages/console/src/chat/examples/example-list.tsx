/**
 * Example list: things to try, each with what it shows of its crew.
 */
import { ArrowRight } from "lucide-react";
import { useApp } from "../../app-context.ts";
import type { Example } from "./examples.ts";
import "./example-list.css";

interface ExampleListProps {
  readonly examples: readonly Example[];
  readonly onTry: (example: Example) => void;
  /** Called with the crew under pointer or focus. */
  readonly onLook?: (crew: string) => void;
}

/** All of them; a press asks. */
export function ExampleList({ examples, onTry, onLook }: ExampleListProps) {
  return (
    <ul className="first-examples">
      {examples.map((example) => (
        <li key={`${example.crew} ${example.text}`}>
          <button
            type="button"
            onClick={() => onTry(example)}
            onPointerEnter={() => onLook?.(example.crew)}
            onFocus={() => onLook?.(example.crew)}
          >
            <span>
              <strong>{headOf(example.text)}</strong>
              <Ability example={example} />
            </span>
            <ArrowRight size={16} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The first sentence of a longer text. */
function headOf(text: string): string {
  const end = text.indexOf(". ");
  return end === -1 ? text : text.slice(0, end);
}

function Ability({ example: { crew, ability, agents } }: { readonly example: Example }) {
  const { words } = useApp();
  const does = words.chat.does[ability];
  return <small>{`${crew}: ${typeof does === "string" ? does : does(agents)}`}</small>;
}
