/**
 * Replay check: whether the run would go the same way again; with nothing called. Against the crew as it is now it also
 * says whose prompt is another one, which the recorded replies do not show.
 */
import type { Replayed, RunInfo } from "@baton/client";
import { Check, TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../app-context.ts";
import { Button } from "../../ui/button.tsx";
import type { Story } from "../../store/story.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import { changedAgents, firstAsked } from "./crew-change.ts";
import { describedBy } from "../../ui/layers/tooltip.tsx";

interface ReplayCheckProps {
  readonly info: RunInfo;
  readonly story: Story;
  readonly replayed: Replayed | undefined;
  readonly onReplayed: (replayed: Replayed | undefined) => void;
  readonly onSeek: (seq: number) => void;
}

type State = "rest" | "checking" | "failed";

/** Checks on demand; shows where it first differs. */
export function ReplayCheck({ info, story, replayed, onReplayed, onSeek }: ReplayCheckProps) {
  const { client, words, format } = useApp();
  const { replay: say } = words.runPage;
  const [state, setState] = useState<State>("rest");
  const [reason, setReason] = useState("");
  const [changed, setChanged] = useState<readonly string[]>([]);
  const check = (crew?: string): void => {
    setState("checking");
    setChanged([]);
    onReplayed(undefined);
    const crews = crew === undefined ? [] : [client.runCrew(info.id), client.crew(crew)];
    Promise.all([client.replay(info.id, crew), Promise.all(crews)]).then(
      ([answer, [before, now]]) => {
        setState("rest");
        setChanged(before === undefined || now === undefined ? [] : changedAgents(before, now));
        onReplayed(answer);
      },
      (thrown: unknown) => {
        setState("failed");
        setReason(thrown instanceof Error ? thrown.message : String(thrown));
      },
    );
  };
  return (
    <div className="replay-check">
      <span role="status" className="replay-answer">
        {state === "checking" && say.checking}
        {state === "failed" && (
          <span className="replay-differs" {...describedBy(reason)}>{`${say.failed} ${reason}`}</span>
        )}
        {state === "rest" && replayed?.identical === true && changed.length > 0 && (
          <Changed agents={changed} seq={firstAsked(story, changed)} onSeek={onSeek} />
        )}
        {state === "rest" && replayed?.identical === true && changed.length === 0 && (
          <strong className="replay-identical">
            <Check size={14} aria-hidden /> {say.identical(format.number(replayed.events))}
          </strong>
        )}
        {state === "rest" && replayed?.difference !== undefined && (
          <Differs difference={replayed.difference} onSeek={onSeek} />
        )}
      </span>
      <Button kind="quiet" onPress={() => check()}>
        {say.check}
      </Button>
      <Button kind="quiet" onPress={() => check(info.crew)}>
        {say.now}
      </Button>
    </div>
  );
}

interface ChangedProps {
  readonly agents: readonly string[];
  /** The first event at which it matters; undefined if none of them had a turn. */
  readonly seq: number | undefined;
  readonly onSeek: (seq: number) => void;
}

/** The same events, but a model would be asked something else. */
function Changed({ agents, seq, onSeek }: ChangedProps) {
  const { words } = useApp();
  const nameOf = useAgentName();
  const who = agents.map(nameOf).join(", ");
  const { changed, changedHint, unusedHint } = words.runPage.replay;
  const hint = seq === undefined ? unusedHint : changedHint(seq);
  return (
    <button
      type="button"
      className="replay-differs changed"
      {...describedBy(hint)}
      onClick={() => seq !== undefined && onSeek(seq)}
    >
      <TriangleAlert size={14} aria-hidden /> <strong>{changed(who)}</strong> <span>{hint}</span>
    </button>
  );
}

interface DiffersProps {
  readonly difference: NonNullable<Replayed["difference"]>;
  readonly onSeek: (seq: number) => void;
}

function Differs({ difference: { seq, text }, onSeek }: DiffersProps) {
  const { words } = useApp();
  return (
    <button type="button" className="replay-differs" {...describedBy(text)} onClick={() => onSeek(seq)}>
      <X size={14} aria-hidden /> <strong>{words.runPage.replay.differs(seq)}</strong> <span>{text}</span>
    </button>
  );
}
