/**
 * Boundary: a part that cannot be drawn shows its own error, and the rest of the page works.
 */
import { TriangleAlert } from "lucide-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { AppContext } from "../app-context.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import "./boundary.css";

interface BoundaryProps {
  readonly children: ReactNode;
  /** Shown anew when this changes. */
  readonly of: string;
}

interface BoundaryState {
  /** The thrown value; it may be anything, so it is in a box. */
  readonly thrown?: { readonly error: unknown } | undefined;
  /** The parts it was drawn in. */
  readonly stack?: string;
  readonly of?: string;
}

/** Catches what a part throws while it is drawn. React has no function for this. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  static override readonly contextType = AppContext;
  declare context: React.ContextType<typeof AppContext>;
  override state: BoundaryState = {};

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { thrown: { error } };
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return state.of === of ? null : { of, thrown: undefined };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ stack: componentStack ?? "" });
  }

  override render(): ReactNode {
    const { thrown, stack = "", of } = this.state;
    if (thrown === undefined) return this.props.children;
    const { error } = thrown;
    const words = this.context?.words;
    const report = toReport(error, [`Part: ${of}`, `Version: ${this.context?.me?.version ?? ""}`, stack]);
    return (
      <div className="broken" role="alert">
        <TriangleAlert size={16} aria-hidden />
        <div>
          <p>{words?.states.broken}</p>
          <code>{error instanceof Error ? error.message : String(error)}</code>
        </div>
        <Button
          onPress={() => {
            copyText(report).then(
              (isCopied) => this.context?.announce(isCopied ? (words?.runPage.copied ?? "") : ""),
              () => undefined,
            );
          }}
        >
          {words?.states.copyReport}
        </Button>
      </div>
    );
  }
}

/** Returns the report for the developer who repairs it. */
function toReport(error: unknown, more: readonly string[]): string {
  const what = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
  return [what, ...more, `Address: ${window.location.pathname}${window.location.search}`].join("\n");
}
