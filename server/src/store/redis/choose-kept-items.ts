import type { Redis } from 'ioredis'
import type { KeptItems } from '#ports/kept-items.ts'
import { createRedisKeptItems, type KeptItemsOptions } from './redis-kept-items.ts'

export interface ChosenKeptItems {
  /** Null if none are kept. */
  readonly items: KeptItems | null
  close(): void
}

/** Items may be long, so they have a separate connection, which is opened only if items are kept. */
export function chooseKeptItems({
  open,
  ...options
}: Omit<KeptItemsOptions, 'redis'> & { open: () => Redis }): ChosenKeptItems {
  if (options.keptMs === 0) return { items: null, close: () => {} }
  const redis = open()
  return { items: createRedisKeptItems({ ...options, redis }), close: () => redis.disconnect() }
}
