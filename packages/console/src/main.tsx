/**
 * Main: puts the console into its page.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./app.tsx";
import "./styles/index.css";

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
}
