const pauseMinMs = 5_000
export const pauseMaxMs = 300_000
const wishMaxMs = 3_600_000

/** As long again as a sink has failed already, so each pause is about twice the last one. */
export function pauseAfter(failingForMs: number, wishedMs = 0): number {
  const pause = Math.min(pauseMaxMs, Math.max(pauseMinMs, failingForMs))
  return Math.max(pause, Math.min(wishedMs, wishMaxMs))
}
