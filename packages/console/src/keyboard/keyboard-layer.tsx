/**
 * Keyboard layer: the palette, the list of shortcuts, and the keys that work on every page.
 */
import { lazy, Suspense, useEffect, useState } from "react";
import { useApp } from "../app-context.ts";
import { usePageKeys } from "./use-page-keys.ts";
import { Palette } from "./palette.tsx";

/** Fetched when it is asked for. */
const Shortcuts = lazy(async () => {
  const { Shortcuts: list } = await import("./shortcuts.tsx");
  return { default: list };
});

type Layer = "palette" | "shortcuts" | undefined;

/** Listens on every page. */
export function KeyboardLayer() {
  const { navigate } = useApp();
  const [layer, setLayer] = useState<Layer>();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setLayer((now) => (now === "palette" ? undefined : "palette"));
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  usePageKeys({
    "1": () => navigate({ page: "chat" }),
    "2": () => navigate({ page: "runs" }),
    "3": () => navigate({ page: "crews" }),
    "4": () => navigate({ page: "overview" }),
    n: () => navigate({ page: "chat" }),
    "?": () => setLayer("shortcuts"),
    "/": focusSearch,
  });
  const close = (): void => setLayer(undefined);
  if (layer === "palette") return <Palette onClose={close} />;
  if (layer !== "shortcuts") return null;
  return (
    <Suspense fallback={null}>
      <Shortcuts onClose={close} />
    </Suspense>
  );
}

function focusSearch(): void {
  const field = document.querySelector<HTMLElement>("[data-shortcut=search], .page textarea, .page input[type=search]");
  field?.focus();
}
