/**
 * Outcome card: how a run ended if it did not end well: the error with its step, or the receipt of a stop.
 */
import { useApp } from "../../app-context.ts";
import { useAgentName } from "../../graph/agent-names.ts";
import { isCancelFailure, readReceipt, type ReceiptRow } from "../../store/receipt-lines.ts";
import type { RunStore } from "../../store/run-store.ts";
import { Button } from "../../ui/button.tsx";
import { shortPosition } from "../selection.ts";
import { describedBy } from "../../ui/layers/tooltip.tsx";
import "./outcome-card.css";

interface OutcomeCardProps {
  readonly store: RunStore;
  readonly seq: number;
  readonly onSelect: (position: string) => void;
  readonly onFork: (seq: number) => void;
}

interface LineProps {
  readonly line: ReceiptRow;
  readonly onSelect: (position: string) => void;
}

/** Shown once the playhead has come to the end. */
export function OutcomeCard({ store, seq, onSelect, onFork }: OutcomeCardProps) {
  const { words } = useApp();
  const nameOf = useAgentName();
  const { ended } = store.story;
  if (ended === undefined || seq < ended.seq || ended.outcome === "done") return null;
  const last = store.story.turns.findLast(({ agent }) => agent === ended.agent);
  const step = last?.steps.at(-1);
  const before = (step?.from.seq ?? ended.seq) - 1;
  return (
    <div className={`outcome ${ended.outcome}`} role="note">
      <h3>{words.status[ended.outcome]}</h3>
      {ended.error !== undefined && !isCancelFailure(ended.error) && (
        <p>
          {ended.error.message} <code>{ended.error.code}</code>
        </p>
      )}
      {ended.receipt !== undefined && <ReceiptList store={store} onSelect={onSelect} />}
      <div className="outcome-actions">
        {step !== undefined && (
          <Button kind="quiet" onPress={() => onSelect(step.step)}>
            {words.runPage.stepNumber(shortPosition(step.step))} {nameOf(step.agent)}
          </Button>
        )}
        {before > 0 && <Button onPress={() => onFork(before)}>{words.runPage.forkDialog.before}</Button>}
      </div>
    </div>
  );
}

const FATES = ["abandoned", "finished", "stopped"] as const;

/** The fate of each piece of work, with the time after the stop at which it ended. */
function ReceiptList({ store, onSelect }: Pick<OutcomeCardProps, "store" | "onSelect">) {
  const { words, format } = useApp();
  const { duration } = format;
  const { lines, settledMs } = readReceipt(store.story);
  if (lines.length === 0) return <p>{words.receipt.none}</p>;
  return (
    <>
      {settledMs !== undefined && (
        <p className="outcome-settled" {...describedBy(words.runPage.settledWhy)}>
          {words.runPage.settled(duration(settledMs))}
        </p>
      )}
      <dl className="outcome-receipt">
        {FATES.filter((fate) => lines.some((line) => line.fate === fate)).map((fate) => (
          <div key={fate} className={fate}>
            <dt>{words.receipt[fate]}</dt>
            {lines
              .filter((line) => line.fate === fate)
              .map((line) => (
                <Line key={`${line.name} ${line.position ?? ""}`} line={line} onSelect={onSelect} />
              ))}
          </div>
        ))}
      </dl>
    </>
  );
}

function Line({ line: { name: id, position, ms }, onSelect }: LineProps) {
  const name = useAgentName()(id);
  const { words, format } = useApp();
  const { duration } = format;
  return (
    <dd>
      {position === undefined ? (
        <span>{name}</span>
      ) : (
        <Button kind="quiet" onPress={() => onSelect(position)}>
          {name} <code>{shortPosition(position)}</code>
        </Button>
      )}
      {ms !== undefined && <small>{words.runPage.after(duration(ms))}</small>}
    </dd>
  );
}
