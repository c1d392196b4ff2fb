import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '#lib/json.ts'
import type { FloodOrder } from './flood.ts'

export interface Flooder {
  /** Resolves when the flood is established. */
  start(order: FloodOrder): Promise<void>
  /** Returns the number of connections and requests so far, by kind. */
  stop(): Promise<string>
  end(): void
}

export function startFlooder(): Flooder {
  const child = fork(fileURLToPath(new URL('./flooder.ts', import.meta.url)))
  const died = once(child, 'exit').then(() => Promise.reject(new Error('the flooding process ended')))
  died.catch(() => {})
  const answerTo = async (message: FloodOrder | 'stop'): Promise<unknown> => {
    const answered = once(child, 'message').then(([answer]: unknown[]) => answer)
    child.send(message)
    return Promise.race([answered, died])
  }
  return {
    start: async (order) => {
      await answerTo(order)
    },
    stop: async () => {
      const answer = await answerTo('stop')
      const sent = isJsonObject(answer) && isJsonObject(answer['sent']) ? answer['sent'] : {}
      return Object.entries(sent)
        .map(([kind, count]) => `${String(count)} ${kind}`)
        .join(', ')
    },
    end: () => child.disconnect(),
  }
}

export async function startDecoy(): Promise<{ url: string; end(): void }> {
  const child = fork(fileURLToPath(new URL('./decoy.ts', import.meta.url)))
  const [message]: unknown[] = await once(child, 'message')
  if (!isJsonObject(message)) throw new Error('the decoy has no address')
  return { url: String(message['url']), end: () => child.disconnect() }
}
