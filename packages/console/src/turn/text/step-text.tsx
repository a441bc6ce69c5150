/**
 * Step text: what a model wrote, as Markdown, growing while it writes; its figures lead to the calls they come from.
 */
import { toWatch } from "@baton/client";
import { type ReactNode, useCallback, useMemo } from "react";
import { useApp } from "../../app-context.ts";
import { LazyMarkdown } from "../../markdown/lazy-markdown.tsx";
import { isSpanOpen, type StepSpan } from "../../store/story.ts";
import { useChanges } from "../../store/use-run.ts";
import { useShownRun } from "../run-context.ts";
import { type AnswerFigure, figuresOf, markFigures, splitFigures } from "./figures.ts";
import type { AnswerSource } from "./provenance.ts";
import { shownText } from "./shown-text.ts";
import { Button } from "../../ui/button.tsx";
import { Popover } from "../../ui/layers/popover.tsx";
import { describedBy } from "../../ui/layers/tooltip.tsx";
import "./step-text.css";

interface StepTextProps {
  readonly step: StepSpan;
  /** Signals of an agent that the crew does not list: one of a team's. */
  readonly signals?: readonly string[];
  /** Numbers of sources, to stand beside figures. */
  readonly sources?: readonly AnswerSource[];
}

const NO_SOURCES = Object.freeze<AnswerSource[]>([]);
const NO_FIGURES = Object.freeze<AnswerFigure[]>([]);

/** The text of one model call. */
export function StepText({ step, signals, sources = NO_SOURCES }: StepTextProps) {
  const { store, display, seq } = useShownRun();
  useChanges(store, `step:${step.step}`);
  const isWriting = isSpanOpen(step, seq);
  const raw = step.attempts.findLast(({ from }) => from.seq <= seq)?.text.at(seq) ?? "";
  const figures = useMemo(() => (isWriting ? NO_FIGURES : figuresOf(store.story, step.step)), [store, step, isWriting]);
  const decorate = useFigures(figures, sources);
  const marked = figures.length === 0 ? raw : markFigures(raw, figures);
  const watch = display.watches.get(step.agent) ?? toWatch(signals ?? []);
  const text = shownText(marked, watch, isWriting ? "writing" : "ended");
  if (text.trim() === "") return isWriting ? <span className="step-cursor" aria-hidden /> : null;
  return (
    <div className={isWriting ? "step-text writing" : "step-text"} aria-live="off">
      <LazyMarkdown text={text} {...(figures.length === 0 ? {} : { decorate })} />
    </div>
  );
}

/** Draws text with its figures; the same function until they change. */
function useFigures(figures: readonly AnswerFigure[], sources: readonly AnswerSource[]): (text: string) => ReactNode {
  const key = sources.map(({ n, call }) => `${n} ${call}`).join();
  return useCallback(
    (text: string) =>
      splitFigures(text).map((piece, index) => {
        if (typeof piece === "string") return piece;
        const figure = figures[piece.figure];
        if (figure === undefined) return piece.text;
        return <FigureMark key={index} figure={figure} text={piece.text} sources={sources} />;
      }),
    [figures, key],
  );
}

interface FigureMarkProps {
  readonly figure: AnswerFigure;
  readonly text: string;
  readonly sources: readonly AnswerSource[];
}

/** A number; pressed, it says where it comes from. */
function FigureMark({ figure, text, sources }: FigureMarkProps) {
  const { words } = useApp();
  if (figure.kind === "unbacked") {
    return (
      <span className="figure-unbacked" {...describedBy(figure.why)}>
        {text}
        <small>{words.run.noSource}</small>
      </span>
    );
  }
  const number = sources.find(({ call }) => call === figure.call)?.n;
  const button = (
    <>
      {text}
      {number !== undefined && <sup className="figure-source">{number}</sup>}
    </>
  );
  return (
    <Popover label={words.figure.label(text)} className="figure" layerClass="figure-layer" button={button}>
      {(close) => <FigureCard figure={figure} text={text} onClose={close} />}
    </Popover>
  );
}

interface FigureCardProps {
  readonly figure: Extract<AnswerFigure, { kind: "backed" }>;
  readonly text: string;
  readonly onClose: () => void;
}

function FigureCard({ figure: { call, fact }, text, onClose }: FigureCardProps) {
  const { words, format } = useApp();
  const { store, showCall } = useShownRun();
  const { figure: say } = words;
  const kinds: Readonly<Record<string, string>> = words.chat.kinds;
  const tool = store.story.call(call)?.tool;
  const open = (): void => {
    onClose();
    showCall({ call, ...(fact.path === "" ? {} : { path: fact.path }) });
  };
  return (
    <>
      <p>
        <strong>{text}</strong> {fact.label}
      </p>
      <dl className="figure-facts">
        {tool !== undefined && <dt>{say.tool}</dt>}
        {tool !== undefined && (
          <dd>
            <code>{tool}</code>
          </dd>
        )}
        <dt>{say.asOf}</dt>
        <dd>{[format.day(fact.asOf), kinds[fact.kind] ?? fact.kind].filter((part) => part !== "").join(", ")}</dd>
        <dt>{say.value}</dt>
        <dd>
          <code>{fact.path === "" ? fact.value : `${fact.path} = ${fact.value}`}</code>
        </dd>
      </dl>
      {tool !== undefined && <Button onPress={open}>{say.open}</Button>}
    </>
  );
}
