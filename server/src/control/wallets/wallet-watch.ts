import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { WalletMarks } from '#ports/wallet-marks.ts'
import { checkEvery, end, tell, type WalletNews, WatchedWallets, type Watcher } from './watched-wallets.ts'

export interface WalletWatch {
  /**
   * The wallet's figures, and again each time they change. The first read is rejected if too many watch already. The
   * watch ends once `isStillAllowed` says no, or cannot tell. It asks every 60 rounds.
   */
  watch(walletId: Uuid, client: WatchingClient): AsyncIterable<WalletNews>
  /** Ends all watches, so that a gateway that shuts down does not wait for them. */
  close(): Promise<void>
}

export interface WatchingClient {
  /** The person or key whose watches are counted together. */
  readonly clientId: Uuid
  readonly isStillAllowed: () => Promise<boolean>
}

export interface WalletWatchDeps {
  readonly marks: WalletMarks
  /** Resolves after the time between two rounds. */
  readonly pause: () => Promise<void>
  readonly onFault: (error: unknown) => void
}

/** A watch ends after at most this many rounds, so that watches move to new gateways during a deployment. */
export const roundsMax = 300
const stillThereEvery = 15
const batchSize = 500

/**
 * Watches wallets for clients. One loop reads the wallets of all watchers together, and only while there are watchers:
 * a request costs nothing more, and a thousand pages on one wallet cost as much as one.
 */
export function createWalletWatch({ marks, pause, onFault }: WalletWatchDeps): WalletWatch {
  const wallets = new WatchedWallets()
  const state = { isReading: false, isClosed: false }

  async function readWhileWatched(): Promise<void> {
    if (state.isReading) return
    state.isReading = true
    while (wallets.ids.length > 0 && !state.isClosed) {
      await pause()
      // Before the read, so that what it finds reaches only clients that may still watch.
      wallets.forEachWatcher(beginRound)
      await readAll().catch(onFault)
      wallets.forEachWatcher(endRound)
    }
    state.isReading = false
  }

  async function readAll(): Promise<void> {
    const { ids } = wallets
    for (let at = 0; at < ids.length; at += batchSize) {
      for (const [id, mark] of await marks.read(ids.slice(at, at + batchSize))) wallets.note(id, mark)
    }
  }

  async function* watch(walletId: Uuid, { clientId, isStillAllowed }: WatchingClient): AsyncGenerator<WalletNews> {
    if (state.isClosed) {
      throw new GatewayError('draining', { message: 'This gateway is shutting down. Reconnect.', retryAfterS: 1 })
    }
    const watcher = wallets.open(walletId, clientId)
    try {
      const mark = (await marks.read([walletId])).get(walletId)
      if (mark !== undefined) {
        wallets.begin(walletId, mark)
        yield { mark }
      }
      void readWhileWatched()
      for (let news = await nextOf(watcher); news !== null; news = await nextOf(watcher)) {
        const isAllowed = !watcher.isDue || (await isStillAllowed().catch(() => null))
        // A client that cannot be checked may come back, and one that may not watch is told so.
        if (isAllowed === null) return
        if (!isAllowed) {
          yield 'not allowed'
          return
        }
        watcher.isDue = false
        yield news
      }
    } finally {
      wallets.leave(walletId, watcher)
    }
  }

  return {
    watch,
    close: async () => {
      state.isClosed = true
      wallets.forEachWatcher(end)
    },
  }
}

/** Null when the watch is over. */
async function nextOf(watcher: Watcher): Promise<WalletNews | null> {
  while (watcher.news === null && !watcher.isOver) {
    await new Promise<void>((resolve) => {
      watcher.wake = resolve
    })
  }
  const { news } = watcher
  watcher.news = null
  return news
}

function beginRound(watcher: Watcher): void {
  watcher.rounds += 1
  if (watcher.rounds % checkEvery === 0) watcher.isDue = true
}

function endRound(watcher: Watcher): void {
  if (watcher.rounds >= roundsMax) end(watcher)
  if (watcher.rounds % stillThereEvery === 0 && watcher.news === null) tell(watcher, 'still there')
}
