import { type Tag, tagIn, tagText } from '#domain/tags/tag.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createAgingCache } from '#lib/aging-cache.ts'
import { assert } from '#lib/assert.ts'
import { errorText } from '#lib/error-text.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Tags } from '#ports/tags.ts'

/** The ids of tags. They never change, so nothing invalidates them. */
export interface TagCache {
  /** Sorted. Synchronous if all are cached. */
  find(walletId: Uuid, tags: readonly Tag[]): Eventually<readonly Uuid[]>
}

const dayMs = 86_400_000
const entriesMax = 100_000
const walletIdLength = 36

export function createTagCache(options: {
  tags: Pick<Tags, 'findOrCreate'>
  clock: () => number
  loadTimeoutMs?: number
}): TagCache {
  const { tags, clock, loadTimeoutMs = 2_000 } = options
  const cache = createAgingCache<Uuid>({
    load: (key) => {
      const tag = tagIn(key.slice(walletIdLength))
      assert(tag !== null, 'only tags are keys')
      return tags.findOrCreate(key.slice(0, walletIdLength), tag)
    },
    clock,
    softTtlMs: dayMs,
    hardTtlMs: 2 * dayMs,
    staleIfErrorMs: 2 * dayMs,
    maxEntries: entriesMax,
    loadTimeoutMs,
  })
  return {
    find: (walletId, asked) => {
      const found = asked.map((tag) => cache.find(walletId + tagText(tag)))
      const here = found.filter((id) => typeof id === 'string')
      if (here.length === found.length) return here.toSorted()
      return Promise.all(found).then((ids) => ids.toSorted(), refuse)
    },
  }
}

function refuse(cause: unknown): never {
  if (cause instanceof GatewayError) throw cause
  throw new GatewayError('storeUnavailable', {
    message: 'The tags of the request could not be looked up. Retry shortly.',
    inside: `tags could not be loaded: ${errorText(cause)}`,
    retryAfterS: 1,
    cause,
  })
}
