/**
 * Chat: what is behind `useChat` of the AI SDK, with no view, and with its own transport.
 */
import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";

/** Result of a client's tool, or its failure. */
type Result = { readonly output: unknown } | { readonly state: "output-error"; readonly errorText: string };

/** Options of a chat. */
interface Restored {
  readonly id?: string;
  readonly messages?: readonly UIMessage[];
  /** Carries out a tool of the client. */
  readonly tool?: (name: string, input: unknown) => Result;
}

/** A chat, new or as its client has kept it. */
export class Chat extends AbstractChat<UIMessage> {
  constructor(api: string, { messages = [], tool, ...known }: Restored = {}) {
    const state: ChatState<UIMessage> = {
      status: "ready",
      error: undefined,
      messages: [...messages],
      pushMessage: (message) => state.messages.push(message),
      popMessage: () => state.messages.pop(),
      replaceMessage(index, message) {
        state.messages[index] = message;
      },
      snapshot: (value) => structuredClone(value),
    };
    super({
      ...known,
      state,
      transport: new DefaultChatTransport<UIMessage>({ api }),
      sendAutomaticallyWhen: (chat) =>
        lastAssistantMessageIsCompleteWithApprovalResponses(chat) || lastAssistantMessageIsCompleteWithToolCalls(chat),
      // Not awaited: it would wait for the message that it is in.
      onToolCall: ({ toolCall: { toolName, toolCallId, input } }) => {
        this.called.push(toolName);
        const result = tool?.(toolName, input);
        if (result === undefined) return;
        this.#outputs.push(Promise.resolve(this.addToolOutput({ tool: toolName, toolCallId, ...result })));
      },
    });
  }

  /** Tools that were left to the client. */
  readonly called: string[] = [];
  readonly #outputs: Promise<void>[] = [];

  /** Until nothing is sent or awaited any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#outputs);
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.status !== "ready" && this.status !== "error");
  }

  /** The tools in the last message, by name, each with its state. */
  get tools(): readonly (readonly [string, string])[] {
    return (this.lastMessage?.parts ?? []).filter(isToolUIPart).map((part) => [getToolName(part), part.state] as const);
  }

  /** All texts of both sides. */
  get said(): readonly string[] {
    return this.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  }
}
