import type { Invalidation } from '#domain/access/invalidation.ts'

/** Tells every process to drop a cached copy. A process that misses it drops the copy when it expires. */
export type Announce = (message: Invalidation) => Promise<void>
