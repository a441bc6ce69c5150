/**
 * Crew examples: what the crew's author suggests to ask it; each can be asked at once.
 */
import { ClientError, type CrewDetail } from "@baton/client";
import { ArrowUpRight } from "lucide-react";
import { useState } from "react";
import { useApp } from "../app-context.ts";
import { useStarted } from "../feed/feed-context.tsx";

/** Nothing if the crew has none. */
export function CrewExamples({ crew }: { readonly crew: CrewDetail }) {
  const { client, words, me, navigate, announce } = useApp();
  const started = useStarted();
  const [asked, setAsked] = useState<string>();
  const [problem, setProblem] = useState("");
  if (crew.examples.length === 0) return null;
  const ask = (text: string): void => {
    setAsked(text);
    setProblem("");
    announce(words.lists.crews.asking);
    client.start(crew.id, text).then(
      ({ id, session_id: session }) => {
        if (session === undefined) return navigate({ page: "run", id });
        started.add({ id, session, crew: crew.id, input: text });
        return navigate({ page: "chat", session });
      },
      (thrown: unknown) => {
        setAsked(undefined);
        setProblem(thrown instanceof ClientError ? thrown.message : String(thrown));
      },
    );
  };
  const mayAsk = me?.scopes.includes("run") !== false;
  return (
    <section className="crew-part">
      <h2>{words.lists.crews.examples}</h2>
      <ul className="crew-examples">
        {crew.examples.map((text) => (
          <li key={text}>
            <button type="button" disabled={!mayAsk || asked !== undefined} onClick={() => ask(text)}>
              <span>{text}</span>
              <ArrowUpRight size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {problem !== "" && <p role="alert">{problem}</p>}
    </section>
  );
}
