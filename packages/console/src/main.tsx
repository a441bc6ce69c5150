/**
 * Main: puts the console into its page, once the file of the page that the address asks for is there.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./app.tsx";
import { loadPage } from "./pages.tsx";
import { parseRoute } from "./route.ts";
import "./styles/index.css";

const root = document.getElementById("root");
if (root !== null) {
  const { pathname, search } = window.location;
  const first = await loadPage(parseRoute(pathname, search).page);
  createRoot(root).render(
    <StrictMode>
      <Console first={first} />
    </StrictMode>,
  );
}
