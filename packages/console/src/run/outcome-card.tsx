/**
 * Outcome card: how a run ended if it did not end well: the error with its step, or the receipt of a stop.
 */
import { useApp } from "../app-context.ts";
import type { RunStore } from "../store/run-store.ts";
import { Button } from "../ui/button.tsx";
import "./outcome.css";

interface OutcomeCardProps {
  readonly store: RunStore;
  readonly seq: number;
  readonly onSelect: (position: string) => void;
  readonly onFork: (seq: number) => void;
}

/** Shown once the playhead has come to the end. */
export function OutcomeCard({ store, seq, onSelect, onFork }: OutcomeCardProps) {
  const { words } = useApp();
  const { ended } = store.story;
  if (ended === undefined || seq < ended.seq || ended.outcome === "done") return null;
  const last = store.story.turns.findLast(({ agent }) => agent === ended.agent);
  const step = last?.steps.at(-1);
  const before = (step?.from.seq ?? ended.seq) - 1;
  return (
    <div className={`outcome ${ended.outcome}`} role="note">
      <h3>{words.status[ended.outcome]}</h3>
      {ended.error !== undefined && (
        <p>
          {ended.error.message} <code>{ended.error.code}</code>
        </p>
      )}
      {ended.receipt !== undefined && <ReceiptList receipt={ended.receipt} onSelect={onSelect} />}
      <div className="outcome-actions">
        {step !== undefined && (
          <Button kind="quiet" onPress={() => onSelect(step.step)}>
            {words.runPage.stepNumber(step.step)} {step.agent}
          </Button>
        )}
        {before > 0 && <Button onPress={() => onFork(before)}>{words.runPage.forkDialog.before}</Button>}
      </div>
    </div>
  );
}

const FATES = ["stopped", "finished", "abandoned"] as const;

interface ReceiptListProps {
  readonly receipt: Readonly<Record<(typeof FATES)[number], readonly string[]>>;
  readonly onSelect: (position: string) => void;
}

function ReceiptList({ receipt, onSelect }: ReceiptListProps) {
  const { words } = useApp();
  const isEmpty = FATES.every((fate) => receipt[fate].length === 0);
  if (isEmpty) return <p>{words.receipt.none}</p>;
  return (
    <dl className="outcome-receipt">
      {FATES.filter((fate) => receipt[fate].length > 0).map((fate) => (
        <div key={fate} className={fate}>
          <dt>{words.receipt[fate]}</dt>
          <dd>
            {receipt[fate].map((name) => (
              <Button key={name} kind="quiet" onPress={() => onSelect(name.slice(name.indexOf(":") + 1))}>
                <code>{name}</code>
              </Button>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
