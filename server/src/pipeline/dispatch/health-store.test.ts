import { expect, it } from 'vitest'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { createHealthStore } from './health-store.ts'

const template = testTicket().plan.candidates[0] ?? never()
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const host = (id: string, upstreamModel = 'model'): Candidate => ({
  ...template,
  account: { ...template.account, id },
  upstreamModel,
})
const rules = { failures: 1, openMs: 1_000 }

it('[ROUTE-16] keeps the health of every account and model apart', () => {
  const store = createHealthStore(rules, () => 0)
  store.failed(host('one'), 'upstream_unavailable')
  expect(store.judge(host('one'))).toMatchObject({ usable: false, why: 'isolated' })
  expect(store.judge(host('two'))).toMatchObject({ usable: true })
  expect(store.judge(host('one', 'another model'))).toMatchObject({ usable: true })
})

it('[ROUTE-16] tells who waits when a probe has ended, however it did', async () => {
  const store = createHealthStore(rules, () => 0)
  expect(store.newsOf([host('one'), host('two')])).toBeNull()
  for (const end of ['well', 'badly'] as const) {
    const asking = Promise.withResolvers<string>()
    const probe = store.probe(host('two'), () => asking.promise)
    const news = store.newsOf([host('one'), host('two')])
    expect(news).not.toBeNull()
    expect(store.newsOf([host('one')])).toBeNull()
    if (end === 'well') asking.resolve(end)
    else asking.reject(new Error(end))
    await (end === 'well' ? expect(probe).resolves.toBe(end) : expect(probe).rejects.toThrow(end))
    await expect(news).resolves.toBeUndefined()
    expect(store.newsOf([host('two')])).toBeNull()
  }
})

it('[ROUTE-16] still knows of the later of two probes when the earlier ends', async () => {
  const store = createHealthStore(rules, () => 0)
  const [earlier, later] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = store.probe(host('one'), () => earlier.promise)
  const second = store.probe(host('one'), () => later.promise)
  earlier.resolve()
  await first
  expect(store.newsOf([host('one')])).not.toBeNull()
  later.resolve()
  await second
  expect(store.newsOf([host('one')])).toBeNull()
})
