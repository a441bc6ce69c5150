/**
 * Conversation view: the exchanges of a session, oldest first, made for reading: nothing moves by itself.
 */
import { ArrowDown } from "lucide-react";
import { useApp } from "../../app-context.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { Button } from "../../ui/button.tsx";
import { PageLink } from "../../navigation/page-link.tsx";
import { SendingMessage } from "../../turn/sent-message.tsx";
import { Exchange } from "./exchange.tsx";
import type { ShownExchange } from "./use-exchange.ts";
import type { LoadedConversation as Loaded, ListedRun } from "./use-conversation.ts";
import { useConversationScroll } from "./use-conversation-scroll.ts";

interface ConversationProps {
  readonly conversation: Loaded;
  /** Runs that this tab has started. */
  readonly own: ReadonlySet<string>;
  readonly show: "work" | "answer";
  readonly isWorking: boolean;
  readonly target: string | undefined;
  /** A message that is being sent. */
  readonly outgoing: string | undefined;
  readonly onShown: (shown: ShownExchange) => void;
}

/** All exchanges that are loaded. */
export function ConversationView(props: ConversationProps) {
  const { conversation, own, show, isWorking, target, outgoing, onShown } = props;
  const { words } = useApp();
  const { runs, older, state } = conversation;
  const last = runs.at(-1)?.id;
  const isOwn = last !== undefined && own.has(last);
  const { scroller, isBehind, follow } = useConversationScroll({ last, isOwn, isWorking, target });
  const isNotThere = state === "failed" || (state === "ready" && runs.length === 0);
  return (
    <div className="conversation">
      <div className="conversation-scroll" ref={scroller} data-scroll="conversation" tabIndex={-1}>
        <div className="conversation-column">
          {!isNotThere && <h1 className="visually-hidden">{runs[0]?.input ?? words.pages.chat}</h1>}
          {older !== undefined && (
            <Button kind="quiet" onPress={older}>
              {words.chat.older}
            </Button>
          )}
          {isNotThere && <NotThere conversation={conversation} />}
          {state === "loading" && runs.length === 0 && <Skeleton />}
          {runs.map((run: ListedRun) => (
            <Boundary key={run.id} of={run.id}>
              <Exchange
                run={run.id}
                input={run.input}
                feedback={run.feedback}
                isLast={run.id === last}
                show={show}
                onShown={onShown}
              />
            </Boundary>
          ))}
          {outgoing !== undefined && <SendingMessage text={outgoing} />}
        </div>
      </div>
      {isBehind && (
        <button type="button" className="conversation-latest" onClick={follow}>
          <ArrowDown size={14} aria-hidden />
          {words.run.latest}
        </button>
      )}
    </div>
  );
}

function NotThere({ conversation: { error } }: Pick<ConversationProps, "conversation">) {
  const { words } = useApp();
  const isKnown = error === undefined || error.code === "not_found";
  return (
    <div className="conversation-none">
      <h1>{isKnown ? words.chat.gone : error.message}</h1>
      <PageLink to={{ page: "chat" }}>{words.chat.startNew}</PageLink>
    </div>
  );
}

function Skeleton() {
  return (
    <div className="conversation-skeleton" aria-hidden>
      <span />
      <span />
      <span />
    </div>
  );
}
