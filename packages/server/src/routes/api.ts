/**
 * API: a route together with what its documentation says, from the schemas that validate.
 */
import type { Hono } from "hono";
import type { z } from "zod";
import type { AnswerHeader, RequestHeader } from "./api-headers.ts";
import type { GatewayContext, GatewayEnv } from "../gateway/gateway-env.ts";
import { refuseHead, requireScope } from "../gateway/gateway.ts";
import type { KeyScope } from "../gateway/keys.ts";

/** One answer a route gives: what it means, and its body. */
export interface AnswerDefinition {
  readonly description: string;
  /** Of its JSON. */
  readonly schema?: z.ZodType;
  /** Media type if it is not JSON: a stream, a page. */
  readonly type?: string;
  /** Beside those that every answer may have. */
  readonly headers?: readonly AnswerHeader[];
}

/** One method of one path. */
export interface RouteDefinition {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** In Hono's words: `/api/runs/:id`. */
  readonly path: string;
  readonly summary: string;
  /** The scope that the key needs, or several of which it needs one; undefined if any key will do or none is needed. */
  readonly scope?: KeyScope | readonly KeyScope[];
  /** It needs no key. */
  readonly isOpen?: true;
  /** Of a GET that begins something. */
  readonly isHeadRefused?: true;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Beside those that every request may have. */
  readonly headers?: readonly RequestHeader[];
  /** By status; errors are the same everywhere. */
  readonly answers: Readonly<Record<number, AnswerDefinition>>;
}

type Handler = (c: GatewayContext) => Response | Promise<Response>;

/** The routes of a server, and what is written of them. */
export class Api {
  readonly routes: RouteDefinition[] = [];
  readonly #app: Hono<GatewayEnv>;

  constructor(app: Hono<GatewayEnv>) {
    this.#app = app;
  }

  /** Adds a route. */
  add(definition: RouteDefinition, handle: Handler): void {
    const { method, path, scope, isHeadRefused } = definition;
    this.routes.push(definition);
    const guards = [...(isHeadRefused ? [refuseHead] : []), ...(scope === undefined ? [] : [requireScope(scope)])];
    this.#app.on(method.toUpperCase(), [path], ...guards, handle);
  }
}
