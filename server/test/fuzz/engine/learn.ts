import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Learnt, LearnOrder } from './learn-order.ts'

/**
 * Mutates with block coverage. It runs in its own thread: coverage makes code many times slower, and only threads
 * without it can tell whether an input takes too long.
 */
export async function learn(order: LearnOrder): Promise<Learnt> {
  const thread = new Worker(new URL('./learn-thread.ts', import.meta.url), { workerData: order })
  const ended = once(thread, 'exit').then(([code]) => {
    throw new Error(`the thread that learns ended with ${code}`)
  })
  ended.catch(() => {})
  const [learnt] = await Promise.race([once(thread, 'message'), ended])
  await thread.terminate()
  return learnt
}
