import type { Redis } from 'ioredis'
import { type Invalidation, parseInvalidation } from '#domain/access/invalidation.ts'
import { subscribeChannel } from './subscribe-channel.ts'

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

/** Receives the messages that other processes publish. After each (re)connection everything is invalidated. */
export function subscribeInvalidations(
  { redis, prefix }: InvalidationsOptions,
  invalidate: (invalidation: Invalidation) => void,
): void {
  subscribeChannel(redis, channelOf(prefix), {
    onMessage: (text) => invalidate(parseInvalidation(text)),
    onSubscribed: () => invalidate({ all: true }),
  })
}
