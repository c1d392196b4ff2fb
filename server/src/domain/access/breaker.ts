import { type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'

/** The limits of a breaker per minute and per hour. */
export interface BreakerLimits {
  readonly minute: NanoUsd
  readonly hour: NanoUsd
}

/** The settings of one layer; a null field is inherited from the next wider one. */
export interface BreakerSettings {
  readonly enabled: boolean | null
  readonly minute: NanoUsd | null
  readonly hour: NanoUsd | null
}

export interface ResolvedBreaker extends BreakerLimits {
  readonly enabled: boolean
}

/** The defaults: off, and these limits once it is enabled. */
export const breakerDefaults: ResolvedBreaker = { enabled: false, minute: parseUsd('5'), hour: parseUsd('20') }

/** Resolves each field from the first layer that sets it; the narrowest comes first. */
export function resolveBreaker(layers: readonly BreakerSettings[]): ResolvedBreaker {
  const resolved = { ...breakerDefaults }
  for (const layer of layers.toReversed()) {
    if (layer.enabled !== null) resolved.enabled = layer.enabled
    if (layer.minute !== null) resolved.minute = layer.minute
    if (layer.hour !== null) resolved.hour = layer.hour
  }
  return resolved
}

/**
 * The limits that the narrowest layer adds. A layer without its own settings adds none: the next wider layer has the
 * same limits and counts at least as much, so it trips no later.
 */
export function breakerOf(layers: readonly [BreakerSettings, ...BreakerSettings[]]): BreakerLimits | null {
  const [own] = layers
  if (own.enabled === null && own.minute === null && own.hour === null) return null
  const { enabled, minute, hour } = resolveBreaker(layers)
  return enabled ? { minute, hour } : null
}
