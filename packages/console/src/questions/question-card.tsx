/**
 * Question card: a question of a run, with everything needed to decide; then how it was answered.
 */
import { CircleHelp, ShieldQuestion } from "lucide-react";
import { useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";
import { colorClass } from "../graph/agent-color.ts";
import type { RunStore } from "../store/run-store.ts";
import type { QuestionSpan } from "../store/story.ts";
import { AskedLine } from "../code/code-view.tsx";
import { AnswerPanel, CallArguments, answerText } from "./answer-panel.tsx";
import { nameOf, useChat } from "../chat/chat-context.ts";
import "./question-card.css";

/** A question of a run. */
export interface QuestionCardProps {
  readonly store: RunStore;
  readonly question: QuestionSpan;
}

/** One question. */
export function QuestionCard({ store, question }: QuestionCardProps) {
  const { words } = useApp();
  const { display } = useChat();
  const { asked, to } = question;
  const { tool, agent, kind, text } = asked;
  const isApproval = kind === "approval" && tool !== undefined;
  const title = isApproval ? words.question.wants(nameOf(display, agent), tool) : text;
  const isOpen = to === undefined;
  const Icon = isApproval ? ShieldQuestion : CircleHelp;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <section
      ref={card}
      className={["chat-question", isOpen ? "open" : "", colorClass(display.colors, agent)].join(" ")}
      role="group"
      aria-label={title}
      data-question={asked.question}
    >
      <header>
        <Icon size={16} aria-hidden />
        <strong>{title}</strong>
      </header>
      <AskedLine store={store} asked={asked} />
      <CallArguments args={asked.args} />
      <Effect store={store} question={question} />
      {isOpen ? <AnswerPanel run={store.id} asked={asked} /> : <Answered question={question} />}
    </section>
  );
}

function Effect({ store, question: { asked } }: QuestionCardProps) {
  const { words } = useApp();
  const effect = asked.effect ?? (asked.call === undefined ? undefined : store.story.call(asked.call)?.effect);
  if (effect === undefined) return null;
  return <p className={`question-effect ${effect}`}>{words.question.effects[effect]}</p>;
}

function Answered({ question: { answer, isClosed } }: Pick<QuestionCardProps, "question">) {
  const { words } = useApp();
  if (isClosed === true) return <p className="question-answered">{words.status.cancelled}</p>;
  const text = answer === undefined ? "" : answerText(answer, words.question);
  return <p className="question-answered">{`${words.question.answered}: ${text}`}</p>;
}
