/**
 * Assistant view: an answer to read: what was done for it folded into a line, then charts, words and sources.
 */
import { Fragment, useRef } from "react";
import { ChartCard } from "../../charts/chart-card.tsx";
import { useShownRun } from "../run-context.ts";
import { Boundary } from "../../ui/boundary.tsx";
import { answerOf, questionSpansOf, type TurnSegment, turnsOf } from "../turn-items.ts";
import { CallQuestions } from "../turn-view.tsx";
import { MemoryCard } from "../memory/memory-card.tsx";
import { chartsOf, memoriesOf, planOf } from "./answer-notes.ts";
import { PlanList } from "./plan-list.tsx";
import { isShownCall, sourcesOf } from "../text/provenance.ts";
import { LazyQuestionCard } from "../../questions/lazy-question-card.tsx";
import { SourceChips } from "./source-chips.tsx";
import { StepText } from "../text/step-text.tsx";
import { useUndoneChanges } from "../memory/use-undone-changes.ts";
import { WorkSummary } from "./work-summary.tsx";
import "./assistant-view.css";

interface AssistantViewProps {
  readonly segment: TurnSegment;
}

/** The answer to one message. */
export function AssistantView({ segment }: AssistantViewProps) {
  const { store } = useShownRun();
  const { items, from, to } = segment;
  const notes = store.story.notes.filter(({ seq }) => seq >= from && seq < to);
  const answer = answerOf(items);
  const steps = answer?.steps.filter(({ isOutput }) => !isOutput) ?? [];
  const calls = turnsOf(items).flatMap((turn) =>
    turn.steps.flatMap((step) => step.calls.filter((call) => isShownCall(call, step.model))),
  );
  const before = turnsOf(items).flatMap((turn) => (turn === answer ? [] : turn.steps.flatMap((step) => step.calls)));
  const sources = sourcesOf(calls);
  const hasText = steps.some(({ attempts }) => (attempts.at(-1)?.text.text ?? "") !== "");
  const charts = chartsOf(notes);
  const isLate = useLate({ hasText, charts: charts.length });
  const plan = planOf(notes);
  const memories = memoriesOf(notes);
  const undone = useUndoneChanges(memories);
  const drawn = (
    <div className="assistant-charts">
      {charts.map((chart, index) => (
        <Boundary key={index} of={store.id}>
          <ChartCard chart={chart} />
        </Boundary>
      ))}
    </div>
  );
  return (
    <div className="chat-assistant">
      <WorkSummary segment={segment} answer={answer} calls={calls} />
      {plan !== undefined && <PlanList plan={plan} />}
      {questionSpansOf(items).map((question) => (
        <LazyQuestionCard key={question.asked.question} question={question} />
      ))}
      {charts.length > 0 && !isLate && drawn}
      {before.map(({ call }) => (
        <CallQuestions key={call} call={call} />
      ))}
      {steps.map((step) => (
        <Fragment key={step.step}>
          <StepText step={step} sources={sources} />
          {step.calls.map(({ call }) => (
            <CallQuestions key={call} call={call} />
          ))}
        </Fragment>
      ))}
      {charts.length > 0 && isLate && drawn}
      {memories.map((memory) => (
        <MemoryCard key={memory.change} memory={memory} isUndone={undone.has(memory.change)} />
      ))}
      {answer?.to !== undefined && sources.length > 0 && <SourceChips sources={sources} />}
    </div>
  );
}

/** A chart that comes after the words goes below them: above, it would move what is being read. */
function useLate({ hasText, charts }: Readonly<{ hasText: boolean; charts: number }>): boolean {
  const late = useRef<boolean>(undefined);
  if (late.current === undefined && charts > 0) late.current = false;
  if (late.current === undefined && hasText) late.current = true;
  return late.current ?? false;
}
