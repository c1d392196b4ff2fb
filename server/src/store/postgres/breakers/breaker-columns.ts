import type { BreakerSettings } from '#domain/access/breaker.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The columns that organizations, teams and members have alike. */
export interface BreakerColumns {
  breaker_enabled: boolean | null
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

export function readSettings(row: BreakerColumns): BreakerSettings {
  return {
    enabled: row.breaker_enabled,
    minute: readLimit(row.breaker_minute_nano),
    hour: readLimit(row.breaker_hour_nano),
  }
}

function readLimit(text: string | null): NanoUsd | null {
  return text === null ? null : nanoUsd(BigInt(text))
}
