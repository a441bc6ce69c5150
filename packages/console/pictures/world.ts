/**
 * World: what pictures are taken of: one product with runs in every state, one where nothing has run, and one that
 * wants a key.
 */
import { SystemClock } from "@baton/core/ports";
import { toShortId } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { KeyRing } from "../../server/src/gateway/keys.ts";
import { type StillClock, toStillClock } from "./still-clock.ts";
import { type Product, type ProductOptions, serveProduct, type ProductRun } from "./product.ts";

const STEPS = z.object({ events: z.array(z.object({ seq: z.number(), type: z.string() })) });
const FORKED = z.object({ id: z.string() });

/** Longer than it takes to start the runs, and in the middle of a minute for the oldest and the newest. */
const LATER_MS = 150_000;
/** Between two runs: lists have an order. */
const BETWEEN_MS = 20_000;

/** So many words after a group has begun, both of its members write. */
const BOTH_WRITE = 6;
/** A prime: the names of neighbours differ in all their digits. */
const FACTOR = 173_961_102_589;

/** All of it. */
export interface PictureWorld extends AsyncDisposable {
  readonly full: Product;
  readonly empty: Product;
  readonly locked: Product;
  /** The time that every page takes for now, so that relative times are the same in every picture. */
  readonly seenAt: number;
  /** Runs have other ids every time; in pictures each is shown by a name that stays, from the one to the other. */
  readonly shownIds: ReadonlyMap<string, string>;
  /** Runs by what they show. */
  readonly runs: Readonly<Record<RunName, ProductRun>>;
  /** An event in the middle of the exam, and a fork from it. */
  readonly middle: number;
  readonly fork: string;
}

/** The states that runs of a world show. */
export type RunName =
  | "answer"
  | "approval"
  | "running"
  | "failed"
  | "receipt"
  | "exam"
  | "vietnamese"
  | "long"
  | "crowd"
  | "marathon";

/** Serves the products and brings their runs into their states. */
export async function openPictureWorld(options: ProductOptions = {}): Promise<PictureWorld> {
  const clock = toStillClock();
  const full = await serveProduct({ ...options, clock });
  const empty = await serveProduct({ clock });
  const locked = await serveLocked();
  const runs = await startRuns(full, clock);
  const middle = await findMiddle(full, runs.exam.id);
  clock.advance(BETWEEN_MS);
  const fork = await forkAt(full, runs.exam.id, middle);
  return {
    full,
    empty,
    locked,
    runs,
    middle,
    seenAt: clock.now() + LATER_MS,
    fork,
    shownIds: toShownIds([...Object.values(runs).map(({ id }) => id), fork]),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([full, empty, locked].map((product) => product[Symbol.asyncDispose]()));
    },
  };
}

function toShownIds(ids: readonly string[]): PictureWorld["shownIds"] {
  return new Map(
    ids.map((id, index) => [toShortId(id), ((index + 1) * FACTOR).toString(16).padStart(12, "0").slice(-12)]),
  );
}

async function serveLocked(): Promise<Product> {
  const database = openMemory();
  const keys = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  await keys.create("pictures", ["run", "read"]);
  return serveProduct({ database });
}

async function startRuns(product: Product, clock: StillClock): Promise<PictureWorld["runs"]> {
  const settle: Product["settle"] = async (crew, input) => {
    clock.advance(BETWEEN_MS);
    return product.settle(crew, input);
  };
  const marathon = await settle("marathon", "Pass the baton a hundred times.");
  const crowd = await settle("crowd", "Stamp my form.");
  const failed = await settle("failing", "Summarize the paper on coral reefs.");
  const vietnamese = await settle("it-support", "Máy tính của tôi chạy rất chậm từ sáng nay.");
  const long = await settle(
    "bao-cao-chat-luong-du-lieu-thi-truong-chung-khoan-hang-quy",
    "Hãy kiểm tra chất lượng dữ liệu thị trường chứng khoán của quý vừa rồi, lập báo cáo và nộp cho cơ quan quản lý.",
  );
  const exam = await settle("quiz-exam", "Please hold an exam on the solar system.");
  clock.advance(BETWEEN_MS);
  const receipt = await product.start("stubborn", "Build the index of the archive again.");
  await product.until(receipt.id, "call.started");
  await product.command(receipt.id, { type: "cancel" });
  const answer = await settle("finance", "Technical analysis of AAPL");
  const approval = await settle(
    "customer-service",
    "My teapot arrived broken. I am C-1001, order O-5001. I want my money back.",
  );
  clock.advance(BETWEEN_MS);
  const running = await product.start("seminar", "Should the main street be for people on foot?");
  await product.until(running.id, "group.started");
  return { answer, approval, running, failed, receipt, exam, vietnamese, long, crowd, marathon };
}

/** An event in the middle of a run at which members of a group write. */
async function findMiddle({ url }: Product, run: string): Promise<number> {
  const answer = await fetch(`${url}/api/runs/${run}/events`, { headers: { Accept: "application/json" } });
  const { events } = STEPS.parse(await answer.json());
  const groups = events.filter(({ type }) => type === "group.started");
  const group = groups[Math.floor(groups.length / 2)]?.seq ?? 1;
  const texts = events.filter(({ seq, type }) => seq > group && type === "text.delta");
  return texts[BOTH_WRITE]?.seq ?? group;
}

async function forkAt({ url }: Product, run: string, seq: number): Promise<string> {
  const answer = await fetch(`${url}/api/runs/${run}/fork`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ seq }),
  });
  return FORKED.parse(await answer.json()).id;
}
