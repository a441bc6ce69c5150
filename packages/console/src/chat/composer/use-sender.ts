/**
 * Use sender: sends a message once. While the server cannot be reached it is kept and tried again with the same key, so
 * that it becomes one run however often it was sent.
 */
import { ClientError, type StartedRun } from "@baton/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { errorText } from "../../loading/error-text.ts";
import type { ChosenImage } from "./images.ts";

/** A message to a crew. */
export interface Outgoing {
  readonly crew: string;
  readonly session?: string;
  /** In place of the crew's own models. */
  readonly model?: string;
  readonly text: string;
  readonly images: readonly ChosenImage[];
  /** Called with the run that it became. */
  readonly onStarted: (run: StartedRun) => void;
}

/** The state of sending. */
export type SendState =
  | Readonly<{ state: "idle" }>
  | Readonly<{ state: "sending" }>
  /** The server cannot be reached. */
  | Readonly<{ state: "kept"; nextAt: number; isStopping: boolean }>
  | Readonly<{ state: "refused"; message: string; nextAt?: number }>;

/** The actions of a sender. */
export interface Sender {
  readonly sending: SendState;
  readonly send: (message: Outgoing) => void;
  readonly tryNow: () => void;
  /** Gives up a message that is kept. */
  readonly drop: () => void;
}

interface Kept {
  readonly message: Outgoing;
  readonly key: string;
  readonly tries: number;
}

const FIRST_MS = 1_000;
const MOST_MS = 10_000;
/** The try before is still being answered. */
const IN_FLIGHT = "idempotency_in_flight";
const UNREACHABLE: readonly string[] = ["network", "stopping", "http"];

/** Sends messages, one at a time. */
export function useSender(): Sender {
  const { client } = useApp();
  const [sending, setSending] = useState<SendState>({ state: "idle" });
  const kept = useRef<Kept>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const again = useRef(() => {});
  const attempt = useCallback(async (): Promise<void> => {
    const now = kept.current;
    if (now === undefined) return;
    clearTimeout(timer.current);
    setSending({ state: "sending" });
    const { crew, text, session, model, images, onStarted } = now.message;
    try {
      const run = await client.start(crew, text, {
        ...(session === undefined ? {} : { session }),
        ...(model === undefined ? {} : { model }),
        ...(images.length === 0 ? {} : { images: images.map(({ data, name }) => ({ data, altText: name })) }),
        idempotencyKey: now.key,
        // What goes wrong is said at once, and tried again from here.
        tries: 1,
      });
      if (kept.current !== now) return;
      kept.current = undefined;
      setSending({ state: "idle" });
      onStarted(run);
    } catch (thrown) {
      if (kept.current !== now) return;
      const next = afterFailure(now, thrown);
      kept.current = next.kept;
      setSending(next.sending);
      if (next.delayMs !== undefined) timer.current = setTimeout(again.current, next.delayMs);
    }
  }, [client]);
  again.current = () => {
    attempt().catch(ignore);
  };
  useEffect(() => {
    const tryAgain = (): void => again.current();
    window.addEventListener("online", tryAgain);
    return () => {
      window.removeEventListener("online", tryAgain);
      clearTimeout(timer.current);
    };
  }, [attempt]);
  const send = (message: Outgoing): void => {
    kept.current = { message, key: crypto.randomUUID(), tries: 0 };
    attempt().catch(ignore);
  };
  const drop = (): void => {
    clearTimeout(timer.current);
    kept.current = undefined;
    setSending({ state: "idle" });
  };
  return { sending, send, drop, tryNow: () => again.current() };
}

interface Next {
  readonly kept: Kept | undefined;
  readonly sending: SendState;
  readonly delayMs?: number;
}

/** Decides what follows a failure: another try, or a message at the composer. */
function afterFailure(now: Kept, thrown: unknown): Next {
  if (!(thrown instanceof ClientError)) {
    return { kept: undefined, sending: { state: "refused", message: errorText(thrown) } };
  }
  const { code, retryAfterMs } = thrown;
  if (code !== IN_FLIGHT && !(thrown.isPassing && UNREACHABLE.includes(code))) {
    const wait = retryAfterMs === undefined ? {} : { nextAt: Date.now() + retryAfterMs };
    return { kept: undefined, sending: { state: "refused", message: errorText(thrown), ...wait } };
  }
  const delayMs = Math.min(MOST_MS, FIRST_MS * 2 ** now.tries);
  return {
    kept: { ...now, tries: now.tries + 1 },
    sending: { state: "kept", nextAt: Date.now() + delayMs, isStopping: code === "stopping" },
    delayMs,
  };
}

function ignore(): void {}
