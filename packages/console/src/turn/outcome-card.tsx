/**
 * Outcome card: why a run ended without an answer: stopped with its receipt, failed, or at a limit.
 */
import { Ban, CircleX, Gauge } from "lucide-react";
import { useApp } from "../app-context.ts";
import { readReceipt, type ReceiptRow } from "../store/receipt-lines.ts";
import { shortPosition } from "../run/selection.ts";
import { Button } from "../ui/button.tsx";
import { PageLink } from "../navigation/page-link.tsx";
import { nameOf } from "./crew-display.ts";
import { useShownRun } from "./run-context.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";
import "./outcome-card.css";

interface OutcomeCardProps {
  /** On the page of the run: makes a fork before what went wrong. */
  readonly onFork?: (seq: number) => void;
}

/** The card of a run that has ended badly, once that is shown; nothing for others. */
export function OutcomeCard({ onFork }: OutcomeCardProps) {
  const { store, seq } = useShownRun();
  const { ended } = store.story;
  if (ended === undefined || ended.seq > seq || ended.outcome === "done" || ended.outcome === "paused") return null;
  if (ended.outcome === "cancelled") return <ReceiptCard />;
  return <FailedCard {...(onFork === undefined ? {} : { onFork })} />;
}

function ReceiptCard() {
  const { store } = useShownRun();
  const { words, format } = useApp();
  const { lines, settledMs } = readReceipt(store.story);
  return (
    <section className="chat-outcome cancelled" role="group" aria-label={words.receipt.title}>
      <header>
        <Ban size={16} aria-hidden />
        <strong>{words.receipt.title}</strong>
        {settledMs !== undefined && (
          <small {...describedBy(words.runPage.settledWhy)}>{words.runPage.settled(format.duration(settledMs))}</small>
        )}
      </header>
      {lines.length === 0 && <p>{words.receipt.none}</p>}
      {(["abandoned", "finished", "stopped"] as const).map((fate) => (
        <Fate key={fate} fate={fate} lines={lines.filter((line) => line.fate === fate)} />
      ))}
    </section>
  );
}

interface FateProps {
  readonly fate: ReceiptRow["fate"];
  readonly lines: readonly ReceiptRow[];
}

function Fate({ fate, lines }: FateProps) {
  const { words, format } = useApp();
  const { duration } = format;
  const { store, display } = useShownRun();
  if (lines.length === 0) return null;
  return (
    <div className={`outcome-fate ${fate}`}>
      <h2>{`${words.receipt[fate]} (${lines.length})`}</h2>
      <ul>
        {lines.map(({ name, position, ms }) => (
          <li key={`${name} ${position ?? ""}`}>
            {position === undefined ? (
              nameOf(display, name)
            ) : (
              <PageLink
                to={{ page: "run", id: store.id, sel: position }}
              >{`${nameOf(display, name)} ${shortPosition(position)}`}</PageLink>
            )}
            {ms !== undefined && <small> {words.runPage.after(duration(ms))}</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FailedCard({ onFork }: OutcomeCardProps) {
  const { store } = useShownRun();
  const { words } = useApp();
  const { ended, turns, asides } = store.story;
  const isLimit = ended?.outcome === "limit";
  const limit = asides.findLast((aside) => aside.kind === "limit");
  const step = turns.flatMap(({ steps }) => steps).at(-1);
  const before = Math.max(1, (step?.from.seq ?? 1) - 1);
  const Icon = isLimit ? Gauge : CircleX;
  const text = ended?.error?.message ?? (limit?.kind === "limit" ? `${limit.limit}: ${limit.value}` : "");
  return (
    <section className={`chat-outcome ${isLimit ? "limit" : "failed"}`} role="alert">
      <header>
        <Icon size={16} aria-hidden />
        <strong>{isLimit ? words.chat.limitRun : words.chat.failedRun}</strong>
        {ended?.error !== undefined && <code>{ended.error.code}</code>}
      </header>
      {text !== "" && <p>{text}</p>}
      {step !== undefined && (
        <p className="outcome-links">
          <PageLink to={{ page: "run", id: store.id, sel: step.step, at: step.from.seq }}>
            {words.chat.step(shortPosition(step.step))}
          </PageLink>
          {onFork === undefined ? (
            <PageLink to={{ page: "run", id: store.id, at: before }}>{words.chat.forkBefore}</PageLink>
          ) : (
            <Button onPress={() => onFork(before)}>{words.chat.forkBefore}</Button>
          )}
        </p>
      )}
    </section>
  );
}
