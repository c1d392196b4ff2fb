import { describe, expect, it } from 'vitest'
import type { HealthVerdict, ProviderHealth } from './provider-health.ts'
import { judgeHealth, noteThrottle } from './provider-health.ts'
import {
  isTripped,
  judgeFor,
  noteFailureOf,
  noteObjectionTo,
  noteOpenedFor,
  noteSuccessOf,
  sharedCircuitOf,
  type SharedHealth,
  wellShared,
} from './shared-health.ts'

const rules = { failures: 5, openMs: 10_000 }
const used = { usable: true, isProbe: false }
const openUntil = (untilMs: number) => ({ usable: false, why: 'circuit_open', untilMs })

function judge(health: SharedHealth, payer: string, nowMs = 1): HealthVerdict {
  return judgeFor(health, payer, (one: ProviderHealth) => judgeHealth(one, rules, nowMs), nowMs)
}

/** Failures by payer, one per letter. A capital letter is a failure whose text the client may have written. */
function after(failures: string, nowMs = 0): SharedHealth {
  const health = wellShared()
  for (const letter of failures) fail(health, letter, nowMs)
  return health
}

function fail(health: SharedHealth, letter: string, nowMs: number): void {
  const payer = letter.toLowerCase()
  noteFailureOf(health, { payer, concernsRequestOnly: letter !== payer }, rules, nowMs)
}

describe('C13: the circuit of an upstream that several payers use', () => {
  // The failures by payer, and whether the account is still used by the payer with the most failures and by a third
  // payer.
  it.each([
    ['', true, true],
    ['aaaa', true, true],
    ['aaaaa', false, true],
    ['aaaaaaaaaaaaaaaaaaaa', false, true],
    ['AAAAA', false, true],
    ['aaaab', true, true],
    ['aaaaab', false, true],
    ['aaabb', false, false],
    ['aabcd', false, false],
    ['aaaaabb', false, false],
    ['aaaBBBBB', true, true],
    ['AAAAABBBBBCCCCC', false, true],
    ['aabBBB', true, true],
  ])('after %s is open to nobody who did not cause it alone', (failures, isUsedByFirst, isUsedByThird) => {
    const health = after(failures)
    expect(judge(health, 'a').usable).toBe(isUsedByFirst)
    expect(judge(health, 'z').usable).toBe(isUsedByThird)
  })

  it('is probed by one of all, and closed to all by an answer', () => {
    const health = after('aaabb')
    expect(judge(health, 'z')).toEqual(openUntil(10_000))
    expect(judge(health, 'z', 10_000)).toEqual({ usable: true, isProbe: true })
    expect(judge(health, 'y', 10_001)).toEqual(openUntil(20_000))
    noteSuccessOf(health)
    for (const payer of ['a', 'b', 'y', 'z']) expect(judge(health, payer, 10_002)).toEqual(used)
    fail(health, 'a', 10_003)
    expect(judge(health, 'a', 10_004)).toEqual(used)
  })

  it('stays open when a probe fails', () => {
    const health = after('aaabb')
    judge(health, 'z', 10_000)
    fail(health, 'z', 10_500)
    expect(judge(health, 'y', 20_000)).toEqual(openUntil(20_500))
  })

  it('loses no probe to a payer whose own circuit is open', () => {
    const health = after('aaabb')
    for (let count = 0; count < 5; count++) fail(health, 'A', 9_000)
    expect(judge(health, 'a', 10_000)).toEqual(openUntil(19_000))
    expect(judge(health, 'z', 10_000)).toEqual({ usable: true, isProbe: true })
  })

  it("is probed by a payer's own request where it is open to that payer", () => {
    const health = after('aaaaa')
    expect(judge(health, 'a', 9_999)).toEqual(openUntil(10_000))
    expect(judge(health, 'a', 10_000)).toEqual({ usable: true, isProbe: true })
    expect(judge(health, 'a', 10_001)).toEqual(openUntil(20_000))
    noteOpenedFor(health, 'a', rules)
    expect(judge(health, 'a', 10_002)).toEqual(used)
    fail(health, 'a', 10_003)
    expect(judge(health, 'a', 10_004)).toEqual(openUntil(20_003))
  })

  it('closes for requests of all when a stream begins, whose failures are not forgiven yet', () => {
    const health = after('aaabb')
    noteOpenedFor(health, 'z', rules)
    expect(judge(health, 'y', 1)).toEqual(used)
    fail(health, 'z', 2)
    expect(judge(health, 'y', 3)).toEqual(openUntil(10_002))
  })

  it('is forgiven nothing of others by a request that is rejected', () => {
    const health = after('aabb')
    noteObjectionTo(health, 'z', rules)
    fail(health, 'z', 0)
    expect(judge(health, 'y').usable).toBe(false)
    const other = after('aaaab')
    noteObjectionTo(other, 'a', rules)
    for (const payer of 'acd') fail(other, payer, 0)
    expect(judge(other, 'y').usable).toBe(true)
  })

  it('keeps a pause that was asked for from all', () => {
    const health = after('aaaaa')
    noteThrottle(health.all, 500, 0)
    for (const payer of ['a', 'z'])
      expect(judge(health, payer)).toEqual({ usable: false, why: 'throttled', untilMs: 500 })
  })
})

describe('what operators are told of such a circuit', () => {
  it.each([
    ['aaaa', false, 'closed', 'closed'],
    ['aaaaa', true, 'open', 'half-open'],
    ['aaabb', true, 'open', 'half-open'],
  ])('after %s', (failures, isOpen, state, later) => {
    const health = after(failures)
    expect(isTripped(health, rules)).toBe(isOpen)
    expect(sharedCircuitOf(health, rules, 1)).toBe(state)
    expect(sharedCircuitOf(health, rules, 10_000)).toBe(later)
  })
})

it('remembers a thousand payers at most', () => {
  const health = wellShared()
  for (let count = 0; count < 1_500; count++) {
    noteFailureOf(health, { payer: `p${count}`, concernsRequestOnly: true }, rules, 0)
  }
  expect(health.byPayer.size).toBe(1_000)
})
