import { CallLog } from "./call-log.ts";
import { openTotals } from "../words/totals.ts";
import { SystemClock } from "../lifetimes/clock.ts";
import { LocalHost } from "./local-host.ts";
import { LocalRun } from "./local-run.ts";
import { MemoryLog } from "./memory-log.ts";
import { Scope } from "../lifetimes/scope.ts";
import { scriptModel } from "./script.ts";
import { testHost } from "../testing/host-suite.ts";
import { testLog } from "../testing/log-suite.ts";
import { testModel } from "../testing/model-suite.ts";

testLog("the memory log", (clock, observer) => new MemoryLog(clock, observer));

testModel("the script", () => scriptModel({ a: [{ say: "one two three" }] }));

testHost("the local host", (recorded) => {
  const clock = new SystemClock();
  const scope = Scope.root({ clock });
  const log = new MemoryLog(clock).open("r");
  const run = new LocalRun("r", {
    log,
    scope,
    recorded,
    questions: new Map(),
    receive: () => undefined,
    values: new Map(),
    earlier: new Map(),
    calls: new CallLog(),
    totals: openTotals(),
  });
  return {
    host: new LocalHost(run, "", scope),
    events: async () => log.read(0),
    cancel: (reason) => scope.cancel(reason),
    answer: (question, value) => run.answer(question, { value }),
  };
});
