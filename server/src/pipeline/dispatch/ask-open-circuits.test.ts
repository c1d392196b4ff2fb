import { expect, it } from 'vitest'
import { testPayer, testTicket } from '#test/streams/test-ticket.ts'
import { publicText } from '#lib/public-text.ts'
import type { Reply } from '../types.ts'
import { askOpenCircuits } from './ask-open-circuits.ts'
import type { FailedTry } from './conclude-failures.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { createHealthStore } from './choose/health-store.ts'

const handled: Reply = { kind: 'handled' }
const ticket = testTicket()
const candidate = ticket.plan.candidates[0] ?? never()
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const skipped: FailedTry = { candidate, errorName: 'noUpstream', message: publicText('not tried'), retryAfterMs: 1 }

/** One upstream whose circuit opened at 0; waiting moves the clock. */
function openFor(openMs: number) {
  let nowMs = 0
  const health = createHealthStore({ failures: 1, openMs }, () => nowMs)
  health.failed(candidate, { payer: testPayer, reason: 'upstream_unreachable' })
  const wait = (ms: number): Promise<void> => {
    nowMs += ms
    return Promise.resolve()
  }
  const deps = { health, nowMs: () => nowMs, wait } as Pick<DispatchDeps, 'health' | 'nowMs' | 'wait'> as DispatchDeps
  const askedAt: number[] = []
  const asked: string[] = []
  const run = (
    reply: Reply | null,
    tries: readonly FailedTry[] = [skipped],
    serve: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Reply | null> =>
    askOpenCircuits(deps, ticket, tries, async ({ account }) => {
      askedAt.push(nowMs)
      asked.push(account.id)
      await serve()
      return reply
    })
  return { deps, run, askedAt, asked, nowMs: () => nowMs }
}

it('[ROUTE-16] waits for the moment when an upstream with an open circuit may be tried', async () => {
  const { run, askedAt } = openFor(2_000)
  expect(await run(handled)).toBe(handled)
  expect(askedAt).toEqual([200])
})

it('[ROUTE-16] does not keep a request for a moment that is more than a moment away', async () => {
  const { run, askedAt, nowMs } = openFor(2_010)
  expect(await run(handled)).toBeNull()
  expect(askedAt).toEqual([])
  expect(nowMs()).toBe(0)
})

it('[ROUTE-16] asks each upstream once, and ends when all have failed', async () => {
  const { run, askedAt, nowMs } = openFor(1_000)
  expect(await run(null)).toBeNull()
  expect(askedAt).toEqual([100])
  expect(nowMs()).toBe(100)
})

it('[ROUTE-16] asks all of them, however many there are', async () => {
  const { deps, run, asked } = openFor(1_000)
  const names = ['one', 'two', 'three', 'four', 'five']
  const hosts = names.map((id) => ({ ...candidate, account: { ...candidate.account, id } }))
  for (const host of hosts) deps.health.failed(host, { payer: testPayer, reason: 'upstream_unreachable' })
  expect(
    await run(
      null,
      hosts.map((host) => ({ ...skipped, candidate: host })),
    ),
  ).toBeNull()
  expect(asked).toEqual(names)
})

it('[ROUTE-16] begins nothing more after two seconds', async () => {
  const { deps, run, asked } = openFor(1_000)
  const hosts = ['one', 'two'].map((id) => ({ ...candidate, account: { ...candidate.account, id } }))
  await run(
    null,
    hosts.map((host) => ({ ...skipped, candidate: host })),
    () => deps.wait(2_000),
  )
  expect(asked).toEqual(['one'])
})

it('[ROUTE-16] leaves those alone that have failed this request already', async () => {
  const { run, askedAt } = openFor(10_000)
  expect(await run(handled, [{ ...skipped, errorName: 'upstreamUnreachable' }])).toBeNull()
  expect(askedAt).toEqual([])
})

it('[ROUTE-16] hears what the probe of another request found', async () => {
  const { deps, run, askedAt } = openFor(30_000)
  const probing = Promise.withResolvers<void>()
  const probe = deps.health.probe(candidate, () => probing.promise)
  deps.wait = () => new Promise(() => {})
  const asking = run(handled)
  deps.health.succeeded(candidate)
  probing.resolve()
  await probe
  expect(await asking).toBe(handled)
  expect(askedAt).toEqual([0])
})
