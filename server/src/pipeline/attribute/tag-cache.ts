import { nameIn, walletIdIn, walletKey } from '#domain/access/wallet-key.ts'
import { type Tag, tagIn, tagText } from '#domain/tags/tag.ts'
import { createAgingCache } from '#lib/aging-cache.ts'
import { assert } from '#lib/assert.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Tags } from '#ports/tags.ts'
import { refuseUnloaded } from './refuse-unloaded.ts'

/** The ids of tags. They never change, so nothing invalidates them. */
export interface TagCache {
  /** Sorted. Synchronous if all are cached. */
  find(walletId: Uuid, tags: readonly Tag[]): Eventually<readonly Uuid[]>
}

const dayMs = 86_400_000
const entriesMax = 100_000

export function createTagCache(options: {
  tags: Pick<Tags, 'findOrCreate'>
  clock: () => number
  loadTimeoutMs?: number
}): TagCache {
  const { tags, clock, loadTimeoutMs = 2_000 } = options
  const cache = createAgingCache<Uuid>({
    load: (key) => {
      const tag = tagIn(nameIn(key))
      assert(tag !== null, 'only tags are keys')
      return tags.findOrCreate(walletIdIn(key), tag)
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
      const found = asked.map((tag) => cache.find(walletKey(walletId, tagText(tag))))
      const here = found.filter((id) => typeof id === 'string')
      if (here.length === found.length) return here.toSorted()
      return Promise.all(found).then((ids) => ids.toSorted(), refuseUnloaded('tags'))
    },
  }
}
