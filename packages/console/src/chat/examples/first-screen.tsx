/**
 * First screen: what Baton is in a sentence, a field to ask in, and four things to try.
 */
import type { ReactNode } from "react";
import { useApp } from "../../app-context.ts";
import { SendingMessage } from "../../turn/sent-message.tsx";
import { ExampleList } from "./example-list.tsx";
import type { Example } from "./examples.ts";
import "./first-screen.css";

interface FirstScreenProps {
  readonly composer: ReactNode;
  /** A message that is being sent: then there is nothing else to try. */
  readonly outgoing: string | undefined;
  readonly examples: readonly Example[];
  readonly onTry: (example: Example) => void;
  /** The crew under pointer or focus. */
  readonly onLook: (crew: string) => void;
  readonly note: string;
}

/** Before anything was asked. */
export function FirstScreen({ composer, outgoing, examples, onTry, onLook, note }: FirstScreenProps) {
  const { words } = useApp();
  return (
    <div className="first">
      <div className="first-body">
        <h1>{words.first.title}</h1>
        {outgoing === undefined ? <p className="first-text">{words.first.text}</p> : <SendingMessage text={outgoing} />}
        {composer}
        <h2 className="visually-hidden">{words.first.examples}</h2>
        {outgoing === undefined && <ExampleList examples={examples} onTry={onTry} onLook={onLook} />}
      </div>
      <p className="first-note">{note}</p>
    </div>
  );
}
