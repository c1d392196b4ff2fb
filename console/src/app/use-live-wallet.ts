import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { linkTo } from '../api/link-to.ts'
import { shownView } from '../api/shown-view.ts'

// A busy wallet changes every second, and a page that moves faster cannot be read.
const quietMs = 2_000
const reopenMs = 15_000

/** The queries that show what has just happened in a wallet. */
const liveQueries = new Set<unknown>(['books', 'refusals', 'generations-live'])

function isLive([kind, , part]: readonly unknown[]): boolean {
  return liveQueries.has(kind) || (kind === 'generations' && part === 'recent')
}

/**
 * Refreshes the balance and the newest requests of a wallet when its money moves. Only a visible tab listens, because a
 * browser opens few connections to one host.
 */
export function useLiveWallet(ownerId: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    // A stream can't be part of a view.
    if (ownerId === undefined || shownView() !== null) return
    let leave = (): void => {}
    const follow = () => {
      leave()
      leave = document.visibilityState === 'visible' ? listen(client, ownerId) : () => {}
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      leave()
    }
  }, [client, ownerId])
}

function listen(client: QueryClient, ownerId: string): () => void {
  let leave = open(client, ownerId, reopen)
  let waiting: ReturnType<typeof setTimeout> | undefined
  function reopen(): void {
    waiting = setTimeout(() => {
      leave = open(client, ownerId, reopen)
    }, reopenMs)
  }
  return () => {
    clearTimeout(waiting)
    leave()
  }
}

function open(client: QueryClient, ownerId: string, onRefused: () => void): () => void {
  const events = new EventSource(linkTo('/api/wallets/{walletId}/events', { path: { walletId: ownerId } }))
  let seen: string | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    waiting = undefined
    void client.invalidateQueries({ predicate: ({ queryKey }) => isLive(queryKey) })
  }
  events.addEventListener('wallet', ({ data }: MessageEvent<string>) => {
    // The first event of each connection repeats the figures, which the page has just read.
    if (seen !== undefined && seen !== data) waiting ??= setTimeout(refresh, quietMs)
    seen = data
  })
  // A browser reconnects by itself after an interruption, but not after a refusal, such as the 503 of a restart.
  events.addEventListener('error', () => {
    if (events.readyState === EventSource.CLOSED) onRefused()
  })
  // A session that has ended must not reconnect every few seconds.
  events.addEventListener('end', () => events.close())
  return () => {
    clearTimeout(waiting)
    events.close()
  }
}
