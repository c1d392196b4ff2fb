import type { BreakerSettings } from '#domain/access/breaker.ts'
import { formatUsd, type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'

/** A missing field stays unchanged; null restores the inherited value. */
export type BreakerChange = Partial<BreakerSettings>

/** The minimum for a personal breaker. */
export const breakerLimitMin = parseUsd('0.01')
// Far above any real spend, while its sums still fit a Postgres bigint.
const breakerLimitMax = parseUsd('1000000000')

export function parseBreakerChange(body: JsonObject, leastLimit = breakerLimitMin): BreakerChange {
  const enabled = readSwitch(body)
  const minute = readLimit(body, 'cbMinuteUsd', leastLimit)
  const hour = readLimit(body, 'cbHourlyUsd', leastLimit)
  if (enabled === undefined && minute === undefined && hour === undefined) {
    throw malformed('Send at least one of cbEnabled, cbMinuteUsd and cbHourlyUsd.')
  }
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(minute === undefined ? {} : { minute }),
    ...(hour === undefined ? {} : { hour }),
  }
}

function readSwitch({ cbEnabled }: JsonObject): boolean | null | undefined {
  if (cbEnabled === undefined || cbEnabled === null || typeof cbEnabled === 'boolean') return cbEnabled
  throw malformed('cbEnabled must be true, false or null.')
}

function readLimit(body: JsonObject, field: string, leastLimit: NanoUsd): NanoUsd | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  const limit = usdOf(value)
  if (limit === undefined || limit < leastLimit || limit > breakerLimitMax) {
    const range = `from ${formatUsd(leastLimit)} to ${formatUsd(breakerLimitMax)}`
    throw malformed(`${field} must be null or a number in USD ${range}, with at most nine decimals.`)
  }
  return limit
}
