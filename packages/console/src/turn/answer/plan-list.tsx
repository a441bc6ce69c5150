/**
 * Plan list: what an assistant is going to do, and how far it is; changed in place.
 */
import { ArrowRight, Check, Circle, LoaderCircle, Minus, X } from "lucide-react";
import { useApp } from "../../app-context.ts";
import type { PlanNote } from "./answer-notes.ts";

const ICONS: ReadonlyMap<string, typeof Check> = new Map([
  ["pending", Circle],
  ["in_progress", LoaderCircle],
  ["completed", Check],
  ["failed", X],
  ["nothing", Minus],
  ["skipped", ArrowRight],
]);

/** A plan as a checklist. */
export function PlanList({ plan }: { readonly plan: PlanNote }) {
  const { words } = useApp();
  const states: Readonly<Record<string, string>> = words.chat.planStates;
  const titles = new Map(plan.tasks.map(({ id, title }) => [id, title]));
  const found = plan.tasks.filter(({ status, nothing }) => status === "completed" && nothing === undefined).length;
  return (
    <section className="chat-plan" role="group" aria-label={words.chat.plan}>
      <h2>
        {plan.title === "" ? words.chat.plan : plan.title}
        <small>{words.chat.planFound(found, plan.tasks.length)}</small>
      </h2>
      <ol>
        {plan.tasks.map(({ id, title, status: told, nothing, dependsOn }) => {
          const status = nothing === undefined ? told : "nothing";
          const Icon = ICONS.get(status) ?? Circle;
          const before = dependsOn.map((other) => titles.get(other) ?? other).join(", ");
          return (
            <li key={id} className={status}>
              <Icon size={14} aria-label={states[status] ?? status} role="img" />
              <span>{title}</span>
              {nothing !== undefined && <small className="plan-reason">{nothing}</small>}
              {before !== "" && <small>{words.chat.after(before)}</small>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
