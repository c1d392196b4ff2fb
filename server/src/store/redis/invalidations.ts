import type { Redis } from 'ioredis'
import { type Invalidation, parseInvalidation } from '#domain/access/invalidation.ts'

export interface InvalidationsOptions {
  redis: Redis
  prefix: string
}

const channelOf = (prefix: string): string => `${prefix}invalidate`

/** Notifies all processes. If a message is lost, the maximum age of cache entries limits the delay. */
export async function publishInvalidation(
  { redis, prefix }: InvalidationsOptions,
  invalidation: Invalidation,
): Promise<void> {
  await redis.publish(channelOf(prefix), JSON.stringify(invalidation))
}

/**
 * Receives the messages that other processes publish. It needs its own connection, because a subscribed connection can
 * do nothing else. After each (re)connection everything is invalidated once the subscription is active, because
 * messages in between are lost.
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
      // A connection that cannot subscribe is useless; a new one tries again.
      () => redis.disconnect(true),
    )
  }
  redis.on('ready', subscribe)
  if (redis.status === 'ready') subscribe()
}
