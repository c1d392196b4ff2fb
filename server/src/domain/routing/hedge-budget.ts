import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { useRecent } from '#lib/set-bounded.ts'

/**
 * Limits the hedges of each wallet, because the operator pays for lost attempts and no tenant may use up the hedges of
 * another. A wallet starts with none, so at most 5 % of its requests, and of all requests, are hedged.
 */
export interface HedgeBudget {
  /** Records one more request that asks for a hedge. */
  earn(wallet: string): void
  /** Whether a hedge is available. */
  has(wallet: string): boolean
  /** Uses an available hedge. */
  spend(wallet: string): void
  /** Records what a lost attempt cost the operator. */
  lost(wallet: string, cost: NanoUsd): void
  /** Records the charge of a request that asked for a hedge. */
  paid(wallet: string, charge: NanoUsd): void
}

interface Saved {
  requests: number
  /** The cost of lost attempts that is not yet covered by charges. While it is above zero, nothing is hedged. */
  debt: NanoUsd
}

// The same share limits the number of hedges and what they cost: otherwise many cheap requests would earn hedges for
// expensive ones.
const requestsPerHedge = 20
const chargesPerDebt = 20n
// Maximum saved hedges, so that an upstream that becomes slow for all clients gets few extra requests at once.
const hedgesMax = 3
// An evicted wallet starts with no hedges again.
const walletsMax = 10_000

export function createHedgeBudget(): HedgeBudget {
  const wallets = new Map<string, Saved>()
  const savedOf = (wallet: string): Saved => useRecent(wallets, wallet, startEmpty, walletsMax)
  return {
    earn: (wallet) => {
      const saved = savedOf(wallet)
      saved.requests = Math.min(saved.requests + 1, hedgesMax * requestsPerHedge)
    },
    has: (wallet) => {
      const { requests, debt } = savedOf(wallet)
      return requests >= requestsPerHedge && debt === zeroUsd
    },
    spend: (wallet) => {
      savedOf(wallet).requests -= requestsPerHedge
    },
    lost: (wallet, cost) => {
      const saved = savedOf(wallet)
      saved.debt = nanoUsd(saved.debt + cost)
    },
    paid: (wallet, charge) => {
      const saved = savedOf(wallet)
      const left = saved.debt - charge / chargesPerDebt
      saved.debt = left > 0n ? nanoUsd(left) : zeroUsd
    },
  }
}

function startEmpty(): Saved {
  return { requests: 0, debt: zeroUsd }
}
