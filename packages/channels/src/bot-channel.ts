/**
 * Bot channel: one bot. The server that has its lease works for it, term by term; others wait for the lease.
 */
import { toMessage } from "@baton/core/util";
import type { ServiceHost } from "@baton/server/mount";
import { BotTerm } from "./bot-term.ts";
import type { BotConfig } from "./config.ts";
import { type ChannelStatus, type SetStatus, sleep } from "./parts.ts";
import { BotClient } from "./platform/bot-client.ts";
import type { BotIdentity, Platform } from "./platform/platform.ts";
import { telegram } from "./platform/telegram.ts";
import { zalo } from "./platform/zalo.ts";
import { type ChannelState, ChannelRecords, CHAT, ROW, STATUS } from "./state/channel-records.ts";

const LEASE_MS = 1_000;
/** Interval of lines in the log about the same trouble. */
const LINE_MS = 60_000;
const NOBODY: BotIdentity = { id: "", username: "" };
const SEVERITY: readonly ChannelStatus[] = ["up", "down", "conflict", "unauthorized"];

/** The state of a channel, for people. */
export interface ChannelView {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly status: ChannelStatus;
  readonly detail?: string;
  readonly bot?: string;
  readonly waiting: number;
  readonly unknown: number;
  readonly chats: number;
}

interface Side {
  readonly status: ChannelStatus;
  readonly detail: string | undefined;
}

/** The parts of a server that a bot channel uses. */
export interface BotChannelParts {
  readonly host: ServiceHost;
  readonly fetch: typeof fetch;
  readonly draw: (svg: string) => Promise<Uint8Array>;
}

/** One bot. */
export class BotChannel implements AsyncDisposable {
  readonly config: BotConfig;
  readonly platform: Platform;
  /** For reading; only a term writes. */
  readonly records: ChannelRecords;
  readonly #given: BotChannelParts;
  readonly #abort = new AbortController();
  readonly #sides = new Map<"poll" | "send", Side>([
    ["poll", { status: "down", detail: "it has not been reached yet" }],
  ]);
  #leading: Promise<void> = Promise.resolve();
  #term: BotTerm | undefined;
  #bot = NOBODY;
  #unknown = 0;
  #told = { status: "up", at: -Infinity };

  constructor(config: BotConfig, given: BotChannelParts) {
    this.config = config;
    this.platform = config.type === "telegram" ? telegram : zalo;
    this.records = new ChannelRecords(given.host.store.database, config.name);
    this.#given = given;
  }

  /** Begins to work as soon as no other server does. */
  begin(): void {
    this.#leading = this.#lead();
  }

  /** Takes the body of a webhook; resolves when its update is on disk. */
  async receive(body: unknown): Promise<void> {
    // A server that does not lead knows the bot from the one that does.
    if (this.#bot.id === "") this.#bot = (await this.records.find(STATUS, "status"))?.bot ?? NOBODY;
    const update = this.platform.readUpdate(body, this.#bot);
    if (update === undefined) return;
    if (this.#term === undefined) await this.records.add(ChannelRecords.inbox({ update, isDone: false }));
    else await this.#term.inbox.receive(update);
  }

  async view(): Promise<ChannelView> {
    const { name, type, mode } = this.config;
    const known = this.#term === undefined ? await this.records.find(STATUS, "status") : undefined;
    const { status, detail, bot, unknown } = known ?? this.#state();
    return {
      name,
      type,
      mode,
      status,
      ...(detail === undefined ? {} : { detail }),
      ...(bot.username === "" ? {} : { bot: bot.username }),
      waiting: (await this.records.list(ROW, { kind: "row" })).length,
      unknown,
      chats: (await this.records.list(CHAT, { kind: "chat" })).length,
    };
  }

  /** Messages that may have arrived twice. */
  get unknown(): number {
    return this.#unknown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#leading;
  }

  async #lead(): Promise<void> {
    const { host } = this.#given;
    const ended = this.#abort.signal;
    while (!ended.aborted) {
      const release = await host.lease(this.config.name).catch(() => undefined);
      if (release !== undefined) {
        try {
          await this.#serve();
        } catch (error) {
          host.logger.error("a channel failed", { channel: this.config.name, error: toMessage(error) });
        } finally {
          this.#term = undefined;
          await release().catch(() => undefined);
        }
      }
      await sleep(host.clock, LEASE_MS, ended);
    }
  }

  async #serve(): Promise<void> {
    const { host, fetch: send, draw } = this.#given;
    const { config, platform } = this;
    this.#unknown = (await this.records.find(STATUS, "status"))?.unknown ?? 0;
    const term = new BotTerm({
      config,
      platform,
      client: new BotClient({ apiUrl: config.apiUrl, token: config.token, fetch: send }),
      host,
      clock: host.clock,
      ended: this.#abort.signal,
      bot: () => this.#bot,
      identified: (bot) => {
        this.#bot = bot;
        this.#keep();
      },
      setStatus: (...given) => this.#setStatus(...given),
      countUnknown: () => {
        this.#unknown++;
        this.#keep();
      },
      draw,
    });
    this.#term = term;
    await term.run();
  }

  #state(): ChannelState {
    const sides = [...this.#sides.values()];
    const worst = sides.toSorted((one, other) => SEVERITY.indexOf(other.status) - SEVERITY.indexOf(one.status))[0];
    const { status, detail } = worst ?? { status: "down", detail: undefined };
    return { status, ...(detail === undefined ? {} : { detail }), bot: this.#bot, unknown: this.#unknown };
  }

  #keep(): void {
    this.#term?.keep(this.#state());
  }

  readonly #setStatus: SetStatus = (side, status, detail) => {
    const before = this.#sides.get(side);
    this.#sides.set(side, { status, detail });
    if (before?.status !== status || before.detail !== detail) this.#keep();
    if (status === "up") return;
    const now = this.#given.host.clock.monotonic();
    if (this.#told.status === status && now - this.#told.at < LINE_MS) return;
    this.#told = { status, at: now };
    this.#given.host.logger.warn(`a channel is ${status}`, { channel: this.config.name, detail });
  };
}
