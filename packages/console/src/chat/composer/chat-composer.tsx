/**
 * Chat composer: the field for messages as the run wants it: a question, something to say while it works, or an answer.
 */
import { ChevronDown, Network } from "lucide-react";
import { type Ref, useEffect, useState } from "react";
import { useApp } from "../../app-context.ts";
import { sayTo } from "../../store/say-to.ts";
import { sendOrKeep } from "../../store/send-or-keep.ts";
import { useChanges } from "../../store/use-run.ts";
import { crewDisplayOf, nameOf } from "../../turn/crew-display.ts";
import { errorText } from "../../loading/error-text.ts";
import { Composer, type ComposerHandle } from "./composer.tsx";
import type { ChosenImage } from "./images.ts";
import { Menu } from "../../ui/layers/menu.tsx";
import { ModelPicker } from "../../models/model-picker.tsx";
import { useSecondsUntil } from "../../ui/use-seconds-until.ts";
import { phaseOf, type RunPhase } from "../run-phase.ts";
import type { CrewCatalog } from "../use-crew-catalog.ts";
import { usePageKeys } from "../../keyboard/use-page-keys.ts";
import type { ShownExchange } from "../conversation/use-exchange.ts";
import type { Sender } from "./use-sender.ts";

interface ChatComposerProps {
  readonly handle: Ref<ComposerHandle>;
  readonly book: CrewCatalog;
  readonly crew: string | undefined;
  readonly canChoose: boolean;
  readonly sender: Sender;
  /** The last run of the conversation. */
  readonly current: ShownExchange | undefined;
  /** The model that is chosen; undefined: the crew's own. */
  readonly model: string | undefined;
  readonly onChoose: (crew: string) => void;
  readonly onModel: (model: string | undefined) => void;
  readonly onAsk: (text: string, images: readonly ChosenImage[]) => void;
}

/** The field. It stays the same one when a run begins: what is being written is kept. */
export function ChatComposer(props: ChatComposerProps) {
  const store = props.current?.store;
  useChanges(store);
  return <Field {...props} phase={store === undefined ? { kind: "ended" } : phaseOf(store.story)} />;
}

function Field(props: ChatComposerProps & { readonly phase: RunPhase }) {
  const { handle, sender, current, phase, onAsk } = props;
  const store = current?.store;
  const { client, words } = useApp();
  const [problem, setProblem] = useState("");
  const told = useProblem(sender);
  const connection = current?.connection.state;
  // What the server could not be told can be sent again once it is back; the words for it are no longer true.
  useEffect(() => {
    if (connection === "open") setProblem("");
  }, [connection]);
  const command = (sent: Promise<unknown>, onDone: () => void): void => {
    setProblem("");
    sent.then(onDone, (thrown: unknown) => setProblem(errorText(thrown)));
  };
  const clear = (): void => {
    if (typeof handle === "object" && handle !== null) handle.current?.clear();
  };
  const send = (text: string, images: readonly ChosenImage[]): void => {
    setProblem("");
    if (store === undefined || phase.kind === "ended") return onAsk(text, images);
    if (phase.kind === "message" && phase.question === undefined) return onAsk(text, images);
    if (phase.kind === "message") {
      const question = phase.question ?? "";
      return command(client.command(store.id, { type: "answer", question, value: text }), clear);
    }
    return command(sayTo(client, store, text), clear);
  };
  const stop = (): void => {
    if (store === undefined) return;
    const cancel = () => client.command(store.id, { type: "cancel", reason: "stopped in the console" });
    const tell = (failure?: unknown): void => setProblem(failure === undefined ? "" : errorText(failure));
    setProblem("");
    sendOrKeep(cancel, tell).then((how) => how === "kept" && setProblem(words.runPage.stopKept), tell);
  };
  const canStop = store !== undefined && phase.kind !== "ended";
  usePageKeys(canStop ? { Escape: stop } : {});
  return (
    <Composer
      handle={handle}
      placeholder={usePlaceholder(props)}
      takesImages={phase.kind !== "working" && phase.kind !== "questions"}
      isBusy={sender.sending.state === "sending" || sender.sending.state === "kept"}
      onSend={send}
      onStop={canStop ? stop : undefined}
      chips={<Chips {...props} />}
      {...(problem === "" && told === undefined ? {} : { problem: told ?? problem })}
    />
  );
}

/** The placeholder of an empty field. */
function usePlaceholder({ book, crew, phase }: ChatComposerProps & { readonly phase: RunPhase }): string {
  const { words } = useApp();
  if (phase.kind === "message") {
    return words.composer.answer(nameOf(crewDisplayOf(book.details.get(crew ?? "")), phase.agent));
  }
  if (phase.kind === "questions") return words.run.waiting;
  if (phase.kind === "working") return words.composer.say;
  return words.composer.ask(crew ?? "");
}

/** Why the last message is not sent. */
function useProblem({ sending, drop }: Sender) {
  const { words } = useApp();
  const seconds = useSecondsUntil(sending.state === "refused" ? sending.nextAt : undefined);
  if (sending.state === "kept") {
    return (
      <>
        {words.chat.pending}
        <button type="button" onClick={drop}>
          {words.chat.dontSend}
        </button>
      </>
    );
  }
  if (sending.state !== "refused") return undefined;
  return seconds === 0 ? sending.message : `${sending.message} ${words.composer.wait(seconds)}`;
}

function CrewPicker({ book, crew = "", canChoose, onChoose }: ChipsProps) {
  const { words } = useApp();
  const named = (
    <>
      <Network size={13} aria-hidden />
      <span>{crew}</span>
      {canChoose && <ChevronDown size={13} aria-hidden />}
    </>
  );
  if (!canChoose) return <span className="composer-chip named">{named}</span>;
  const items = (book.crews ?? []).map(({ id, description }) => ({
    id,
    name: id,
    note: description,
    isChosen: id === crew,
    onPress: () => onChoose(id),
  }));
  return (
    <Menu
      role="listbox"
      label={`${words.composer.crew}: ${crew}`}
      className="composer-chip named"
      isIcon
      button={named}
      items={items}
    />
  );
}

type ChipsProps = Pick<ChatComposerProps, "book" | "crew" | "canChoose" | "onChoose">;
type AllChipsProps = ChipsProps & Pick<ChatComposerProps, "model" | "onModel">;

function Chips({ book, crew, canChoose, model, onChoose, onModel }: AllChipsProps) {
  return (
    <>
      {crew !== undefined && <CrewPicker book={book} crew={crew} canChoose={canChoose} onChoose={onChoose} />}
      {crew !== undefined && <ModelPicker crew={crew} model={model} onModel={onModel} />}
    </>
  );
}
