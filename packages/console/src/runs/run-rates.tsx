/**
 * Run rates: how much runs here lately, in one line.
 */
import { useEffect, useState } from "react";
import { useApp } from "../app-context.ts";
import { useRequest } from "../loading/use-request.ts";

const AGAIN_MS = 60_000;
const MINUTES = 60;

/** Runs a minute, their time and what they cost. */
export function RunRates() {
  const { client, words, format } = useApp();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setRound((now) => now + 1), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const overview = useRequest(`rates ${round}`, () => client.overview(MINUTES));
  if (overview.state !== "ready" || overview.value.total.runs === 0) return null;
  const { runs, p95_ms, cost_usd } = overview.value.total;
  const { runs: say } = words.lists;
  const rate = Math.round((runs / MINUTES) * 10) / 10;
  return (
    <p className="runs-rates">
      <span>{say.perMinute(format.number(rate))}</span>
      {p95_ms !== undefined && <span>{say.p95(format.duration(p95_ms))}</span>}
      <span>{say.perHour(format.money(cost_usd))}</span>
    </p>
  );
}
