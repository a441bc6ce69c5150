/**
 * FMP account: what all capabilities of Financial Modeling Prep share: the client, the directory, how prices are dated.
 */
import type { Directory, Listing } from "../../port/listing.ts";
import type { Adjust, Sourced } from "../../port/provenance.ts";
import { FmpClient, type FmpOptions } from "./fmp-client.ts";
import { type ListedRow, type AnswerOrigin, toListing, toSourced } from "../live-source.ts";

/** Connection to the account, and the listings known beside it. */
export interface FmpSourceOptions extends FmpOptions {
  /** The account has the exchange's real-time declaration; else its prices are 15 minutes old. */
  readonly isRealTime?: boolean;
  /** Names and types of the listings in lists. */
  readonly directory?: Pick<Directory, "get">;
}

type Dated = Readonly<{
  isPrice: boolean;
  asOf?: number | string | undefined;
  adjust?: Adjust | undefined;
  note?: string | undefined;
}>;

/** One account and what it is asked with. */
export interface FmpAccount {
  readonly client: FmpClient;
  readonly listingOf: (row: ListedRow) => Listing | undefined;
  readonly sourced: <T>(data: T, origin: AnswerOrigin & { readonly note?: string }, dated: Dated) => Sourced<T>;
}

const DELAY_S = 900;

/** The account for these options. */
export function toAccount(options: FmpSourceOptions): FmpAccount {
  const { isRealTime = false, directory } = options;
  return {
    client: new FmpClient(options),
    listingOf: (row) => toListing(row, directory),
    sourced: (data, origin, { isPrice, note, ...rest }) => {
      const isDelayed = isPrice && !isRealTime;
      const notes = [origin.note, note].filter((text) => text !== undefined).join("; ");
      return toSourced(data, origin, {
        source: "fmp",
        kind: isDelayed ? "delayed" : "live",
        delay_s: isDelayed ? DELAY_S : undefined,
        note: notes === "" ? undefined : notes,
        ...rest,
      });
    },
  };
}
