/**
 * Question card: a question of a run, with everything needed to decide; once it is answered, one line at its place.
 */
import type { Json } from "@baton/client";
import { CircleCheck, CircleHelp, CircleSlash, PencilLine, ShieldQuestion } from "lucide-react";
import { useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";
import { AskedLine } from "../code/code-view.tsx";
import { colorClass } from "../graph/agent-color.ts";
import { isSpanOpen, type QuestionSpan } from "../store/story.ts";
import { nameOf } from "../turn/crew-display.ts";
import { useShownRun } from "../turn/run-context.ts";
import { AnswerPanel, answerText, CallArguments } from "./answer-panel.tsx";
import "./question-card.css";

/** A question of a run. */
export interface QuestionCardProps {
  readonly question: QuestionSpan;
}

/** One question, as it was at the event that is shown. */
export function QuestionCard({ question }: QuestionCardProps) {
  const { words } = useApp();
  const { store, display, seq } = useShownRun();
  const { asked, to } = question;
  const { tool, agent, kind, text } = asked;
  const isApproval = kind === "approval" && tool !== undefined;
  const title = isApproval ? words.question.wants(nameOf(display, agent), tool) : text;
  const isOpen = to === undefined;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  if (!isSpanOpen(question, seq)) return <AnsweredLine question={question} title={title} />;
  const Icon = isApproval ? ShieldQuestion : CircleHelp;
  return (
    <section
      ref={card}
      className={`chat-question open ${colorClass(display.colors, agent)}`}
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
      <Effect question={question} />
      {isOpen && <AnswerPanel run={store.id} asked={asked} />}
    </section>
  );
}

function Effect({ question: { asked } }: QuestionCardProps) {
  const { words } = useApp();
  const { store } = useShownRun();
  const effect = asked.effect ?? (asked.call === undefined ? undefined : store.story.call(asked.call)?.effect);
  if (effect === undefined) return null;
  return <p className={`question-effect ${effect}`}>{words.question.effects[effect]}</p>;
}

const ICONS = { allow: CircleCheck, deny: CircleSlash, edit: PencilLine, answer: CircleHelp } as const;

/** `You denied this after 8 s · we still need it`. */
function AnsweredLine({ question, title }: QuestionCardProps & { readonly title: string }) {
  const { words, format, me } = useApp();
  const { asked, answer, by, isClosed, from, to } = question;
  const decision = isClosed === true ? "deny" : decisionOf(answer, asked.kind);
  const Icon = ICONS[decision];
  const who = by === undefined || by === me?.user ? words.question.you : by;
  const after = format.duration((to?.at ?? from.at) - from.at);
  const said = isClosed === true ? words.status.cancelled : words.question.did[decision](who, after);
  const detail = isClosed === true ? undefined : detailOf(answer, decision, words.question);
  return (
    <p className={`question-line ${decision}`} data-question={asked.question} data-tip={title}>
      <Icon size={14} aria-hidden />
      <span>{[said, ...(detail === undefined ? [] : [detail])].join(" · ")}</span>
    </p>
  );
}

type Decision = keyof typeof ICONS;

function decisionOf(answer: Json | undefined, kind: string): Decision {
  if (kind !== "approval") return "answer";
  const said = toFields(answer)["decision"] ?? answer;
  return said === "deny" || said === "edit" ? said : "allow";
}

/** The reason, the new arguments or the answer, if there are any. */
function detailOf(
  answer: Json | undefined,
  decision: Decision,
  words: Parameters<typeof answerText>[1],
): string | undefined {
  const { reason, args } = toFields(answer);
  if (decision === "deny") return typeof reason === "string" && reason !== "" ? reason : undefined;
  if (decision === "edit") return JSON.stringify(args);
  return decision === "answer" && answer !== undefined ? answerText(answer, words) : undefined;
}

function toFields(value: Json | undefined): Readonly<Record<string, Json>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}
