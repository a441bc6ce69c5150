/**
 * Events tab: the log as it is: rows of one height, of which only those in sight are drawn; filtered by family and text.
 */
import type { RunEvent } from "@baton/client";
import { type RefObject, type UIEvent, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useApp } from "../../app-context.ts";
import { type AgentColors, colorClass } from "../../graph/agent-color.ts";
import type { RunStore } from "../../store/run-store.ts";
import { countUpTo } from "../../store/growing-text.ts";
import type { Story } from "../../store/story.ts";
import { useRequest } from "../../loading/use-request.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { agentOfEvent, EVENT_FAMILIES, type EventFamily, isOfFamily, eventLabel } from "./event-label.ts";
import { indentedJson } from "./indented-json.ts";
import { scrollTopFor, visibleRows } from "./row-window.ts";
import "./events-tab.css";

interface EventsTabProps {
  readonly store: RunStore;
  readonly version: number;
  readonly seq: number;
  readonly colors: AgentColors;
  readonly onSeek: (seq: number) => void;
}

const ROW_HEIGHT = 28;
const FIRST_HEIGHT = 600;

/** The events of a run. */
export function EventsTab({ store, version, seq, colors, onSeek }: EventsTabProps) {
  const { words, format } = useApp();
  const { events: say } = words.runPage;
  const [family, setFamily] = useState<EventFamily | "all">("all");
  const [text, setText] = useState("");
  const [withDeltas, setWithDeltas] = useState(false);
  const all = useEvents(store, version, withDeltas ? "all" : "kept");
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(() => filter(all, family, wanted), [all, version, family, wanted]);
  const seqs = useMemo(() => shown.map((event) => event.seq), [shown, shown.length]);
  const current = shown[countUpTo(seqs, seq) - 1];
  const families: readonly (EventFamily | "all")[] = ["all", ...EVENT_FAMILIES];
  return (
    <div className="events">
      <div className="events-filters">
        <input
          type="search"
          value={text}
          aria-label={say.filter}
          placeholder={say.filter}
          onChange={(event) => setText(event.target.value)}
        />
        <select
          value={family}
          aria-label={say.filter}
          onChange={(event) => setFamily(families.find((one) => one === event.target.value) ?? "all")}
        >
          {families.map((one) => (
            <option key={one} value={one}>
              {say.families[one]}
            </option>
          ))}
        </select>
        <label className="events-deltas">
          <input type="checkbox" checked={withDeltas} onChange={(event) => setWithDeltas(event.target.checked)} />
          {say.deltas}
        </label>
      </div>
      <Rows events={shown} seqs={seqs} seq={seq} story={store.story} colors={colors} onSeek={onSeek} />
      <div className="events-foot">
        <span>{say.count(format.number(shown.length))}</span>
        <CopyButton text={`baton runs show ${store.id} --json`} label={say.command}>
          <code>{`baton runs show ${store.id.slice(0, 8)}… --json`}</code>
        </CopyButton>
      </div>
      {current !== undefined && <Raw event={current} />}
    </div>
  );
}

function useEvents(store: RunStore, version: number, which: "all" | "kept"): readonly RunEvent[] {
  const withDeltas = which === "all";
  const { client } = useApp();
  const whole = useRequest(`${store.id} ${withDeltas} ${withDeltas ? version : ""}`, () =>
    withDeltas ? client.events(store.id, { history: "none" }) : Promise.resolve(undefined),
  );
  return withDeltas && whole.state === "ready" && whole.value !== undefined ? whole.value : store.events;
}

function filter(events: readonly RunEvent[], family: EventFamily | "all", text: string): readonly RunEvent[] {
  if (family === "all" && text === "") return events;
  return events.filter(
    (event) =>
      (family === "all" || isOfFamily(event, family)) &&
      (text === "" || JSON.stringify(event).toLowerCase().includes(text)),
  );
}

interface RowsProps {
  readonly events: readonly RunEvent[];
  readonly seqs: readonly number[];
  readonly seq: number;
  readonly story: Story;
  readonly colors: AgentColors;
  readonly onSeek: (seq: number) => void;
}

function Rows({ events, seqs, seq, story, colors, onSeek }: RowsProps) {
  const { words, format } = useApp();
  const { duration } = format;
  const row = countUpTo(seqs, seq) - 1;
  const { box, from, to, take } = useRowInSight(events, row);
  if (events.length === 0) return <p className="events-none">{words.runPage.events.none}</p>;
  return (
    <div
      className="events-list"
      ref={box}
      onScroll={take}
      data-scroll="events"
      tabIndex={0}
      role="region"
      aria-label={words.runPage.events.list}
    >
      <div className="events-space" style={{ height: events.length * ROW_HEIGHT }}>
        {events.slice(from, to).map((event, index) => (
          <button
            key={event.seq}
            type="button"
            className={`events-row ${colorClass(colors, agentOfEvent(event))}`}
            aria-current={from + index === row}
            style={{ top: (from + index) * ROW_HEIGHT }}
            onClick={() => onSeek(event.seq)}
          >
            <span className="events-seq">{event.seq}</span>
            <span className="events-type">{event.type}</span>
            <span className="events-what">{eventLabel(event, { say: words.runPage.happened, story })}</span>
            <span className="events-time">{duration(event.at - (story.started?.at ?? 0))}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

interface RowsInSight {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly from: number;
  readonly to: number;
  readonly take: (event: UIEvent<HTMLDivElement>) => void;
}

/**
 * Which rows are drawn. After a jump these are at once the rows around the new one: the list is scrolled to where they
 * were drawn, and neither asked where it is nor drawn a second time.
 */
function useRowInSight(events: readonly RunEvent[], row: number): RowsInSight {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: FIRST_HEIGHT });
  const [shown, setShown] = useState({ row: -1, events });
  const list = { count: events.length, rowHeight: ROW_HEIGHT };
  if (shown.row !== row || shown.events !== events) {
    setShown({ row, events });
    if (row >= 0) setScroll({ ...scroll, top: scrollTopFor({ ...list, ...scroll }, row) });
  }
  const { top } = scroll;
  useLayoutEffect(() => {
    if (box.current !== null && row >= 0) box.current.scrollTop = top;
  }, [row, events]);
  const drawn = useRef(scroll);
  drawn.current = scroll;
  // The list tells of what was scrolled here, too: an update for that would come late, and after the next jump.
  const take = ({ currentTarget: { scrollTop, clientHeight: height } }: UIEvent<HTMLDivElement>): void => {
    if (drawn.current.top !== scrollTop || drawn.current.height !== height) setScroll({ top: scrollTop, height });
  };
  return { box, ...visibleRows({ ...list, ...scroll }), take };
}

function Raw({ event }: { readonly event: RunEvent }) {
  const { words } = useApp();
  const text = indentedJson(event);
  return (
    <details className="events-raw">
      <summary>{`${words.runPage.events.raw} #${event.seq}`}</summary>
      <CopyButton text={JSON.stringify(event)} label={words.copy.json} />
      <pre tabIndex={0} role="region" aria-label={words.runPage.events.raw}>
        {text}
      </pre>
    </details>
  );
}
