import { expect, it } from 'vitest'
import type { FilterRequest } from '#ports/filter-engine.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { createThreadsWhenNeeded } from './threads-when-needed.ts'

const request: FilterRequest = { ruleSet: 'one', rules: [], texts: ['hello'] }

function startEngine(ready: Promise<void>) {
  const done: string[] = []
  const timers = createTestTimers()
  const engine = createThreadsWhenNeeded({
    timeoutMs: 250,
    timers,
    start: () => {
      done.push('started')
      return {
        ready,
        inspect: async ({ texts }) => ({ texts, hits: [] }),
        judgeMatcher: async () => ({ accepted: true }),
        close: async () => void done.push('closed'),
      }
    },
  })
  return { engine, done, timers }
}

it('starts threads once, with the first text or rule that needs them', async () => {
  const { engine, done } = startEngine(Promise.resolve())
  expect(done).toEqual([])
  expect(await engine.inspect(request)).toEqual({ texts: ['hello'], hits: [] })
  expect(await engine.judgeMatcher({ kind: 'keyword', keyword: 'a' })).toEqual({ accepted: true })
  await engine.close()
  expect(done).toEqual(['started', 'closed'])
})

it('has nothing to close where nothing needed threads', async () => {
  const { engine, done } = startEngine(Promise.resolve())
  await engine.close()
  expect(done).toEqual([])
})

it('refuses a request whose threads do not start within the time of 40 inspections', async () => {
  const { engine, timers } = startEngine(new Promise(() => {}))
  const refusal = expect(engine.inspect(request)).rejects.toMatchObject({
    errorName: 'overloaded',
    inside: 'the content filter threads did not start within 10000 ms',
  })
  await timers.pass(10_000)
  await refusal
})
