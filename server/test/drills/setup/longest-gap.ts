import type { Transcript } from './call.ts'

/** The longest time without the start or the end of a served request within a time span. */
export function longestGapMs(seen: readonly Transcript[], { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  const served = seen.filter(({ status, end, costNano }) => status === 200 && end === 'complete' && costNano !== null)
  const begins = served.map(({ startedAtMs }) => startedAtMs)
  const ends = served.map(({ startedAtMs, durationMs }) => startedAtMs + durationMs)
  return Math.max(...[begins, ends].map((times) => widest([fromMs, ...times, toMs], { fromMs, toMs })))
}

function widest(times: readonly number[], { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  const inside = times.filter((time) => time >= fromMs && time <= toMs).toSorted((one, other) => one - other)
  return Math.max(...inside.slice(1).map((time, index) => time - (inside[index] ?? time)))
}
