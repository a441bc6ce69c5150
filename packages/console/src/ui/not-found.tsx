/**
 * Not found: an address that leads nowhere, and the ways on from there.
 */
import { SearchX } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useApp } from "../app-context.ts";
import { PLACES } from "../navigation/nav.tsx";
import { PageLink } from "../navigation/page-link.tsx";
import { toAddress } from "../navigation/route.ts";
import { useTitle } from "../navigation/use-title.ts";
import "../loading/load-failure.css";

const NEAREST = 3;

/** Says so, and leads to the pages whose addresses are most alike, or to a search. */
export function NotFound() {
  const { words, route, navigate } = useApp();
  const { nothing, address, nearest, search } = words.notFound;
  const [q, setQ] = useState("");
  useTitle([nothing]);
  const asked = toAddress(route);
  const pages = PLACES.toSorted((a, b) => likeness(asked, b.name) - likeness(asked, a.name)).slice(0, NEAREST);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (q.trim() !== "") navigate({ page: "runs", q: q.trim() });
  };
  return (
    <div className="failed-part failed-page">
      <SearchX size={28} strokeWidth={1.5} aria-hidden />
      <h1>{nothing}</h1>
      <p>
        <code>{asked}</code>
      </p>
      <p>{address}</p>
      <nav className="failed-ways" aria-label={nearest}>
        {pages.map(({ name }) => (
          <PageLink key={name} to={{ page: name }}>
            {words.pages[name]}
          </PageLink>
        ))}
      </nav>
      <form role="search" onSubmit={submit}>
        <input
          className="failed-search"
          type="search"
          aria-label={search}
          placeholder={search}
          value={q}
          onChange={({ target }) => setQ(target.value)}
        />
      </form>
    </div>
  );
}

/** Counts the pairs of letters of a name that an address has. */
function likeness(address: string, name: string): number {
  const text = address.toLowerCase();
  return Array.from(name.slice(1), (_, at) => name.slice(at, at + 2)).filter((pair) => text.includes(pair)).length;
}
