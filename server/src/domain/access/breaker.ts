import { type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { Principal } from './principal.ts'

export const breakerDefaults = {
  minute: parseUsd('5'),
  hour: parseUsd('20'),
} as const

export interface BreakerSettings {
  enabled: boolean
  minute: NanoUsd | null
  hour: NanoUsd | null
}

/** The limits of a user's spend breaker; one that is not set inherits the platform's. */
export function breakerOf({ enabled, minute, hour }: BreakerSettings): Principal['breaker'] {
  if (!enabled) return null
  return { minute: minute ?? breakerDefaults.minute, hour: hour ?? breakerDefaults.hour }
}
