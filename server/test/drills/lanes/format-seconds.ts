/** The time since a moment for display. */
export function formatSeconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1_000).toFixed(1)} s`
}
