/**
 * Chart card.
 */
export function ChartCard({ chart }: { readonly chart: unknown }) {
  return <pre>{JSON.stringify(chart).slice(0, 200)}</pre>;
}
