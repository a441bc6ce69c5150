/**
 * Replay check: whether the run would go the same way again; with nothing called.
 */
import type { Replayed, RunInfo } from "@baton/client";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { formatOf } from "../ui/format.ts";

interface ReplayCheckProps {
  readonly info: RunInfo;
  readonly replayed: Replayed | undefined;
  readonly onReplayed: (replayed: Replayed | undefined) => void;
  readonly onSeek: (seq: number) => void;
}

type State = "rest" | "checking" | "failed";

/** Checks on demand; shows where it first differs. */
export function ReplayCheck({ info, replayed, onReplayed, onSeek }: ReplayCheckProps) {
  const { client, words, settings } = useApp();
  const { replay: say } = words.runPage;
  const [state, setState] = useState<State>("rest");
  const [reason, setReason] = useState("");
  const check = (crew?: string): void => {
    setState("checking");
    onReplayed(undefined);
    client.replay(info.id, crew).then(
      (answer) => {
        setState("rest");
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
      <Button kind="quiet" onPress={() => check()}>
        {say.check}
      </Button>
      <Button kind="quiet" onPress={() => check(info.crew)}>
        {say.now}
      </Button>
      <span role="status" className="replay-answer">
        {state === "checking" && say.checking}
        {state === "failed" && <span className="replay-differs" title={reason}>{`${say.failed} ${reason}`}</span>}
        {state === "rest" && replayed?.identical === true && (
          <strong className="replay-identical">
            <Check size={14} aria-hidden /> {say.identical(formatOf(settings.language).number(replayed.events))}
          </strong>
        )}
        {state === "rest" && replayed?.difference !== undefined && (
          <Differs difference={replayed.difference} onSeek={onSeek} />
        )}
      </span>
    </div>
  );
}

interface DiffersProps {
  readonly difference: NonNullable<Replayed["difference"]>;
  readonly onSeek: (seq: number) => void;
}

function Differs({ difference: { seq, text }, onSeek }: DiffersProps) {
  const { words } = useApp();
  return (
    <button type="button" className="replay-differs" title={text} onClick={() => onSeek(seq)}>
      <X size={14} aria-hidden /> <strong>{words.runPage.replay.differs(seq)}</strong> <span>{text}</span>
    </button>
  );
}
