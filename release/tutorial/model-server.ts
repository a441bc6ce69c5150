/**
 * Model server: stands in for OpenAI in the tutorial, so that the step with a real model needs no account.
 *
 * It answers in OpenAI's format, streaming, as a model would answer the tutorial's crew.
 */
import { LLMock } from "@copilotkit/aimock";

type Request = Parameters<NonNullable<Parameters<LLMock["on"]>[0]["predicate"]>>[0];

/** A server of a model until it is disposed of. */
export interface ModelServer extends AsyncDisposable {
  /** The value of OPENAI_BASE_URL. */
  readonly url: string;
}

/** Starts the server. */
export async function openModelServer(): Promise<ModelServer> {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 8, logLevel: "silent" });
  mock.on(
    { predicate: (request) => isTimekeeper(request) && isAnswered(request) },
    { content: "It is done, and noted." },
  );
  mock.on(
    { predicate: (request) => isTimekeeper(request) && isAbout(request, "alarm") },
    { toolCalls: [{ name: "SetAlarm", arguments: { time: "07:00", zone: "Asia/Ho_Chi_Minh" } }] },
  );
  mock.on({ predicate: isTimekeeper }, { toolCalls: [{ name: "GetTime", arguments: { zone: "America/Lima" } }] });
  mock.on({ predicate: (request) => isAbout(request, "wake me") }, { content: "They want an alarm at seven. [TIME]" });
  mock.on({ predicate: (request) => isAbout(request, "lima") }, { content: "They ask for the time in Lima. [TIME]" });
  mock.on({ predicate: (request) => isAbout(request, "hanoi") }, { content: "They ask for the time in Hanoi. [TIME]" });
  mock.on({}, { content: "Good morning! How can I help you? [DONE]" });
  await mock.start();
  return {
    url: `${mock.url}/v1`,
    async [Symbol.asyncDispose]() {
      await mock.stop();
    },
  };
}

/** Only the timekeeper has tools. */
function isTimekeeper({ tools = [] }: Request): boolean {
  return tools.length > 0;
}

function isAnswered({ messages }: Request): boolean {
  return messages.at(-1)?.role === "tool";
}

/** The system prompt speaks of alarms too. */
function isAbout({ messages }: Request, word: string): boolean {
  const latest = messages.findLast(({ role }) => role !== "system");
  return JSON.stringify(latest?.content ?? "")
    .toLowerCase()
    .includes(word);
}
