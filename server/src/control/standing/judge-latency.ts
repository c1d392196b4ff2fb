import { type Finding, ok, warning } from './finding.ts'

// A request waits for Postgres twice and for Redis once.
const latencyMaxMs = 5

/** `ms` holds several round trips. The median counts, because the first one may include a warm-up. */
export function judgeLatency(what: string, ms: readonly number[]): Finding {
  const median = ms.toSorted((one, other) => one - other)[Math.floor(ms.length / 2)] ?? 0
  const says = `a round trip takes ${median.toFixed(1)} ms`
  if (median <= latencyMaxMs) return ok(what, says)
  return warning(what, `${says}, added to every request`, 'run gateways closer to it, and check the network')
}
