/**
 * Open ask: asks for what only sources outside of the pack have. A source that is off gives no data, and the result names
 * the switch that turns it on.
 */
import { omitUndefined } from "@baton/core/util";
import type { Listing } from "../../market/port/listing.ts";
import { isUsExchange } from "../../market/sources/live-source.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";

const LIVE = "--live";
const CONTACT = "SEC_CONTACT";

/** Description of the wanted data, and the sources that have it: the SEC or the open ones. */
export type Wished = Readonly<{ what: string; from: "sec" | "open"; symbol?: string }>;

/** Returns the result of `ask`; if no source is configured, it reports no data and the switch that brings it. */
export async function askOpen<T>(wished: Wished, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (!(thrown instanceof MarketError) || thrown.kind !== "not_configured") throw thrown;
    throw toNoData(wished, thrown);
  }
}

function toNoData({ what, from, symbol }: Wished, thrown: MarketError): MarketError {
  const { enable: advised } = thrown.details;
  const isRefused = advised === CONTACT && thrown.message.includes(CONTACT);
  const message = isRefused ? thrown.message : `no source of ${what} is turned on`;
  const enable = from === "open" ? LIVE : advised === CONTACT ? CONTACT : `${LIVE} and ${CONTACT}`;
  return new MarketError("no_data", message, { enable, cause: thrown, ...omitUndefined({ symbol }) });
}

/** Throws if a listing cannot have filings: what is not listed in the United States does not file with the SEC. */
export function requireFiler({ symbol, name, exchange, type }: Listing): void {
  const why =
    exchange === "FICTIONAL"
      ? "is a made-up company"
      : type === "index" || type === "crypto"
        ? `is of type ${type}`
        : isUsExchange(exchange)
          ? undefined
          : `is listed on ${exchange}, outside of the United States`;
  if (why === undefined) return;
  throw new MarketError("no_data", `${symbol} (${name}) ${why}, and files nothing with the SEC`, { symbol });
}

/** The provenance with a note before its own, whose end may speak of a fallback. */
export function withNote(provenance: Provenance, note: string | undefined): Provenance {
  if (note === undefined) return provenance;
  return { ...provenance, note: [note, ...(provenance.note === undefined ? [] : [provenance.note])].join("; ") };
}
