import type { ExactNumber } from '../lib/money.ts'
import { api, dataOf } from './client.ts'

interface PlaygroundKey {
  readonly secret: string
  readonly limit: ExactNumber
  readonly expiresAt: string
}

/** A key is not used in its last minute, so that it does not expire during a response. */
const marginMs = 60_000

// Keys are stored in memory only: not in storage, a URL, the query cache or the page.
const keys = new Map<string, Promise<PlaygroundKey>>()

/** Returns the playground key. The session creates it for one hour with a spend cap, and key lists do not show it. */
export async function readPlaygroundKey(organization: string | null, nowMs: number): Promise<PlaygroundKey> {
  const kept = await keys.get(organization ?? '')?.catch(() => undefined)
  if (kept !== undefined && Date.parse(kept.expiresAt) - marginMs > nowMs) return kept
  const made = makeKey(organization)
  keys.set(organization ?? '', made)
  return made
}

/** Discards a key that the gateway rejected. The next request creates another one. */
export function forgetPlaygroundKey(organization: string | null): void {
  keys.delete(organization ?? '')
}

async function makeKey(organization: string | null): Promise<PlaygroundKey> {
  const query = organization === null ? {} : { organization }
  const {
    key,
    limit,
    expires_at: expiresAt,
  } = await dataOf(api.POST('/api/playground-keys', { params: { query }, body: {} }))
  return { secret: key, limit, expiresAt }
}
