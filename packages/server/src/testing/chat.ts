/**
 * Chat: what is behind `useChat` of the AI SDK, with no view, and with its own transport.
 */
import {
  AbstractChat,
  type ChatState,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";

/** What a chat begins with. */
interface Restored {
  readonly id?: string;
  readonly messages?: readonly UIMessage[];
}

/** A chat, new or as its client has kept it. */
export class Chat extends AbstractChat<UIMessage> {
  constructor(api: string, { messages = [], ...known }: Restored = {}) {
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
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
  }

  /** All texts of both sides. */
  get said(): readonly string[] {
    return this.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  }
}
