/**
 * Console page: what is measured inside the browser. Each function is sent there as text, so it uses nothing around it.
 */

/** Frames for some time: how long each took, tasks over 50 ms, and how far things on the page moved by themselves. */
export async function measureFrames({ ms }: { readonly ms: number }): Promise<Record<string, number>> {
  const frames: number[] = [];
  let longest = 0;
  let shift = 0;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  tasks.observe({ type: "longtask" });
  const shifts = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!("value" in entry) || typeof entry.value !== "number") continue;
      if (!("hadRecentInput" in entry && entry.hadRecentInput === true)) shift += entry.value;
    }
  });
  shifts.observe({ type: "layout-shift" });
  const line = document.querySelector("[data-bench-line]");
  const top = line?.getBoundingClientRect().top ?? 0;
  let moved = 0;
  const until = performance.now() + ms;
  let before = performance.now();
  while (before < until) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    frames.push(now - before);
    before = now;
    moved = Math.max(moved, Math.abs((line?.getBoundingClientRect().top ?? 0) - top));
  }
  tasks.disconnect();
  shifts.disconnect();
  const sorted = frames.slice(1).toSorted((a, b) => a - b);
  return {
    "frame p50 ms": sorted[sorted.length >> 1] ?? 0,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    "longest task ms (0: none over 50)": longest,
    "layout shift": shift,
    ...(line === null ? {} : { "first line moved px": moved }),
  };
}

/** Marks the innermost element that has a text, so that its place can be watched. */
export function watchLine(text: string): void {
  const walker = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.textContent?.includes(text) !== true) continue;
    node.parentElement?.setAttribute("data-bench-line", "");
    return;
  }
}

/** Jumps to random places of the list of events; each until it is painted. */
export async function measureJumps(count: number): Promise<Record<string, number>> {
  const painted = (): Promise<void> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => resolve());
        port1.start();
        port2.postMessage(0);
      }),
    );
  const list = document.querySelector(".events-list");
  if (list === null) return {};
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    await painted();
    const began = performance.now();
    list.scrollTop = Math.random() * (list.scrollHeight - list.clientHeight);
    const { left, top, height } = list.getBoundingClientRect();
    do await painted();
    while (document.elementFromPoint(left + 20, top + height / 2)?.closest(".events-row") === null);
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    "p50 ms": sorted[count >> 1] ?? 0,
    p95: sorted[Math.floor(count * 0.95)] ?? 0,
    max: sorted.at(-1) ?? 0,
  };
}

/** Presses the timeline at random places; each until it is painted. */
export async function measureScrubs(count: number): Promise<Record<string, number>> {
  const painted = (): Promise<void> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => resolve());
        port1.start();
        port2.postMessage(0);
      }),
    );
  const slider = document.querySelector("[role=slider]");
  const rail = document.querySelector(".timeline-rail")?.getBoundingClientRect();
  if (slider === null || rail === undefined) return {};
  const times: number[] = [];
  const idle: number[] = [];
  for (let index = 0; index < count; index++) {
    await painted();
    const rested = performance.now();
    await painted();
    const began = performance.now();
    idle.push(began - rested);
    const at = {
      bubbles: true,
      button: 0,
      pointerId: 1,
      clientX: rail.left + Math.random() * rail.width,
      clientY: rail.bottom - 4,
    };
    slider.dispatchEvent(new PointerEvent("pointerdown", at));
    slider.dispatchEvent(new PointerEvent("pointerup", at));
    await painted();
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const rests = idle.toSorted((a, b) => a - b);
  return {
    "p50 ms": sorted[count >> 1] ?? 0,
    p95: sorted[Math.floor(count * 0.95)] ?? 0,
    max: sorted.at(-1) ?? 0,
    "a frame without a scrub p50": rests[count >> 1] ?? 0,
    "p95 of these": rests[Math.floor(count * 0.95)] ?? 0,
  };
}

/** Presses the timeline at a random place, and waits until it is painted. */
export async function scrubOnce(): Promise<void> {
  const slider = document.querySelector("[role=slider]");
  const rail = document.querySelector(".timeline-rail")?.getBoundingClientRect();
  if (slider === null || rail === undefined) return;
  const clientX = rail.left + Math.random() * rail.width;
  const at = { bubbles: true, button: 0, pointerId: 1, clientX, clientY: rail.bottom - 4 };
  slider.dispatchEvent(new PointerEvent("pointerdown", at));
  slider.dispatchEvent(new PointerEvent("pointerup", at));
  await new Promise<void>((resolve) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => resolve());
      port1.start();
      port2.postMessage(0);
    }),
  );
}
