import type { Invalidation } from '#domain/access/invalidation.ts'

/** Tells every process what to forget; one that misses it learns when its cached copy expires. */
export type Announce = (message: Invalidation) => Promise<void>
