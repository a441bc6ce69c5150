/**
 * Run footer: what an answer took, and the ways to look into it.
 */
import type { RunFeedbackInfo } from "@baton/client";
import { Play } from "lucide-react";
import { useApp } from "../../app-context.ts";
import { runTimes } from "../../store/gaps.ts";
import type { RunStore } from "../../store/run-store.ts";
import { sayTimes } from "../../format/say-times.ts";
import { MessageActions } from "./message-actions.tsx";
import { PageLink } from "../../navigation/page-link.tsx";
import { useChat } from "../chat-context.ts";
import { runFigures } from "../../store/run-figures.ts";
import { isShownCall } from "../../turn/text/provenance.ts";

interface RunFooterProps {
  readonly store: RunStore;
  readonly feedback: RunFeedbackInfo | undefined;
}

/** The last line of an exchange. */
export function RunFooter({ store, feedback }: RunFooterProps) {
  const { words, format } = useApp();
  const { display } = useChat();
  const { story } = store;
  const view = store.viewAt("live");
  const agents = new Set(story.turns.map(({ agent }) => agent)).size;
  const models = new Set(story.turns.flatMap(({ steps }) => steps.map(({ model }) => model)));
  const shown = [...models].filter((model) => !model.startsWith("code/") || model === "code/offline");
  const { turns, input, output, costUsd } = runFigures(store);
  const calls = story.turns.flatMap(({ steps }) =>
    steps.flatMap((step) => step.calls.filter((call) => isShownCall(call, step.model))),
  );
  const parts = [
    words.run.agents(agents),
    ...(story.handoffs.length > 0 ? [words.run.handoffs(story.handoffs.length)] : []),
    ...(calls.length > 0 ? [words.chat.calls(calls.length)] : []),
    words.run.turns(turns),
    words.run.inOut(format.number(input), format.number(output)),
    ...sayTimes(runTimes(store), words, format.duration),
    format.money(costUsd),
  ];
  const names = [display.crew?.id ?? view.crew, ...shown.map((model) => model.replace("code/", ""))];
  return (
    <footer className="run-footer">
      {story.ended?.outcome === "done" && <MessageActions store={store} feedback={feedback} />}
      <span>{[names.join(" · "), parts.join(", ")].join(" · ")}</span>
      <span className="run-footer-links">
        <PageLink to={{ page: "run", id: store.id, at: 1 }}>
          <Play size={13} aria-hidden />
          {words.run.replay}
        </PageLink>
        <PageLink to={{ page: "run", id: store.id }}>{words.run.open}</PageLink>
      </span>
    </footer>
  );
}
