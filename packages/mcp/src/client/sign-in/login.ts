/**
 * Login: a sign-in from a terminal, whose code comes back to a port of this machine.
 */
import { createServer, type Server } from "node:http";
import { BatonError } from "@baton/core";
import { toPage } from "./callback-route.ts";
import type { Inspection } from "../inspect-server.ts";
import { type Challenge, finishSignIn, type McpSignIn, parseState } from "./sign-in.ts";

const WAIT_MS = 300_000;
const PATH = "/callback";
const MAX_SIGN_INS = 3;

/** Waits for the browser on a loopback port. */
export class LoopbackCallback implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  #came = Promise.withResolvers<URLSearchParams>();
  #name = "the server";

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}${PATH}`;
    server.on("request", (request, response) => {
      const url = new URL(request.url ?? "/", this.url);
      if (url.pathname !== PATH || !url.searchParams.has("state")) {
        response.writeHead(404).end();
        return;
      }
      const page = toPage(this.#name, "came back");
      response.writeHead(200, Object.fromEntries(page.headers));
      page.text().then(
        (html) => response.end(html),
        () => response.end(),
      );
      this.#came.resolve(url.searchParams);
    });
  }

  /** Opens a port that is free. */
  static async open(): Promise<LoopbackCallback> {
    const server = createServer();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
    await promise;
    const address = server.address();
    return new LoopbackCallback(server, typeof address === "object" && address !== null ? address.port : 0);
  }

  /** The parameters that the browser brought. */
  next(server: string): Promise<URLSearchParams> {
    this.#name = server;
    this.#came = Promise.withResolvers();
    const { promise, reject } = Promise.withResolvers<never>();
    const why = "nobody signed in within 5 minutes; run the command again";
    const timer = setTimeout(() => reject(new BatonError("timeout", why)), WAIT_MS);
    return Promise.race([this.#came.promise, promise]).finally(() => clearTimeout(timer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    await promise;
  }
}

/** Everything that a login needs. */
export type LoginOptions = Inspection & Readonly<{ callback: LoopbackCallback; show: (url: string) => void }>;

/** Signs in, unless the server takes the tokens that are there; throws `forbidden` if the user refused. */
export async function login(options: LoginOptions): Promise<void> {
  const { host, name, server, caller } = options;
  const { link, signIn, takeChallenge } = await host.linkOf(name, server, caller);
  if (signIn === undefined) throw new BatonError("invalid", `nobody signs in to ${name}`);
  takeChallenge();
  for (let signIns = 0; ; signIns++) {
    try {
      await link.use(() => Promise.resolve());
      return;
    } catch (error) {
      const challenge = takeChallenge();
      if (challenge === undefined || signIns === MAX_SIGN_INS) throw error;
      const isRenewed = challenge.status === 401 && (await signIn.renew(challenge));
      if (!isRenewed) await signInOnce(options, signIn, challenge);
    }
  }
}

async function signInOnce({ name, callback, show }: LoginOptions, signIn: McpSignIn, challenge: Challenge) {
  const page = await signIn.begin(challenge);
  const coming = callback.next(name);
  show(page.href);
  const came = await coming;
  const state = parseState(signIn.options.box, came.get("state") ?? "");
  if (state === undefined) throw new BatonError("invalid", "the browser came back from another sign-in");
  const [code, iss] = [came.get("code"), came.get("iss")];
  const given = { ...(code === null ? {} : { code }), ...(iss === null ? {} : { iss }) };
  const { isDenied } = await finishSignIn(signIn.options, state.state, given);
  if (isDenied) throw new BatonError("forbidden", `sign-in to ${name} was denied`);
}
