import type { Tag } from '#domain/tags/tag.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The tags that requests of a wallet had. The same tag of another wallet is another tag. */
export interface Tags {
  /** An unknown tag is created, up to the maximum of the wallet; beyond it, it is refused. */
  findOrCreate(walletId: Uuid, tag: Tag): Promise<Uuid>
  /** Null if no request of the wallet had the tag. */
  find(walletId: Uuid, tag: Tag): Promise<Uuid | null>
  /** Tags of other wallets are absent. */
  read(query: { walletId: Uuid; tagIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, Tag>>
}
