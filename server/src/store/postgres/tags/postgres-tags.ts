import type { Pool, PoolClient } from 'pg'
import type { Tag } from '#domain/tags/tag.ts'
import { tooManyTags } from '#errors/too-many-tags.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Tags } from '#ports/tags.ts'
import { refuseWhenAway } from '../faults.ts'

export function createTags(pool: Pool, { tagsMax, nowMs }: { tagsMax: number; nowMs: () => number }): Tags {
  return {
    async findOrCreate(walletId, tag) {
      const values = [newUuid(nowMs()), walletId, tag.name, tag.value, tagsMax]
      const text = 'SELECT find_or_create_tag($1, $2, $3, $4, $5) AS id'
      const { rows } = await pool.query<{ id: string | null }>({ name: 'find-or-create-tag', text, values })
      const id = rows[0]?.id ?? null
      if (id === null) throw tooManyTags(tagsMax)
      return id
    },
    ...createTagReads(pool),
  }
}

/** For pages about usage, which only read. */
export function createTagReads(pool: Pool): Pick<Tags, 'find' | 'read'> {
  return {
    find: (walletId, tag) => refuseWhenAway(findTag(pool, walletId, tag)),
    read: (query) => refuseWhenAway(readTags(pool, query)),
  }
}

async function findTag(pool: Pool, walletId: Uuid, { name, value }: Tag): Promise<Uuid | null> {
  const text = 'SELECT id FROM wallet_tags WHERE wallet_id = $1 AND name = $2 AND value = $3'
  const { rows } = await pool.query<{ id: string }>({ name: 'find-tag', text, values: [walletId, name, value] })
  return rows[0]?.id ?? null
}

async function readTags(
  pool: Pool,
  { walletId, tagIds }: { walletId: Uuid; tagIds: readonly Uuid[] },
): Promise<Map<Uuid, Tag>> {
  const text = 'SELECT id, name, value FROM wallet_tags WHERE wallet_id = $1 AND id = ANY ($2::uuid[])'
  const { rows } = await pool.query<Tag & { id: string }>({ name: 'read-tags', text, values: [walletId, tagIds] })
  return new Map(rows.map(({ id, name, value }) => [id, { name, value }]))
}

/** Erases what a person wrote in tags. Their sums stay, because they are part of the person's books. */
export async function eraseTags(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `UPDATE wallet_tags t SET name = 'erased', value = t.id::text FROM wallets w
     WHERE w.id = t.wallet_id AND w.owner_kind = 'user' AND w.owner_id = $1`,
    [userId],
  )
}
