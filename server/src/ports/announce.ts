/** What other processes must forget. Hashes are those of whole secrets, in hexadecimal. */
export interface Invalidation {
  keyHash?: string
  walletId?: string
  userId?: string
  all?: true
}

/** Tells every process at once; one that misses it learns when its cached copy expires. */
export type Announce = (message: Invalidation) => Promise<void>
