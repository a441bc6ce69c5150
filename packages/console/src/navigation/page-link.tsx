/**
 * Page link: goes to a page of the console without loading it anew; a new tab and a copied address work as ever.
 */
import type { MouseEvent, ReactNode } from "react";
import { useApp } from "../app-context.ts";
import { type PageRoute, toAddress } from "./route.ts";

interface LinkProps {
  readonly to: PageRoute;
  readonly className?: string;
  readonly label?: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** A link to a page of the console. */
export function PageLink({ to, className, label, isCurrent = false, children }: LinkProps) {
  const { navigate, prefetch } = useApp();
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a
      href={toAddress(to)}
      className={className}
      aria-label={label}
      aria-current={isCurrent ? "page" : undefined}
      onClick={follow}
      onPointerEnter={() => prefetch(to.page)}
      onFocus={() => prefetch(to.page)}
    >
      {children}
    </a>
  );
}
