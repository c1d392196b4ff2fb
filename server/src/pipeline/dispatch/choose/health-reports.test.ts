import { expect, it } from 'vitest'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { CircuitChange } from '#ports/circuits.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createHealthStore } from './health-store.ts'

const [candidate = never()] = testTicket().plan.candidates
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const own: Candidate = { ...candidate, billing: 'own_key' }
const rules = { failures: 2, openMs: 1_000 }

function create() {
  let nowMs = 0
  const told: string[] = []
  const line = (what: string, { account, upstreamModel, to, reason, openedAtMs }: CircuitChange): number =>
    told.push(`${what}: ${account} ${upstreamModel} ${to}, ${reason}, ${openedAtMs}`)
  const store = createHealthStore(rules, () => nowMs, {
    circuits: { report: (change) => line('report', change), stillOpen: (change) => line('still', change) },
    ownKeys: {
      succeeded: (id) => void told.push(`${id} works`),
      failed: (id, reason) => void told.push(`${id}: ${reason}`),
    },
  })
  const fail = (one: Candidate, payer: string, reason: string, atMs: number): void => {
    nowMs = atMs
    store.failed(one, { payer, reason })
  }
  return { store, told, fail }
}

it('tells of a circuit that opens for one payer, is tried in vain, and closes', () => {
  const { store, told, fail } = create()
  fail(candidate, 'a', 'one', 10)
  expect(told).toEqual([])
  fail(candidate, 'a', 'two', 20)
  fail(candidate, 'a', 'three', 30)
  store.opened(candidate, 'b')
  store.succeeded(candidate)
  store.succeeded(candidate)
  expect(told).toEqual([
    'report: first model open, two, 20',
    'still: first model open, three, 20',
    'report: first model closed, three, 20',
  ])
})

it('tells of a circuit that closes because a request was rejected', () => {
  const { store, told, fail } = create()
  for (const atMs of [1, 2]) fail(candidate, 'a', 'why', atMs)
  store.objected(candidate, 'a')
  expect(told).toEqual(['report: first model open, why, 2', 'report: first model closed, why, 2'])
})

it('shows an open circuit as half-open while a request tries it, and a closed one as closed', async () => {
  const { store, fail } = create()
  const stateIn = () => store.circuits().map(({ account, vendor, state }) => `${account} ${vendor} ${state}`)
  store.succeeded(candidate)
  await store.probe(candidate, async () => expect(stateIn()).toEqual(['first openai closed']))
  for (const atMs of [1, 2]) fail(candidate, 'a', 'why', atMs)
  expect(stateIn()).toEqual(['first openai open'])
  await store.probe(candidate, async () => expect(stateIn()).toEqual(['first openai half-open']))
})

it('tells the owner of an own key how it does, and operators nothing of it', () => {
  const { store, told, fail } = create()
  for (const atMs of [1, 2]) fail(own, 'a', 'why', atMs)
  store.throttled(own, null)
  store.objected(own, 'a')
  store.succeeded(own)
  store.throttled(candidate, null)
  fail(candidate, 'a', 'why', 3)
  expect(told).toEqual([
    'account-1: why',
    'account-1: why',
    'account-1: upstream_rate_limited',
    'account-1 works',
    'account-1 works',
  ])
})
