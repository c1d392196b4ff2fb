import { type Finding, fault, ok, warning } from './finding.ts'

const agreeWithinMs = 1_000
const wrongBeyondMs = 30_000

/** `askedMs` and `answeredMs` are this machine's clock; Postgres' clock was read in between. */
export function judgeClock(clock: { askedMs: number; answeredMs: number; postgresMs: number }): Finding {
  const { askedMs, answeredMs, postgresMs } = clock
  const skewMs = Math.max(0, askedMs - postgresMs, postgresMs - answeredMs)
  if (skewMs <= agreeWithinMs) return ok('clock', 'within one second of the Postgres clock')
  const says = `is ${(skewMs / 1_000).toFixed(0)} s ${postgresMs > answeredMs ? 'behind' : 'ahead of'} the Postgres clock`
  return (skewMs > wrongBeyondMs ? fault : warning)('clock', says, 'sync the clocks of all machines with NTP')
}
