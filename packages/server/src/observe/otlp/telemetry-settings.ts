/**
 * Telemetry settings: where spans and metrics go, from options and the standard variables of OpenTelemetry.
 *
 * An option wins over a variable, and a variable for one signal over the one for all.
 */
import { BatonError } from "@baton/core";

/** Options of telemetry. */
export interface TelemetryOptions {
  /** The URL of a collector that speaks OTLP/HTTP; `/v1/traces` and `/v1/metrics` are added. */
  readonly otlp?: string;
  /** Headers of every request to it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether texts of people, models and tools are sent, too. Default false. */
  readonly content?: boolean;
  /** Default `baton`. */
  readonly serviceName?: string;
}

/** Where telemetry is sent, and with what. */
export interface TelemetrySettings {
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasContent: boolean;
  /** Attributes of the program, `service.name` included. */
  readonly resource: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings; undefined if nothing is sent. Throws `invalid` if an address cannot be used. */
export function readTelemetrySettings(options: TelemetryOptions, env: Environment): TelemetrySettings | undefined {
  if (env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return undefined;
  const base = options.otlp ?? (env["OTEL_EXPORTER_OTLP_ENDPOINT"] || undefined);
  const urlOf = (signal: "traces" | "metrics"): string | undefined => {
    const own = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`] || undefined;
    if (options.otlp === undefined && own !== undefined) return checkUrl(own);
    return base === undefined ? undefined : checkUrl(`${base.replace(/\/+$/, "")}/v1/${signal}`);
  };
  const [tracesUrl, metricsUrl] = [urlOf("traces"), urlOf("metrics")];
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined;
  const resource = parsePairs(env["OTEL_RESOURCE_ATTRIBUTES"]);
  const name = options.serviceName ?? (env["OTEL_SERVICE_NAME"] || (resource["service.name"] ?? "baton"));
  return {
    tracesUrl,
    metricsUrl,
    headers: { ...parsePairs(env["OTEL_EXPORTER_OTLP_HEADERS"]), ...options.headers },
    hasContent: options.content ?? env["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]?.toLowerCase() === "true",
    resource: { ...resource, "service.name": name },
  };
}

function checkUrl(url: string): string {
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if (protocol === "http:" || protocol === "https:") return url;
  throw new BatonError(
    "invalid",
    `${url} is not the address of a collector: write a URL such as http://127.0.0.1:4318 (--otlp, OTEL_EXPORTER_OTLP_ENDPOINT)`,
  );
}

/** `name=value` pairs with commas between them; values are percent-encoded. */
function parsePairs(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
