import { parentPort } from 'node:worker_threads'
import type { PoolEnvelope, PoolMessage } from '#lib/worker-pool.ts'

/** The jobs of the pool test. */
export type PoolTestJob =
  | { readonly kind: 'say'; readonly word: string }
  | { readonly kind: 'budget' }
  | { readonly kind: 'name environment' }
  /** Stays busy until the gate is opened. */
  | { readonly kind: 'wait'; readonly gate: Int32Array }
  | { readonly kind: 'spin for ever' }
  /** Reports its interim result, signals that it has, and never ends. */
  | { readonly kind: 'say and spin'; readonly word: string; readonly said: Int32Array }
  | { readonly kind: 'throw' }
  | { readonly kind: 'exit' }

const say = (message: PoolMessage<string>): void => parentPort?.postMessage(message, [])

function spin(): never {
  for (;;);
}

parentPort?.on('message', ({ job, budgetMs }: PoolEnvelope<PoolTestJob>) => {
  switch (job.kind) {
    case 'say':
      return say({ kind: 'answered', answer: job.word })
    case 'budget':
      return say({ kind: 'answered', answer: String(budgetMs) })
    case 'name environment':
      return say({ kind: 'answered', answer: Object.keys(process.env).join(' ') })
    case 'wait':
      Atomics.wait(job.gate, 0, 0)
      return say({ kind: 'answered', answer: 'waited' })
    case 'spin for ever':
      return spin()
    case 'say and spin':
      say({ kind: 'progress', answer: job.word })
      Atomics.store(job.said, 0, 1)
      return spin()
    case 'throw':
      return say({ kind: 'broken', reason: 'asked to' })
    default:
      return process.exit(1)
  }
})
say({ kind: 'started' })
