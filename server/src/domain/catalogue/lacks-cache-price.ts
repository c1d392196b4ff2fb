import type { ModelKind } from './model.ts'

/** A price list, as stored text or as amounts. */
interface AnyUnits {
  readonly prompt?: bigint | string | undefined
  readonly cache_read?: bigint | string | undefined
}

/**
 * Whether a token price has no `cache_read`. Such a price is incomplete: the gateway charges the full input price for
 * cached tokens, because the discount is unknown.
 */
export function lacksCachePrice(kind: ModelKind, units: AnyUnits): boolean {
  return kind === 'chat' && units.prompt !== undefined && !isZero(units.prompt) && units.cache_read === undefined
}

function isZero(price: bigint | string): boolean {
  return typeof price === 'bigint' ? price === 0n : /^[0.]*$/.test(price)
}
