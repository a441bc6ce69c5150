/**
 * Listing tool: a market tool about one listing, which also takes several at once.
 *
 * `symbol` is a ticker or a name; `symbols` up to ten of them. Of several, each that has no data is named in `missing`
 * and does not hide the others.
 */
import type { Figure } from "@baton/assistant";
import { z } from "zod";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { AnySymbol, isOrdered, ORDERED, SymbolList } from "./arguments.ts";
import type { DigestWords } from "./digest-frame.ts";
import { defineMarketTool, type MarketContext, type MarketTool, type MarketToolDefinition } from "./market-tool.ts";
import { findListing, type FoundListing, type ListingIdentity, type ListingKinds } from "./require-listing.ts";

/** A tool about a listing as it is written. */
export interface ListingToolDefinition<S extends z.ZodRawShape, D> extends Omit<
  MarketToolDefinition<never, D>,
  "input" | "run"
> {
  /** Types of listings that it takes. */
  readonly of: ListingKinds;
  /** The list is what models are offered; by default one symbol is. */
  readonly offers?: "symbols";
  /** Arguments beside the symbols. */
  readonly input: S;
  /** A check of these arguments together. */
  readonly check?: (args: z.output<z.ZodObject<S>>) => Readonly<{ path: string; message: string }> | undefined;
  /** Figures of one of several, if they are fewer. */
  readonly brief?: (data: D, provenance: Provenance) => readonly Figure[];
  readonly run: (listing: Listing, args: z.output<z.ZodObject<S>>, asked: MarketContext) => Promise<Sourced<D>>;
}

/** The result of one of several. */
type Part<D> = D & Readonly<{ provenance: Provenance }>;
/** Results of several listings. */
export interface Several<D> {
  readonly results: readonly Part<D>[];
  readonly missing?: readonly Readonly<{ symbol: string; reason: string }>[];
}

/** Defines a tool about one listing or several. */
export function defineListingTool<S extends z.ZodRawShape, D extends ListingIdentity>(
  definition: ListingToolDefinition<S, D>,
): MarketTool {
  const { of, figures, brief = figures, describe, digest, run, input: _, check: __, offers: ___, ...rest } = definition;
  const one = async (found: FoundListing, args: z.output<z.ZodObject<S>>, asked: MarketContext) => {
    const answer = await run(found.listing, args, asked).catch((thrown: unknown) => {
      throw named(thrown, found.listing);
    });
    const { candidates } = found;
    return candidates.length === 0 ? answer : { ...answer, ...toAmbiguous([found]) };
  };
  return defineMarketTool<Asked<S>, D | Several<D>>({
    ...rest,
    input: toInput(definition),
    offered: toOffered(definition),
    run: async ({ texts, args }, asked): Promise<Sourced<D | Several<D>>> => {
      const [first, ...others] = texts;
      if (first !== undefined && others.length === 0) return one(findListing(asked.market, first, of), args, asked);
      return several(texts, asked, async (text, own) => {
        const found = findListing(own.market, text, of);
        return { found, ...(await run(found.listing, args, own)) };
      });
    },
    figures: (data, provenance) =>
      isSeveral(data) ? data.results.flatMap(toPartFigures(brief)) : figures(data, provenance),
    ...(describe && {
      describe: (data) => (isSeveral(data) ? data.results.flatMap((part) => describe(part)) : describe(data)),
    }),
    digest: (data, provenance) => (isSeveral(data) ? toSeveralWords(data, digest) : (digest?.(data, provenance) ?? {})),
  });
}

/** The error with the listing that it is about. */
function named(thrown: unknown, { symbol }: Listing): unknown {
  if (!(thrown instanceof MarketError) || thrown.details.symbol !== undefined) return thrown;
  return new MarketError(thrown.kind, thrown.message, { ...thrown.details, symbol, cause: thrown });
}

interface Asked<S extends z.ZodRawShape> {
  readonly texts: readonly string[];
  readonly args: z.output<z.ZodObject<S>>;
}

function toInput<S extends z.ZodRawShape, D>(definition: ListingToolDefinition<S, D>): z.ZodType<Asked<S>> {
  const { input, offers, check } = definition;
  const both = { symbol: AnySymbol.optional(), symbols: SymbolList.optional() };
  const own = z.object(input);
  return z.strictObject({ ...both, ...input }).transform((fields, context): Asked<S> => {
    const given = z.object(both).parse(fields);
    const texts = [...new Set([...(given.symbols ?? []), ...(given.symbol === undefined ? [] : [given.symbol])])];
    const args = own.parse(fields);
    const window = z.object({ from: z.string().optional(), to: z.string().optional() }).safeParse(fields).data ?? {};
    const fault = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (texts.length === 0) fault(offers ?? "symbol", "is required: a ticker or a name");
    if (!isOrdered(window)) fault("from", ORDERED.error);
    const wrong = check?.(args);
    if (wrong !== undefined) fault(wrong.path, wrong.message);
    return { texts, args };
  });
}

/** One symbol, or the list and its short form. */
function toOffered<S extends z.ZodRawShape, D>({ input, offers }: ListingToolDefinition<S, D>): z.ZodType {
  if (offers === undefined) return z.object({ symbol: AnySymbol, ...input });
  return z.object({
    symbols: SymbolList.optional(),
    symbol: AnySymbol.optional().describe("Instead of one"),
    ...input,
  });
}

type Loaded<D> = Sourced<D> & Readonly<{ found: FoundListing }>;

async function several<D>(
  texts: readonly string[],
  asked: MarketContext,
  load: (text: string, own: MarketContext) => Promise<Loaded<D>>,
): Promise<Sourced<Several<D>>> {
  const { market, context } = asked;
  const tried = await context.scope.all(
    texts.map((text) => async (scope) => {
      try {
        return await load(text, { market, context: { ...context, scope } });
      } catch (thrown) {
        if (thrown instanceof MarketError) return { symbol: thrown.details.symbol ?? text, thrown };
        throw thrown;
      }
    }),
  );
  const failed = tried.flatMap((part) => ("thrown" in part ? [part] : []));
  const loaded = tried.flatMap((part) => ("thrown" in part ? [] : [part]));
  if (loaded.length === 0) throw nothing(failed);
  const missing = failed.map(({ symbol, thrown }) => ({ symbol, reason: thrown.message }));
  const results = loaded.map(({ data, provenance }) => ({ ...data, provenance }));
  const unclear = loaded.map(({ found }) => found).filter(({ candidates }) => candidates.length > 0);
  return {
    data: { results, ...(missing.length === 0 ? {} : { missing }) },
    provenance: joinProvenance(loaded.map(({ provenance }) => provenance)),
    ...(unclear.length === 0 ? {} : toAmbiguous(unclear)),
  };
}

type Failed = Readonly<{ symbol: string; thrown: MarketError }>;

/** Why none of several has data; a reason that they share is said once. */
function nothing(failed: readonly Failed[]): MarketError {
  const [first] = failed;
  const other = failed.find(({ thrown }) => thrown.kind !== "no_data" && thrown.kind !== "ambiguous");
  if (first === undefined || other !== undefined)
    return other?.thrown ?? new MarketError("no_data", "no symbol was given");
  const reasons = Map.groupBy(failed, ({ thrown }) => thrown.message);
  const message = [...reasons.keys()].slice(0, 5).join("; ");
  const candidates = failed.flatMap(({ thrown }) => thrown.details.candidates ?? []);
  const details = { symbol: failed.map(({ symbol }) => symbol).join(", "), candidates };
  return new MarketError("no_data", message, { ...first.thrown.details, ...details });
}

const toAmbiguous = (found: readonly FoundListing[]) => ({
  ambiguous: true as const,
  taken: found.map(({ listing }) => listing.symbol),
  candidates: found.flatMap(({ candidates }) => candidates),
});

function isSeveral<D extends ListingIdentity>(data: D | Several<D>): data is Several<D> {
  return "results" in data && Array.isArray(data.results);
}

const toPartFigures =
  <D>(figures: (data: D, provenance: Provenance) => readonly Figure[]) =>
  (part: Part<D>, at: number): readonly Figure[] => {
    const { as_of: asOf, kind, source } = part.provenance;
    const inPlace = (path: string) => path.replace(/^data/, `data.results[${at}]`);
    return figures(part, part.provenance).map((figure) => ({
      asOf,
      kind,
      source,
      ...figure,
      path: inPlace(figure.path),
    }));
  };

function toSeveralWords<D extends ListingIdentity>(
  { results, missing = [] }: Several<D>,
  digest?: (data: D, provenance: Provenance) => DigestWords,
): DigestWords {
  const words = results.map((part) => digest?.(part, part.provenance) ?? {});
  const unique = (pick: (one: DigestWords) => readonly string[] | undefined) => [
    ...new Set(words.flatMap((one) => pick(one) ?? [])),
  ];
  const isOfAll = (text: string): boolean => words.every(({ shared = [] }) => shared.includes(text));
  const own = results.flatMap(({ symbol }, at) => {
    const texts = (words[at]?.shared ?? []).filter((text) => !isOfAll(text));
    return texts.length === 0 ? [] : [`${symbol}: ${texts.join(", ")}`];
  });
  return {
    shared: unique(({ shared }) => shared).filter(isOfAll),
    missing: [...toMissingLines(missing), ...unique((one) => one.missing)],
    notes: [...own, ...unique(({ notes }) => notes)],
    ...(words.some(({ isCompact }) => isCompact) && { isCompact: true }),
  };
}

/** `FPT.VN, HPG.VN: stored data has no Vietnamese stocks`: a reason that several share is said once. */
export function toMissingLines(missing: readonly Readonly<{ symbol: string; reason: string }>[]): readonly string[] {
  const byReason = Map.groupBy(missing, ({ symbol, reason }) => reason.replaceAll(symbol, "it"));
  return [...byReason].map(([reason, own]) => {
    const [only] = own;
    const names = own.map(({ symbol }) => symbol).join(", ");
    return `${names}: ${own.length === 1 && only !== undefined ? only.reason : reason}`;
  });
}
