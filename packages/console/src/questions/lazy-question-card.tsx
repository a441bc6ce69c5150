/**
 * Lazy question card: the card of a question, whose code is fetched when a run first asks something.
 */
import { lazy, Suspense } from "react";
import type { QuestionCardProps } from "./question-card.tsx";

const QuestionCard = lazy(async () => {
  const { QuestionCard: card } = await import("./question-card.tsx");
  return { default: card };
});

/** One question. */
export function LazyQuestionCard(props: QuestionCardProps) {
  return (
    <Suspense fallback={null}>
      <QuestionCard {...props} />
    </Suspense>
  );
}
