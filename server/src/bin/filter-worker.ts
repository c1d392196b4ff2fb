import { parentPort } from 'node:worker_threads'
import { assert } from '#lib/assert.ts'
import type { PoolEnvelope, PoolMessage } from '#lib/worker-pool.ts'
import type { FilterAnswer, FilterJob } from '#net/filters/filter-job.ts'
import { createFilterThread } from '#net/filters/filter-thread.ts'

/** A thread of the filter engine: one result per job, in order. */
const port = parentPort
assert(port !== null, 'this file is run in a thread')
const work = createFilterThread()
const say = (message: PoolMessage<FilterAnswer>): void => port.postMessage(message)

port.on('message', ({ job, budgetMs }: PoolEnvelope<FilterJob>) => {
  try {
    const answer = work({ job, budgetMs, onProgress: (soFar) => say({ kind: 'progress', answer: soFar }) })
    say({ kind: 'answered', answer })
  } catch (error) {
    say({ kind: 'broken', reason: String(error) })
  }
})
say({ kind: 'started' })
