/**
 * Findings: what a check of the crew says: where, how to fix it, and the conversation that shows it.
 */
import type { CrewDetail, CrewFinding } from "@baton/client";
import { CircleX, Info, Play, Square, TriangleAlert } from "lucide-react";
import { useApp } from "../app-context.ts";
import { toAgentNames } from "../graph/agent-names.ts";
import { arrowLabelText } from "../graph/arrow-label-text.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Button } from "../ui/button.tsx";
import { counterexampleStops } from "./counterexample.ts";
import { splitQuotes } from "./split-quotes.ts";
import type { CounterexamplePlayer } from "./use-counterexample-player.ts";
import { describedBy } from "../ui/layers/tooltip.tsx";

const ICONS = { error: CircleX, warning: TriangleAlert, note: Info } as const satisfies Record<
  CrewFinding["severity"],
  unknown
>;

/** All findings of a crew, errors first. */
export function Findings({ crew, showing }: { readonly crew: CrewDetail; readonly showing: CounterexamplePlayer }) {
  const { words } = useApp();
  const rank = { error: 0, warning: 1, note: 2 } as const;
  const findings = crew.findings.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  const isRefused = findings.some(({ severity, file }) => severity === "error" && file !== undefined);
  return (
    <section className="crew-part">
      <h2>{words.runPage.crew.findings}</h2>
      {isRefused && <p className="crew-quiet">{words.runPage.crew.staysInUse}</p>}
      {findings.length === 0 && <p className="crew-quiet">{words.runPage.crew.noFindings}</p>}
      <ul className="crew-findings">
        {findings.map((finding, index) => (
          <Finding
            key={`${finding.code} ${finding.message}`}
            finding={finding}
            index={index}
            crew={crew}
            showing={showing}
          />
        ))}
      </ul>
    </section>
  );
}

interface FindingProps {
  readonly finding: CrewFinding;
  readonly index: number;
  readonly crew: CrewDetail;
  readonly showing: CounterexamplePlayer;
}

function Finding({ finding, index, crew, showing }: FindingProps) {
  const { words } = useApp();
  const { crew: say, xray } = words.runPage;
  const { severity, message, fix, file, line, column, conversation } = finding;
  const Icon = ICONS[severity];
  const place = file === undefined ? undefined : [file, line, column].filter((part) => part !== undefined).join(":");
  const stops = counterexampleStops(conversation ?? [], new Set(crew.drawing.boxes.map(({ id }) => id)));
  const names = toAgentNames(crew);
  const isShown = showing.of === index;
  const press = (): void => (isShown ? showing.end() : showing.show(index, stops));
  return (
    <li className={`crew-finding ${severity}`}>
      <Icon size={15} role="img" aria-label={say.severities[severity]} />
      <div>
        <p>
          <Quoted text={message} />
        </p>
        {place !== undefined && (
          <p className="crew-place">
            <code>{place}</code>
            <CopyButton text={place} label={xray.copyPlace} />
          </p>
        )}
        <p className="crew-fix">
          {say.fix}: <Quoted text={fix} />
        </p>
        {stops.length > 1 && (
          <div className="crew-show">
            <Button onPress={press} isPressed={isShown}>
              {isShown ? <Square size={12} aria-hidden /> : <Play size={12} aria-hidden />}
              {isShown ? say.stopShow : say.show}
            </Button>
            <ol className="crew-conversation">
              {conversation?.map((word, at) => (
                <li key={at}>
                  <code {...describedBy(names.has(word) ? word : undefined)}>
                    {names.get(word) ?? arrowLabelText(words, word)}
                  </code>
                </li>
              ))}
            </ol>
          </div>
        )}
      </div>
    </li>
  );
}

/** A sentence of the checker; what it quotes is code. */
function Quoted({ text: sentence }: { readonly text: string }) {
  return splitQuotes(sentence).map(({ text, isCode }, at) => (isCode ? <code key={at}>{text}</code> : text));
}
