import type { PersonalBreaker } from '#ports/users.ts'
import { readNullableNano } from '../nano-column.ts'

export interface BreakerRow {
  breaker_enabled: boolean
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

export function readBreakerRow(row: BreakerRow): PersonalBreaker {
  return {
    enabled: row.breaker_enabled,
    minute: readNullableNano(row.breaker_minute_nano),
    hour: readNullableNano(row.breaker_hour_nano),
  }
}
