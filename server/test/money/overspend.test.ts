import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { Ask } from './overspend/ask.ts'
import { mayAbsorb } from './overspend/attack.ts'
import { createGate } from './overspend/gate.ts'
import type { Greed } from './overspend/greed.ts'
import { type OverspendWorld, startOverspendWorld } from './overspend/overspend-world.ts'
import { kindOf, randomOf, randomRound } from './overspend/random-attack.ts'
import { createTally } from './overspend/tally.ts'
import { ways } from './overspend/ways.ts'

/** The number of random rounds; a long run sets it to thousands. */
const rounds = Number(process.env['WEIR_TEST_OVERSPEND_ROUNDS'] ?? 6)
/** Ends only a hung test: on a busy machine with two cores a round takes a fifth of a second. */
const roundsTimeoutMs = 180_000 + rounds * 2_000
/** The audit reads all bookings, so it takes longer with every round. */
const roundsPerAudit = 25

let world: OverspendWorld
beforeAll(async () => {
  world = await startOverspendWorld()
})
afterAll(() => world.close())

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}

describe('[I8] [B3] nobody spends more than there is', () => {
  const [tally, random] = [createTally(), createTally()]
  afterAll(() => print([...tally.lines(), ...random.lines()]))

  it.each(
    ways.flatMap((way) =>
      (way.limits ?? ['wallet' as const]).map((limit) => ({ way, limit, title: `${way.name} (${limit})` })),
    ),
  )('$title', async ({ way, limit }) => {
    const outcome = await world.attack(limit, way)
    tally.add(way.name, outcome)
    await world.expectNoOverspend()
    expect(outcome.excess).toBe(0n)
    expect(outcome.absorbedBeyondBound).toBe(0n)
    if (!mayAbsorb(way)) expect(outcome.absorbed).toBe(0n)
    if (way.isWithinBound === true) expect(outcome.absorbed).toBeLessThanOrEqual(parseUsd('0.50'))
    if (way.isCutOff === true) expect(outcome.cutOff).toBeGreaterThan(0)
    // An attack that is rejected completely tests nothing.
    expect(outcome.served, outcome.firstText).toBeGreaterThan(0)
    expect(world.first.caps.length + world.second.caps.length).toBeGreaterThan(0)
    // C3: the cap was sent in the field that the upstream reads.
    if (way.greed.knowsCap !== undefined) expect(new Set(world.first.caps)).toEqual(new Set([way.ask.cap]))
    if (way.fails === 'own key') expect(world.own.caps.length).toBeGreaterThan(0)
    if (way.fails === 'first provider') expect(world.second.caps.length).toBeGreaterThan(0)
  })

  it(
    'whatever is tried, with whatever money',
    async () => {
      const next = randomOf(46)
      for (let round = 1; round <= rounds; round += 1) {
        const chosen = randomRound(next)
        const outcome = await world.attack(chosen.limit, chosen.tried)
        random.add(kindOf(chosen), outcome)
        const shown = `round ${round}: ${JSON.stringify(chosen)}`
        expect(outcome.excess, shown).toBe(0n)
        if (!mayAbsorb(chosen.tried)) expect(outcome.absorbed, shown).toBe(0n)
        if (round % roundsPerAudit === 0 || round === rounds) await world.expectNoOverspend()
      }
    },
    roundsTimeoutMs,
  )
})

describe('[I8] holds stay usable', () => {
  const shown: Greed = { wants: 500 }
  const hidden: Greed = { wants: 500, shows: 'nothing', countsAs: 'reasoning_tokens' }
  const costOfOne = parseUsd('0.00751')

  describe.each<[string, Ask, Greed]>([
    ['documents', { model: 'acme/usable' }, shown],
    ['streams', { model: 'acme/usable', stream: true }, shown],
    ['documents that reason', { model: 'acme/usable-thinker' }, hidden],
    ['streams that reason', { model: 'acme/usable-thinker', stream: true }, hidden],
  ])('%s of 500 tokens at 15 USD per million, without a cap', (_name, ask, greed) => {
    it('run ten at once with 5 USD in the wallet', async () => {
      const caller = await world.createClient({ usd: '5' })
      const replies = await callTogether(caller, ask, greed, 10)
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
      expect(replies.every(({ text }) => text.includes('"cost":0.00751'))).toBe(true)
    })

    it('run sixty at once within the default breaker of 5 USD a minute, which counts them', async () => {
      const caller = await world.createClient({ usd: '1000' })
      await world.pool.query('UPDATE users SET breaker_enabled = true WHERE id = $1', [caller.userId])
      const replies = await callTogether(caller, ask, greed, 60)
      expect(replies.filter(({ status }) => status !== 200)).toEqual([])
      expect(replies.every(({ text }) => text.includes('"cost":0.00751'))).toBe(true)
      const { rows } = await world.pool.query(
        `SELECT spent_nano FROM spend_windows WHERE kind = 'user_minute' AND owner_id = $1`,
        [caller.userId],
      )
      expect(rows).toEqual([{ spent_nano: String(costOfOne * 60n) }])
    })
  })

  it('[B13] a cap that the gateway set is told in a header, and the answer ends with `length`', async () => {
    world.first.play({ wants: 50_000 })
    world.first.caps.length = 0
    const caller = await world.createClient({ usd: '0.045' })
    const [reply] = await world.callAll(caller, { ask: {}, calls: 1 })
    expect(world.first.caps).toEqual([4_096])
    expect(reply?.headers.get('x-output-cap')).toBe('4096')
    expect(reply?.json).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 4_096 } })
  })
})

/** Sends requests that are all in progress before the first is answered. */
async function callTogether(caller: { key: string }, ask: Ask, greed: Greed, calls: number): Promise<Reply[]> {
  const gate = createGate(calls)
  world.first.caps.length = 0
  world.first.play({ ...greed, gate })
  const replies = await world.callAll(caller, { ask, calls, gate })
  expect(world.first.caps).toHaveLength(calls)
  return replies
}
