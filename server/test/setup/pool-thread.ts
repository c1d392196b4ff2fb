import { parentPort } from 'node:worker_threads'
import type { PoolEnvelope, PoolMessage } from '#lib/worker-pool.ts'

/** What the test of the pool asks its threads to do. */
export type PoolTestJob =
  | { readonly kind: 'say'; readonly word: string }
  | { readonly kind: 'budget' }
  | { readonly kind: 'spin'; readonly ms: number }
  | { readonly kind: 'spin for ever' }
  | { readonly kind: 'throw' }
  | { readonly kind: 'exit' }

const say = (message: PoolMessage<string>): void => parentPort?.postMessage(message, [])

function spin(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

parentPort?.on('message', ({ job, budgetMs }: PoolEnvelope<PoolTestJob>) => {
  switch (job.kind) {
    case 'say':
      return say({ kind: 'answered', answer: job.word })
    case 'budget':
      return say({ kind: 'answered', answer: String(budgetMs) })
    case 'spin':
      spin(job.ms)
      return say({ kind: 'answered', answer: 'spun' })
    case 'spin for ever':
      return spin(Infinity)
    case 'throw':
      return say({ kind: 'broken', reason: 'asked to' })
    default:
      return process.exit(1)
  }
})
say({ kind: 'started' })
