/**
 * Load failure: says why something could not be loaded, and what to do about it.
 */
import type { ClientError } from "@baton/client";
import { CloudOff, Lock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { loadFailureKind } from "./load-failure-kind.ts";
import "./load-failure.css";

interface FailedProps {
  readonly error: ClientError;
  readonly onTry: () => void;
  /** Beside "Try now": where else to go. */
  readonly children?: ReactNode;
}

const ICONS = { unreachable: CloudOff, stopping: CloudOff, forbidden: Lock, other: TriangleAlert } as const;

/** In place of what was asked for. */
export function LoadFailure({ error, onTry, children }: FailedProps) {
  const { words } = useApp();
  const { failed: say } = words.lists;
  const kind = loadFailureKind(error);
  const Icon = ICONS[kind];
  return (
    <section className="failed-part" role="alert">
      <Icon size={22} strokeWidth={1.75} aria-hidden />
      <h2>{say.titles[kind]}</h2>
      <p>{kind === "unreachable" || kind === "stopping" ? say.texts[kind] : error.message}</p>
      <div className="failed-ways">
        <Button kind="primary" onPress={onTry}>
          {words.states.tryNow}
        </Button>
        {children}
      </div>
    </section>
  );
}

/** A page whose server does not answer. */
export function Unreachable({ onTry }: { readonly onTry: () => void }) {
  const { words } = useApp();
  const { failed: say } = words.lists;
  return (
    <section className="failed-part failed-page" role="alert">
      <CloudOff size={28} strokeWidth={1.5} aria-hidden />
      <h1>{say.titles.unreachable}</h1>
      <p>{say.texts.unreachable}</p>
      <div className="failed-ways">
        <Button kind="primary" onPress={onTry}>
          {words.states.tryNow}
        </Button>
      </div>
    </section>
  );
}
