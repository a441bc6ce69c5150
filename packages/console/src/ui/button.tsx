/**
 * Button: says what it does. `primary` is the one thing to do next.
 */
import type { ReactNode } from "react";
import "./button.css";

interface ButtonProps {
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly onPress: () => void;
  readonly disabled?: boolean;
  /** For a button that shows only an icon. */
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly children: ReactNode;
}

/** A button. */
export function Button({ kind = "plain", onPress, disabled, label, isPressed, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={`button ${kind}`}
      onClick={onPress}
      disabled={disabled}
      aria-label={label}
      aria-pressed={isPressed}
      data-tip={label}
    >
      {children}
    </button>
  );
}
