/**
 * Lazy markdown: Markdown text whose code is fetched with the first text; until it is there, the text is shown as it is.
 */
import { type ComponentProps, lazy, Suspense } from "react";
import type { MarkdownText } from "./markdown-text.tsx";

const Drawn = lazy(async () => {
  const { MarkdownText: drawn } = await import("./markdown-text.tsx");
  return { default: drawn };
});

/** Draws a Markdown text. */
export function LazyMarkdown(props: ComponentProps<typeof MarkdownText>) {
  const { text, tail } = props;
  return (
    <Suspense
      fallback={
        <div className="markdown">
          <p>{text}</p>
          {tail}
        </div>
      }
    >
      <Drawn {...props} />
    </Suspense>
  );
}
