/**
 * Runs filters: state, crew and text; they are in the address.
 */
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useApp } from "../app-context.ts";
import type { RunsFilter } from "../navigation/route.ts";
import { useRequest } from "../loading/use-request.ts";
import { LISTED_STATE_NAMES, LISTED_STATES, listedStateOf } from "./run-list.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";

const SETTLE_MS = 200;

/** The filters of the list. */
export function RunsFilters({ filter }: { readonly filter: RunsFilter }) {
  const { client, words, navigate } = useApp();
  const { runs: say } = words.lists;
  const crews = useRequest("crews", () => client.crews());
  const names = crews.state === "ready" ? crews.value.map(({ id }) => id) : [];
  const { crew } = filter;
  const shown = crew === undefined || names.includes(crew) ? names : [crew, ...names];
  const keep = (next: RunsFilter): void => navigate({ page: "runs", ...next }, "replace");
  const { status: _status, outcome: _outcome, ...rest } = filter;
  const state = listedStateOf(filter);
  return (
    <div className="runs-filters" role="search">
      <select
        aria-label={say.status}
        value={state ?? ""}
        onChange={({ target }) => {
          const chosen = LISTED_STATE_NAMES.find((name) => name === target.value);
          keep({ ...rest, ...(chosen === undefined ? {} : LISTED_STATES[chosen]) });
        }}
      >
        <option value="">{say.allStates}</option>
        {LISTED_STATE_NAMES.map((name) => (
          <option key={name} value={name}>
            {words.status[name]}
          </option>
        ))}
      </select>
      <select
        aria-label={say.crew}
        value={crew ?? ""}
        onChange={({ target }) => {
          const { crew: _, ...others } = filter;
          keep(target.value === "" ? others : { ...others, crew: target.value });
        }}
      >
        <option value="">{say.allCrews}</option>
        {shown.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <SearchField filter={filter} keep={keep} />
      <label className="runs-after" {...describedBy(say.afterHint)}>
        <input
          type="checkbox"
          checked={filter.after === "all"}
          onChange={({ target }) => {
            const { after: _, ...others } = filter;
            keep(target.checked ? { ...others, after: "all" } : others);
          }}
        />
        {say.after}
      </label>
    </div>
  );
}

interface SearchFieldProps {
  readonly filter: RunsFilter;
  readonly keep: (next: RunsFilter) => void;
}

/** Goes into the address when the reader has stopped writing. */
function SearchField({ filter, keep }: SearchFieldProps) {
  const { words } = useApp();
  const [text, setText] = useState(filter.q ?? "");
  useEffect(() => setText(filter.q ?? ""), [filter.q]);
  useEffect(() => {
    if (text === (filter.q ?? "")) return undefined;
    const { q: _, ...others } = filter;
    const timer = setTimeout(() => keep(text === "" ? others : { ...others, q: text }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="runs-search">
      <Search size={15} aria-hidden />
      <input
        type="search"
        value={text}
        aria-label={words.lists.runs.search}
        placeholder={words.lists.runs.search}
        data-shortcut="search"
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
