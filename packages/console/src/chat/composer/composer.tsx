/**
 * Composer: where a message is written. Enter sends, Shift+Enter begins a line; pictures by choosing, paste or drop.
 */
import { ArrowUp, ImagePlus, Square, X } from "lucide-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { useApp } from "../../app-context.ts";
import type { Words } from "../../words/words.ts";
import { acceptImages, type ChosenImage, readImage, type Refusal } from "./images.ts";
import "./composer.css";

const MAX_CHARS = 10_000;
const WARN_CHARS = 9_000;

/** The actions that a page may take on a composer. */
export interface ComposerHandle {
  readonly focus: () => void;
  readonly clear: () => void;
}

interface ComposerProps {
  readonly handle: Ref<ComposerHandle>;
  readonly placeholder: string;
  /** True if a message may have pictures. */
  readonly takesImages: boolean;
  readonly isBusy: boolean;
  readonly onSend: (text: string, images: readonly ChosenImage[]) => void;
  /** There is something to stop. */
  readonly onStop?: (() => void) | undefined;
  /** The crew and the model, at the lower left. */
  readonly chips?: ReactNode;
  /** Why the last message was not sent. */
  readonly problem?: ReactNode;
}

/** A field for a message. */
export function Composer(props: ComposerProps) {
  const { handle, placeholder, takesImages, isBusy, onSend, onStop, chips, problem } = props;
  const { words } = useApp();
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const pictures = usePictures({ takesImages });
  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    clear() {
      setText("");
      pictures.clear();
    },
  }));
  const length = lengthOf(text);
  const isTooLong = length > MAX_CHARS;
  const canSend = !isBusy && !isTooLong && (text.trim() !== "" || pictures.images.length > 0);
  const send = (): void => {
    if (canSend) onSend(text.trim(), pictures.images);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="composer" {...pictures.drop}>
      <Pictures pictures={pictures} />
      <textarea
        ref={field}
        rows={1}
        value={text}
        placeholder={placeholder}
        aria-label={words.composer.label}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={pictures.paste}
      />
      <div className="composer-row">
        {chips}
        {takesImages && <Attach onFiles={pictures.add} />}
        <span className="composer-space" />
        <Count length={length} />
        {onStop !== undefined && (
          <button type="button" className="composer-stop" onClick={onStop}>
            {words.composer.stop}
            <Square size={11} fill="currentColor" aria-hidden />
          </button>
        )}
        <Send isDisabled={!canSend} onSend={send} />
      </div>
      {(problem !== undefined || pictures.refusal !== undefined) && (
        <p className="composer-problem" role="alert">
          {pictures.refusal === undefined ? problem : refusalText(words, pictures.refusal)}
        </p>
      )}
    </div>
  );
}

function refusalText(words: Words, refusal: Refusal): string {
  const { noImage, bigImage, manyImages } = words.composer;
  if (refusal.why === "count") return manyImages;
  return refusal.why === "type" ? noImage(refusal.name) : bigImage(refusal.name);
}

/** Characters as the server counts them. */
function lengthOf(text: string): number {
  if (text.length < WARN_CHARS) return text.length;
  let length = 0;
  for (const _ of text.trim()) length++;
  return length;
}

function Send({ isDisabled, onSend }: { readonly isDisabled: boolean; readonly onSend: () => void }) {
  const { words } = useApp();
  return (
    <button
      type="button"
      className="composer-send"
      disabled={isDisabled}
      onClick={onSend}
      aria-label={words.composer.send}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  );
}

function Count({ length }: { readonly length: number }) {
  const { words, format } = useApp();
  if (length < WARN_CHARS) return null;
  const { number } = format;
  const left = MAX_CHARS - length;
  if (left >= 0) return <span className="composer-count">{words.composer.left(number(left))}</span>;
  return (
    <span className="composer-count over" role="alert">
      {words.composer.tooLong(number(length), number(-left), number(MAX_CHARS))}
    </span>
  );
}

function Attach({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const { words } = useApp();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="composer-attach"
        aria-label={words.composer.attach}
        data-tip={words.composer.attach}
        onClick={() => input.current?.click()}
      >
        <ImagePlus size={16} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        tabIndex={-1}
        aria-label={words.composer.attach}
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          onFiles(Array.from(event.target.files ?? []));
          event.target.value = "";
        }}
      />
    </>
  );
}

interface ChosenPictures {
  readonly images: readonly ChosenImage[];
  readonly refusal: Refusal | undefined;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (index: number) => void;
  readonly clear: () => void;
  readonly paste: (event: ClipboardEvent) => void;
  readonly drop: Readonly<{ onDragOver?: (event: DragEvent) => void; onDrop?: (event: DragEvent) => void }>;
}

function usePictures({ takesImages }: Pick<ComposerProps, "takesImages">): ChosenPictures {
  const [images, setImages] = useState<readonly ChosenImage[]>([]);
  const [refusal, setRefusal] = useState<Refusal>();
  const add = (files: readonly File[]): void => {
    const found = acceptImages(files, images.length);
    setRefusal(found.refusal);
    const noImage = (thrown: unknown): void =>
      setRefusal({ why: "type", name: thrown instanceof Error ? thrown.message : "" });
    Promise.all(found.accepted.map(readImage)).then((read) => setImages((now) => [...now, ...read]), noImage);
  };
  const take = (files: FileList | undefined, event: ClipboardEvent | DragEvent): void => {
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    add(Array.from(files));
  };
  return {
    images,
    refusal,
    add,
    remove(index) {
      setRefusal(undefined);
      setImages((now) => now.filter((_, at) => at !== index));
    },
    clear() {
      setImages([]);
      setRefusal(undefined);
    },
    paste: (event) => (takesImages ? take(event.clipboardData.files, event) : undefined),
    drop: takesImages
      ? { onDragOver: (event) => event.preventDefault(), onDrop: (event) => take(event.dataTransfer.files, event) }
      : {},
  };
}

function Pictures({ pictures: { images, remove } }: { readonly pictures: ChosenPictures }) {
  const { words } = useApp();
  if (images.length === 0) return null;
  return (
    <ul className="composer-images">
      {images.map(({ name, data }, index) => (
        <li key={`${index} ${name}`}>
          <img src={data} alt={name} />
          <button type="button" aria-label={`${words.composer.remove} ${name}`} onClick={() => remove(index)}>
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
