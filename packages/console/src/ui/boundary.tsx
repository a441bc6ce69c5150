/**
 * Boundary: a part that cannot be drawn shows its own error, and the rest of the page works.
 */
import { Component, type ReactNode } from "react";
import { AppContext } from "../app-context.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

interface BoundaryProps {
  readonly children: ReactNode;
  /** Shown anew when this changes. */
  readonly of: string;
}

interface BoundaryState {
  readonly error?: unknown;
  readonly of?: string;
}

/** Catches what a part throws while it is drawn. React has no function for this. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  static override readonly contextType = AppContext;
  declare context: React.ContextType<typeof AppContext>;
  override state: BoundaryState = {};

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const words = this.context?.words;
    const report = error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : "";
    return (
      <div className="broken" role="alert">
        <p>{words?.states.broken}</p>
        <Button
          onPress={() => {
            copyText(report).catch(ignore);
          }}
        >
          {words?.states.copyReport}
        </Button>
      </div>
    );
  }
}

function ignore(): void {}
