/**
 * Ask here: what the list of runs shows before there is one: a field to ask in, and things to try.
 */
import { useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { ChatComposer } from "../chat/composer/chat-composer.tsx";
import type { ComposerHandle } from "../chat/composer/composer.tsx";
import { ExampleList } from "../chat/examples/example-list.tsx";
import { useSendMessage } from "../chat/composer/use-send-message.ts";
import { useAskedCrew, useCrewCatalog } from "../chat/use-crew-catalog.ts";
import { useExamples } from "../chat/examples/use-examples.ts";

/** A question that is asked here becomes a conversation. */
export function AskHere() {
  const { words } = useApp();
  const book = useCrewCatalog();
  const composer = useRef<ComposerHandle>(null);
  const [chosen, setChosen] = useState<string>();
  const [model, setModel] = useState<string>();
  const asked = useAskedCrew(book, { chosen });
  const { sender, sendTo } = useSendMessage(composer, { session: undefined, crew: asked, model });
  const examples = useExamples(book, chosen);
  return (
    <div className="runs-ask">
      <h2>{words.lists.runs.none}</h2>
      <ChatComposer
        handle={composer}
        book={book}
        crew={asked}
        canChoose
        sender={sender}
        current={undefined}
        model={model}
        onChoose={setChosen}
        onModel={setModel}
        onAsk={(text, images) => sendTo(asked, text, images)}
      />
      <ExampleList examples={examples} onTry={({ crew, text }) => sendTo(crew, text, [])} />
    </div>
  );
}
