import { type Finding, fault, ok, warning } from './finding.ts'

const agreeWithinMs = 1_000
const wrongBeyondMs = 30_000

/** `askedMs` and `answeredMs` are of this machine; Postgres' clock was read somewhere between. */
export function judgeClock(clock: { askedMs: number; answeredMs: number; postgresMs: number }): Finding {
  const { askedMs, answeredMs, postgresMs } = clock
  const skewMs = Math.max(0, askedMs - postgresMs, postgresMs - answeredMs)
  if (skewMs <= agreeWithinMs) return ok('clock', 'agrees with that of Postgres to a second')
  const says = `is ${(skewMs / 1_000).toFixed(0)} s ${postgresMs > answeredMs ? 'behind' : 'ahead of'} that of Postgres`
  return (skewMs > wrongBeyondMs ? fault : warning)('clock', says, 'let NTP set the clocks of all machines')
}
