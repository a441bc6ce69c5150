/**
 * Exchange outcome: why a run ended without an answer: stopped with its receipt, failed, or at a limit.
 */
import { Ban, CircleX, Gauge } from "lucide-react";
import { useApp } from "../../app-context.ts";
import { readReceipt, type ReceiptRow } from "../../store/receipt-lines.ts";
import type { RunStore } from "../../store/run-store.ts";
import { shortPosition } from "../../run/selection.ts";
import { PageLink } from "../../navigation/page-link.tsx";
import { nameOf, useChat } from "../chat-context.ts";
import { describedBy } from "../../ui/layers/tooltip.tsx";
import "./exchange-outcome.css";

/** The card of a run that has ended badly; nothing for others. */
export function ExchangeOutcome({ store }: { readonly store: RunStore }) {
  const { ended } = store.story;
  if (ended === undefined || ended.outcome === "done" || ended.outcome === "paused") return null;
  if (ended.outcome === "cancelled") return <ReceiptCard store={store} />;
  return <FailedCard store={store} />;
}

function ReceiptCard({ store }: { readonly store: RunStore }) {
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
        <Fate key={fate} run={store.id} fate={fate} lines={lines.filter((line) => line.fate === fate)} />
      ))}
    </section>
  );
}

interface FateProps {
  readonly run: string;
  readonly fate: ReceiptRow["fate"];
  readonly lines: readonly ReceiptRow[];
}

function Fate({ run, fate, lines }: FateProps) {
  const { words, format } = useApp();
  const { duration } = format;
  const { display } = useChat();
  if (lines.length === 0) return null;
  return (
    <div className={`outcome-fate ${fate}`}>
      <h2>{words.receipt[fate]}</h2>
      <ul>
        {lines.map(({ name, position, ms }) => (
          <li key={`${name} ${position ?? ""}`}>
            {position === undefined ? (
              nameOf(display, name)
            ) : (
              <PageLink
                to={{ page: "run", id: run, sel: position }}
              >{`${nameOf(display, name)} ${shortPosition(position)}`}</PageLink>
            )}
            {ms !== undefined && <small> {words.runPage.after(duration(ms))}</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FailedCard({ store }: { readonly store: RunStore }) {
  const { words } = useApp();
  const { ended, turns, asides } = store.story;
  const isLimit = ended?.outcome === "limit";
  const limit = asides.findLast((aside) => aside.kind === "limit");
  const step = turns.flatMap(({ steps }) => steps).at(-1);
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
          <PageLink to={{ page: "run", id: store.id, at: Math.max(1, step.from.seq - 1) }}>
            {words.chat.forkBefore}
          </PageLink>
        </p>
      )}
    </section>
  );
}
