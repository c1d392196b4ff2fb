import { describe, expect, it } from 'vitest'
import { testPayer, testTicket } from '#test/streams/test-ticket.ts'
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
  store.failed(host('one'), { payer: testPayer, reason: 'upstream_unavailable' })
  expect(store.judge(host('one'), testPayer)).toMatchObject({ usable: false, why: 'circuit_open' })
  expect(store.judge(host('two'), testPayer)).toMatchObject({ usable: true })
  expect(store.judge(host('one', 'another model'), testPayer)).toMatchObject({ usable: true })
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

it('C13: opens the circuit of an account for the payer whose requests fail, and for all when others fail as well', () => {
  const store = createHealthStore({ failures: 2, openMs: 1_000 }, () => 0)
  const reason = 'upstream_auth_failed (400)'
  for (let count = 0; count < 9; count++) store.failed(host('one'), { payer: 'hostile', reason })
  expect(store.judge(host('one'), 'hostile')).toMatchObject({ usable: false, why: 'circuit_open' })
  expect(store.judge(host('one'), testPayer)).toEqual({ usable: true, isProbe: false })
  expect(store.circuits()).toMatchObject([{ state: 'open' }])
  for (let count = 0; count < 9; count++) {
    store.failed(host('one'), { payer: 'accomplice', reason, concernsRequestOnly: true })
  }
  expect(store.judge(host('one'), testPayer)).toEqual({ usable: true, isProbe: false })
  store.failed(host('one'), { payer: 'innocent', reason })
  expect(store.judge(host('one'), testPayer)).toMatchObject({ usable: false, why: 'circuit_open' })
})

it('forgives a payer by an objection, and other payers by an answer alone', () => {
  const store = createHealthStore(rules, () => 0)
  store.failed(host('one'), { payer: 'a', reason: 'upstream_unavailable' })
  store.objected(host('one'), 'b')
  expect(store.judge(host('one'), 'a').usable).toBe(false)
  store.objected(host('one'), 'a')
  expect(store.judge(host('one'), 'a').usable).toBe(true)
  store.failed(host('one'), { payer: 'a', reason: 'upstream_unavailable' })
  store.succeeded(host('one'))
  expect(store.judge(host('one'), 'a').usable).toBe(true)
})

const own = (id: string): Candidate => ({ ...host(id), billing: 'own_key' })

describe('an own key', () => {
  it('has its circuit open for every member of its organization', () => {
    const store = createHealthStore(rules, () => 0)
    store.failed(own('key'), { payer: 'a', reason: 'upstream_unavailable' })
    expect(store.judge(own('key'), 'b')).toMatchObject({ usable: false, why: 'circuit_open' })
    expect(store.circuits()).toEqual([])
    store.objected(own('key'), 'b')
    expect(store.judge(own('key'), 'a')).toEqual({ usable: true, isProbe: false })
  })

  it('is forgotten once more than ten thousand others have failed after it', () => {
    const store = createHealthStore(rules, () => 0)
    store.failed(own('key'), { payer: 'a', reason: 'upstream_unavailable' })
    for (let count = 1; count < 10_000; count++) {
      store.failed(own(`other-${count}`), { payer: 'a', reason: 'upstream_unavailable' })
    }
    expect(store.judge(own('key'), 'a').usable).toBe(false)
    store.failed(own('last'), { payer: 'a', reason: 'upstream_unavailable' })
    expect(store.judge(own('key'), 'a').usable).toBe(true)
    expect(store.judge(own('last'), 'a').usable).toBe(false)
  })
})
