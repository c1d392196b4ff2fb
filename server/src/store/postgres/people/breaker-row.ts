import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { PersonalBreaker } from '#ports/users.ts'

export interface BreakerRow {
  breaker_enabled: boolean
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

export function readBreakerRow(row: BreakerRow): PersonalBreaker {
  return {
    enabled: row.breaker_enabled,
    minute: amountOf(row.breaker_minute_nano),
    hour: amountOf(row.breaker_hour_nano),
  }
}

function amountOf(text: string | null): NanoUsd | null {
  return text === null ? null : nanoUsd(BigInt(text))
}
