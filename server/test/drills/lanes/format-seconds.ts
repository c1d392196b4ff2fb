/** The time since a moment, as it is shown. */
export function formatSeconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1_000).toFixed(1)} s`
}
