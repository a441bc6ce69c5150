/**
 * Sign-in: the token that this tab sends instead of an API key. The key itself is kept nowhere.
 *
 * Tabs of one browser share the token: a new one asks the others, and a sign-out holds for all. The browser forgets it
 * with its last tab, unless the reader wants to stay signed in.
 */

/** Where a token is kept: the browser's own storage, or a Map in tests. */
export type TokenStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A line between the tabs of one browser. */
export interface TabChannel {
  readonly say: (text: string) => void;
  readonly listen: (hear: (said: unknown) => void) => void;
}

/** The places and lines of a sign-in. */
export interface SignInOptions {
  /** Ends with the tab. */
  readonly tab: TokenStorage;
  /** Stays on this machine. */
  readonly machine: TokenStorage;
  readonly channel: TabChannel;
  readonly wait: (ms: number) => Promise<void>;
}

const NAME = "baton.token";
/** Time that a new tab waits for another one's token. */
const SIBLING_MS = 150;
const ASK = "ask";
const OUT = "out";
/** Prefix of a token on the line. */
const TOKEN = "token ";

/** The token of this tab. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #listeners = new Set<() => void>();
  #token: string | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#token = options.tab.getItem(NAME) ?? options.machine.getItem(NAME) ?? undefined;
    options.channel.listen((said) => this.#hear(said));
  }

  /** Undefined if this tab is not signed in. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Asks the other tabs for their token; false if none has one. */
  async join(): Promise<boolean> {
    this.#options.channel.say(ASK);
    await this.#options.wait(SIBLING_MS);
    return this.#token !== undefined;
  }

  /** Takes a token; kept on this machine only if the reader stays signed in. */
  enter(token: string, { stays }: Readonly<{ stays: boolean }>): void {
    if (stays) this.#options.machine.setItem(NAME, token);
    this.#take(token);
    this.#options.channel.say(TOKEN + token);
  }

  /** Forgets the token, in all tabs. */
  leave(): void {
    this.forget();
    this.#options.channel.say(OUT);
  }

  /** Forgets the token, in this tab: the server does not accept it any more. */
  forget(): void {
    this.#options.tab.removeItem(NAME);
    this.#options.machine.removeItem(NAME);
    this.#change(undefined);
  }

  /** Calls back after every change; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #hear(said: unknown): void {
    if (said === ASK && this.#token !== undefined) this.#options.channel.say(TOKEN + this.#token);
    if (said === OUT) this.forget();
    if (typeof said !== "string" || !said.startsWith(TOKEN)) return;
    if (this.#token === undefined) this.#take(said.slice(TOKEN.length));
  }

  #take(token: string): void {
    this.#options.tab.setItem(NAME, token);
    this.#change(token);
  }

  #change(token: string | undefined): void {
    this.#token = token;
    for (const listener of this.#listeners) listener();
  }
}
