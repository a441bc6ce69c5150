/**
 * App: the gateway and every route of a server.
 */
import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { Api } from "./routes/api.ts";
import { compressing } from "./gateway/compress.ts";
import type { GatewayEnv } from "./gateway/gateway-env.ts";
import { addGateway, type GatewayOptions } from "./gateway/gateway.ts";
import { addAguiRun } from "./routes/chat/agui-run.ts";
import { addCommands } from "./routes/runs/commands.ts";
import { addConsole, addMissingPage } from "./routes/console.ts";
import { addCrewStream } from "./routes/chat/crew-stream.ts";
import { addCrews } from "./routes/crews.ts";
import { addDescription } from "./routes/openapi-route.ts";
import { addFeedback } from "./routes/runs/feedback.ts";
import { addKeys, addSignIn } from "./routes/access/keys.ts";
import { addLogLevel } from "./routes/access/log-level.ts";
import { addRunFile } from "./routes/runs/run-file.ts";
import { addFeed } from "./routes/feed.ts";
import { addMe } from "./routes/access/me.ts";
import { addModels } from "./routes/models.ts";
import { addMounts } from "./routes/mounts.ts";
import { addOpenaiChat } from "./routes/chat/openai-chat.ts";
import { addOpenaiResponses } from "./routes/chat/openai-responses.ts";
import { addOverview } from "./routes/overview.ts";
import { addProbes } from "./routes/probes.ts";
import { addQuestions } from "./routes/questions.ts";
import { addRunEvents } from "./routes/runs/run-events.ts";
import { addRunPast } from "./routes/runs/run-history.ts";
import { addRuns } from "./routes/runs/runs.ts";
import { addSessions } from "./routes/sessions/sessions.ts";
import { addUiChat } from "./routes/chat/ui-chat.ts";
import type { RouteMount } from "./mount.ts";
import type { Service } from "./service.ts";
import { addSockets } from "./sockets/socket-routes.ts";
import { logRequests } from "./observe/request-log.ts";

/** Builds the app of a server, with the routes that are mounted. */
export function createApp(service: Service, mounts: readonly RouteMount[], gateway: GatewayOptions): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ getPath: (request) => withoutBase(getPath(request), service.basePath) });
  app.use(logRequests(service.observer, service.store.clock));
  if (service.console !== undefined) addMissingPage(app, service.console);
  addGateway(app, { ...gateway, guards: mounts });
  app.use("/api/*", compressing);
  if (service.console !== undefined) addConsole(app, service.console);
  const api = new Api(app);
  addCrewStream(api, service);
  addRuns(api, service);
  addRunEvents(api, service);
  addRunPast(api, service);
  addCommands(api, service);
  addFeedback(api, service);
  addRunFile(api, service);
  addQuestions(api, service);
  addSessions(api, service);
  addFeed(api, service);
  addOverview(api, service);
  addMe(api, service);
  addSignIn(api, service);
  addKeys(api, service);
  addLogLevel(api, service);
  addModels(api, service);
  addCrews(api, service);
  addOpenaiChat(api, service);
  addOpenaiResponses(api, service);
  addUiChat(api, service);
  addAguiRun(api, service);
  addProbes(api, service);
  addSockets(api, service);
  addDescription(api);
  addMounts(api, service, mounts);
  return app;
}

/** The path of a route; a path that is not below the base leads to no route. */
function withoutBase(path: string, base: string): string {
  if (base === "") return path;
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : `/${path}`;
}
