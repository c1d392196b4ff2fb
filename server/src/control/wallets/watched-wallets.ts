import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { WalletMark } from '#ports/wallet-marks.ts'

/**
 * `still there` keeps proxies from closing a quiet connection. `not allowed` is the last news of a client that may not
 * watch any longer, so that it does not reconnect.
 */
export type WalletNews = { readonly mark: WalletMark } | 'still there' | 'not allowed'

export interface Watcher {
  readonly clientId: Uuid
  /** The newest news that the client has not read. A slow client misses figures in between, never the last ones. */
  news: WalletNews | null
  /** Where it begins differs from watcher to watcher, so that pages that open together are not checked together. */
  rounds: number
  /** Whether the client's right to watch has to be checked again. */
  isDue: boolean
  isOver: boolean
  wake: () => void
}

/** In one process. An open page has one watch. Without a bound for a client, one with many wallets could take all. */
export const watchersPerClientMax = 20
export const watchersPerWalletMax = 50
export const watchersMax = 2_000
/** The rounds between two checks of a client. Checking 2,000 clients in one round took all connections to Postgres. */
export const checkEvery = 60

/** The wallets with a watcher, and the figures that their watchers know. */
export class WatchedWallets {
  readonly #wallets = new Map<Uuid, { readonly watchers: Set<Watcher>; last: WalletMark | null }>()
  readonly #watcherCounts = new Map<Uuid, number>()
  #watcherCount = 0
  #opened = 0

  get ids(): readonly Uuid[] {
    return [...this.#wallets.keys()]
  }

  open(id: Uuid, clientId: Uuid): Watcher {
    const wallet = this.#wallets.get(id) ?? { watchers: new Set<Watcher>(), last: null }
    const ofClient = this.#watcherCounts.get(clientId) ?? 0
    const isFull = wallet.watchers.size >= watchersPerWalletMax || this.#watcherCount >= watchersMax
    if (isFull || ofClient >= watchersPerClientMax) {
      throw new GatewayError('rateLimited', { message: 'Too many open event streams. Close one.', retryAfterS: 60 })
    }
    const rounds = this.#opened++ % checkEvery
    const watcher: Watcher = { clientId, news: null, rounds, isDue: false, isOver: false, wake: () => {} }
    wallet.watchers.add(watcher)
    this.#wallets.set(id, wallet)
    this.#watcherCounts.set(clientId, ofClient + 1)
    this.#watcherCount += 1
    return watcher
  }

  leave(id: Uuid, watcher: Watcher): void {
    const wallet = this.#wallets.get(id)
    if (wallet?.watchers.delete(watcher) !== true) return
    this.#watcherCount -= 1
    const ofClient = (this.#watcherCounts.get(watcher.clientId) ?? 0) - 1
    if (ofClient > 0) this.#watcherCounts.set(watcher.clientId, ofClient)
    else this.#watcherCounts.delete(watcher.clientId)
    if (wallet.watchers.size === 0) this.#wallets.delete(id)
  }

  /** Takes the figures that a new watcher was told, unless others know some: the next round compares with theirs. */
  begin(id: Uuid, mark: WalletMark): void {
    const wallet = this.#wallets.get(id)
    if (wallet !== undefined) wallet.last ??= mark
  }

  /** Tells the watchers of a wallet its figures, if they have changed. */
  note(id: Uuid, mark: WalletMark): void {
    const wallet = this.#wallets.get(id)
    if (wallet === undefined || (wallet.last !== null && isSame(wallet.last, mark))) return
    wallet.last = mark
    for (const watcher of wallet.watchers) tell(watcher, { mark })
  }

  forEachWatcher(act: (watcher: Watcher) => void): void {
    for (const { watchers } of this.#wallets.values()) for (const watcher of watchers) act(watcher)
  }
}

export function tell(watcher: Watcher, news: WalletNews): void {
  watcher.news = news
  watcher.wake()
}

export function end(watcher: Watcher): void {
  watcher.isOver = true
  watcher.wake()
}

function isSame(one: WalletMark, other: WalletMark): boolean {
  return (
    one.balance === other.balance &&
    one.held === other.held &&
    one.creditLine === other.creditLine &&
    one.charged === other.charged &&
    one.refused === other.refused
  )
}
