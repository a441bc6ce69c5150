/**
 * Dialect: a run's events as the frames of a wire format.
 *
 * A dialect is a pure reducer: the same events give the same frames, so that a stream can be resumed anywhere by
 * running it from the first event and dropping what was sent.
 */
import type { Crew, RunEvent } from "@baton/core";

/** One server-sent event. `data` may hold any text; the writer breaks it into lines. */
export interface Frame {
  /** `<seq>`, or `<seq>.<n>` if one event makes several (n from 1); absent if the frame is not in the log. */
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** Data that frames may contain besides events. */
export interface DialectContext {
  readonly run: string;
  readonly session: string | undefined;
  /** For the names and signals of its agents. */
  readonly crew: Crew;
  /** Milliseconds since 1970; protocols that need seconds derive them. */
  readonly createdAt: number;
  /** The model name in the client's request: the id of the crew. */
  readonly model: string;
  /** Options of the stream itself. */
  readonly options?: DialectOptions;
}

/** Options of a stream. A client that resumes must send the same again. */
export interface DialectOptions {
  /** Of `openai`: a last chunk with what was used. */
  readonly include_usage?: boolean;
  /** Of `openai` and `responses`: the last answer and nothing else, once it is whole. */
  readonly baton_final_only?: boolean;
  /** Of `responses`: the response that this one continues. */
  readonly previous_response_id?: string;
  /** Of `agui`: what the client calls the run. */
  readonly run_id?: string;
}

/** A wire format. `State` is its own; `next` never changes the state it is given. */
export interface Dialect<State = unknown> {
  /** Of `?dialect=`. */
  readonly name: string;
  /** Headers that its clients look for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It cannot express a pause: only the latest segment of a run is sent. */
  readonly isOneMessage?: true;
  start(context: DialectContext): State;
  next(state: State, event: RunEvent): readonly [State, readonly Frame[]];
  /** Frames after the last event of a segment of the run (`run.paused` or `run.ended`), e.g. `[DONE]`; without ids. */
  readonly closing?: readonly Frame[];
  /** Says, without an id, that the stream ends early; for protocols in which the end of a stream means a complete answer. */
  interrupted?(why: string): Frame;
  /** A keep-alive frame, if its clients ignore comments; it is not in the log, so it has no id. */
  toPing?(at: number): Frame;
  /** The longest silence before a keep-alive; a crew may set a shorter one. */
  readonly keepAliveMs?: number;
  /** Says at the beginning of a stream, without an id, that the run waits for its session, at this place in the line. */
  toQueued?(place: number): Frame;
  /** The id of the crew whose runs it tells, if others have a dialect of the same name. */
  readonly crew?: string;
  /** Returns what the answer of the segment that has just ended has beside its text. */
  toExtras?(state: State, language: string): AnswerExtras;
}

/** A place that an answer's facts come from. */
export type ShownSource = Readonly<{ title: string; source: string; url?: string; as_of: string }>;

/** The parts of an answer beside its text, for a service that shows answers in its own way. */
export interface AnswerExtras {
  readonly sources: readonly ShownSource[];
  readonly disclaimer?: string;
  /** SVG of 1,200 × 675, each with a text that says where its data comes from. */
  readonly pictures: readonly Readonly<{ svg: string; caption: string }>[];
}
