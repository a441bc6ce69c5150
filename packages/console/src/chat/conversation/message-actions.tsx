/**
 * Message actions: what can be done with an answer: copied, exported, rated, opened.
 */
import type { RunFeedbackInfo } from "@baton/client";
import { Copy, Download, ThumbsDown, ThumbsUp } from "lucide-react";
import { type MouseEvent, type SyntheticEvent, useState } from "react";
import { useApp } from "../../app-context.ts";
import { errorText } from "../../loading/error-text.ts";
import type { RunStore } from "../../store/run-store.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { Menu } from "../../ui/layers/menu.tsx";
import { Popover } from "../../ui/layers/popover.tsx";
import { saveFile } from "../../ui/save-file.ts";
import "./message-actions.css";

interface MessageActionsProps {
  readonly store: RunStore;
  readonly feedback: RunFeedbackInfo | undefined;
}

const MAX_COMMENT = 2_000;
const ICON = { size: 16, strokeWidth: 1.75, "aria-hidden": true } as const;

/** The toolbar under an answer. */
export function MessageActions({ store, feedback }: MessageActionsProps) {
  const { words, notify } = useApp();
  const { actions: say } = words;
  const copy = ({ shiftKey }: Pick<MouseEvent, "shiftKey">): void => {
    const text = shiftKey ? markdownOf(store) : shownTextOf(store.id);
    copyText(text).then((isThere) => isThere && notify(shiftKey ? say.copiedMarkdown : say.copied), ignore);
  };
  return (
    <div className="message-actions" role="toolbar" aria-label={say.label}>
      <button type="button" className="button quiet" aria-label={say.copy} data-tip={say.copy} onClick={copy}>
        <Copy {...ICON} />
      </button>
      <ExportMenu store={store} onCopy={() => copy({ shiftKey: true })} />
      <Rating run={store.id} feedback={feedback} />
    </div>
  );
}

function ExportMenu({ store, onCopy }: { readonly store: RunStore; readonly onCopy: () => void }) {
  const { words } = useApp();
  const { actions: say } = words;
  const save = (): void => saveFile(`${store.id}.md`, markdownOf(store), "text/markdown");
  return (
    <Menu
      label={say.export}
      className="button quiet"
      isIcon
      button={<Download {...ICON} />}
      items={[
        { id: "copy", name: say.copyMarkdown, onPress: onCopy },
        { id: "markdown", name: say.markdown, onPress: save },
        { id: "print", name: say.print, onPress: () => window.print() },
      ]}
    />
  );
}

/** Good and Bad; Bad asks why, and a second press takes the rating back. */
function Rating({ run, feedback }: { readonly run: string; readonly feedback: RunFeedbackInfo | undefined }) {
  const { client, words, notify } = useApp();
  const { actions: say } = words;
  const [rating, setRating] = useState(feedback?.rating);
  const rate = (next: "up" | "down" | undefined, comment?: string): void => {
    const was = rating;
    setRating(next);
    client.rateRun(run, next ?? null, comment).catch((thrown: unknown) => {
      setRating(was);
      notify(errorText(thrown));
    });
  };
  return (
    <>
      <Button
        kind="quiet"
        label={say.good}
        isPressed={rating === "up"}
        onPress={() => rate(rating === "up" ? undefined : "up")}
      >
        <ThumbsUp {...ICON} />
      </Button>
      {rating === "down" ? (
        <Button kind="quiet" label={say.bad} isPressed onPress={() => rate(undefined)}>
          <ThumbsDown {...ICON} />
        </Button>
      ) : (
        <Popover label={say.bad} className="button quiet" isIcon button={<ThumbsDown {...ICON} />}>
          {(close) => (
            <Comment
              onSend={(comment) => {
                close();
                rate("down", comment === "" ? undefined : comment);
              }}
            />
          )}
        </Popover>
      )}
    </>
  );
}

function Comment({ onSend }: { readonly onSend: (comment: string) => void }) {
  const { words } = useApp();
  const { actions: say } = words;
  const [comment, setComment] = useState("");
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSend(comment.trim());
  };
  return (
    <form className="message-comment" onSubmit={submit}>
      <textarea
        rows={3}
        autoFocus
        maxLength={MAX_COMMENT}
        aria-label={say.why}
        placeholder={say.why}
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
      <button type="submit" className="button primary">
        {say.rateBad}
      </button>
    </form>
  );
}

/** The words of the answer as the page shows them, without the numbers of sources. */
function shownTextOf(run: string): string {
  const article = document.getElementById(`run-${run}`);
  const answers = [...(article?.querySelectorAll<HTMLElement>(".chat-assistant > .step-text") ?? [])];
  const turns = [...(article?.querySelectorAll<HTMLElement>(".chat-turn") ?? [])];
  const last = [...(turns.at(-1)?.querySelectorAll<HTMLElement>(".step-text") ?? [])];
  const box = document.createElement("div");
  box.className = "visually-hidden";
  box.append(...(answers.length > 0 ? answers : last).map((text) => text.cloneNode(true)));
  for (const source of box.querySelectorAll(".figure-source")) source.remove();
  document.body.append(box);
  const text = box.innerText.trim();
  box.remove();
  return text;
}

/** Question and answer as Markdown, with the id of the run. */
function markdownOf(store: RunStore): string {
  const { content } = store.viewAt("live");
  const question = store.story.started?.input ?? "";
  return `> ${question.replaceAll("\n", "\n> ")}\n\n${content}\n\n---\n${store.id}\n`;
}

function ignore(): void {}
