import type { Redis } from 'ioredis'
import { type Invalidation, parseInvalidation } from '#domain/access/invalidation.ts'

export interface InvalidationsOptions {
  redis: Redis
  prefix: string
}

const channelOf = (prefix: string): string => `${prefix}invalidate`

/** Tells all processes. A lost message is made up for by the age that every cache allows its entries. */
export async function publishInvalidation(
  { redis, prefix }: InvalidationsOptions,
  invalidation: Invalidation,
): Promise<void> {
  await redis.publish(channelOf(prefix), JSON.stringify(invalidation))
}

/**
 * Hears what other processes publish. The connection must be its own, because a subscribed one can do nothing else.
 * After each (re)connection everything is invalidated once the subscription stands: messages of the meantime are lost.
 */
export function subscribeInvalidations(
  { redis, prefix }: InvalidationsOptions,
  invalidate: (invalidation: Invalidation) => void,
): void {
  const channel = channelOf(prefix)
  redis.on('message', (from: string, text: string) => {
    if (from === channel) invalidate(parseInvalidation(text))
  })
  const subscribe = () => {
    redis.subscribe(channel).then(
      () => invalidate({ all: true }),
      // A connection that cannot subscribe is of no use; a new one tries again.
      () => redis.disconnect(true),
    )
  }
  redis.on('ready', subscribe)
  if (redis.status === 'ready') subscribe()
}
