import { nullableUsdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { BreakerSettings } from './breaker.ts'

/** A breaker as the API and the audit log show it. */
export function breakerJson({ enabled, minute, hour }: BreakerSettings): JsonObject {
  return { cbEnabled: enabled, cbMinuteUsd: nullableUsdJson(minute), cbHourlyUsd: nullableUsdJson(hour) }
}
