import type { Redis } from 'ioredis'

/**
 * Receives the messages of a channel. It needs a connection that only subscribes, because such a connection can do
 * nothing else. `onSubscribed` is called after each (re)connection: messages in between are lost.
 */
export function subscribeChannel(
  redis: Redis,
  channel: string,
  { onMessage, onSubscribed }: { onMessage: (text: string) => void; onSubscribed: () => void },
): void {
  redis.on('message', (from: string, text: string) => {
    if (from === channel) onMessage(text)
  })
  const subscribe = () => {
    // A connection that cannot subscribe is useless; a new one tries again.
    redis.subscribe(channel).then(onSubscribed, () => redis.disconnect(true))
  }
  redis.on('ready', subscribe)
  if (redis.status === 'ready') subscribe()
}
