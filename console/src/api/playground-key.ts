import type { ExactNumber } from '../lib/money.ts'
import { api, dataOf } from './client.ts'

interface PlaygroundKey {
  readonly secret: string
  readonly limit: ExactNumber
  readonly expiresAt: string
}

/** A key is not used in its last minute, so that it does not end while an answer is under way. */
const marginMs = 60_000

// Kept here and nowhere else: not in storage, in a URL, in the query cache or in the page.
const keys = new Map<string, Promise<PlaygroundKey>>()

/**
 * The key that the playground calls models with: made by the session for an hour, with a spend cap, in no list of keys.
 */
export async function readPlaygroundKey(organization: string | null, nowMs: number): Promise<PlaygroundKey> {
  const kept = await keys.get(organization ?? '')?.catch(() => undefined)
  if (kept !== undefined && Date.parse(kept.expiresAt) - marginMs > nowMs) return kept
  const made = makeKey(organization)
  keys.set(organization ?? '', made)
  return made
}

/** After a refusal of the key itself: the next call makes another. */
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
