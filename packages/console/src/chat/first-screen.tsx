/**
 * First screen: what Baton is in a sentence, a field to ask in, and four things to try.
 */
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { useApp } from "../app-context.ts";
import type { Example } from "./examples.ts";
import "./first-screen.css";

interface FirstScreenProps {
  readonly composer: ReactNode;
  readonly examples: readonly Example[];
  readonly onTry: (example: Example) => void;
  /** The crew under pointer or focus. */
  readonly onLook: (crew: string) => void;
  readonly note: string;
}

/** Before anything was asked. */
export function FirstScreen({ composer, examples, onTry, onLook, note }: FirstScreenProps) {
  const { words } = useApp();
  return (
    <div className="first">
      <div className="first-body">
        <h1>{words.first.title}</h1>
        <p className="first-text">{words.first.text}</p>
        {composer}
        <h2 className="visually-hidden">{words.first.examples}</h2>
        <ul className="first-examples">
          {examples.map((example) => (
            <li key={`${example.crew} ${example.text}`}>
              <button
                type="button"
                onClick={() => onTry(example)}
                onPointerEnter={() => onLook(example.crew)}
                onFocus={() => onLook(example.crew)}
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
      </div>
      <p className="first-note">{note}</p>
    </div>
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
