import type { BreakerSettings } from '#domain/access/breaker.ts'
import { readNullableNano } from '../nano-column.ts'

/** The columns that organizations, teams and members have alike. */
export interface BreakerColumns {
  breaker_enabled: boolean | null
  breaker_minute_nano: string | null
  breaker_hour_nano: string | null
}

export function readSettings(row: BreakerColumns): BreakerSettings {
  return {
    enabled: row.breaker_enabled,
    minute: readNullableNano(row.breaker_minute_nano),
    hour: readNullableNano(row.breaker_hour_nano),
  }
}
