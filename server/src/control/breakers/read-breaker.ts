import { breakerOf, type BreakerSettings, resolveBreaker, type ResolvedBreaker } from '#domain/access/breaker.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { BreakerBook } from '#ports/organization-rules.ts'

/** What an owner has set, what comes of it, and what counts against it at the moment. */
export interface BreakerState {
  readonly settings: BreakerSettings
  readonly resolved: ResolvedBreaker
  readonly spent: { readonly minute: NanoUsd; readonly hour: NanoUsd }
}

export async function readBreaker(book: BreakerBook, owner: LayerOwner, nowMs: number): Promise<BreakerState> {
  const layers = await book.find(owner)
  if (layers === null) throw noSuchOwner(owner)
  const isCounted = breakerOf(layers) !== null
  const spent = await book.readSpend(owner, { nowMs, isCounted })
  return { settings: layers[0], resolved: resolveBreaker(layers), spent }
}

export function noSuchOwner({ kind }: LayerOwner): GatewayError {
  return new GatewayError('notFound', { message: `There is no such ${kind}.` })
}
