import type { BreakerSettings, ResolvedBreaker } from '#domain/access/breaker.ts'
import { breakerJson } from '#domain/access/breaker-json.ts'
import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

export interface BreakerView {
  readonly settings: BreakerSettings
  readonly resolved: ResolvedBreaker
  /** In the running minute and hour. */
  readonly spent: { readonly minute: NanoUsd; readonly hour: NanoUsd }
}

export function renderBreaker({ settings, resolved, spent }: BreakerView): JsonObject {
  return {
    settings: breakerJson(settings),
    resolvedSettings: breakerJson(resolved),
    liveSpend: { minuteSpend: usdJson(spent.minute), hourSpend: usdJson(spent.hour) },
  }
}
