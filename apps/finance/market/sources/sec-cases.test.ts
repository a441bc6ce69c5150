/** What the SEC answers and refuses. */
import { playCases } from "./testing/play-cases.ts";

playCases((source) => source === "sec");
