import { hash } from 'node:crypto'
import { expect } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { byokPath } from '#test/routing/byok-world.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { createClient } from '#test/setup/client.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { findOverspend } from '#test/setup/find-overspend.ts'
import { readReply, type Reply } from '#test/setup/reply.ts'
import { importModels } from '../import-models.ts'
import { type MoneyWorld, startMoneyWorld } from '../money-world.ts'
import { type Ask, plainModel, requestFor } from './ask.ts'
import { type Attack, isBeyondCount, type Outcome } from './attack.ts'
import { createGate, type Gate } from './gate.ts'
import type { Greed } from './greed.ts'
import { type GreedyUpstream, startGreedyUpstream } from './greedy-upstream.ts'
import { copyOf, greedyModels } from './greedy-models.ts'
import { createVictim, type Limit, type Victim } from './victim.ts'

/** Three gateways on one database, two providers and an upstream for own keys, all greedy. */
export interface OverspendWorld extends MoneyWorld {
  readonly first: GreedyUpstream
  readonly second: GreedyUpstream
  readonly own: GreedyUpstream
  /** Sends the same request concurrently, in turn over the gateways; with a gate, rejected ones count as arrived. */
  callAll(
    caller: { key: string },
    calls: Pick<Attack, 'ask' | 'calls' | 'hangsUp'> & { gate?: Gate | undefined },
  ): Promise<Reply[]>
  attack(limit: Limit, tried: Attack): Promise<Outcome>
  /** No hold is open, the ledger agrees, and no limit in the whole database is exceeded. */
  expectNoOverspend(): Promise<void>
}

const environment = {
  WEIR_LIMITS_INFERENCE_FUNDED: '100000',
  WEIR_LIMITS_INFERENCE_LOW: '100000',
  WEIR_LIMITS_ACCOUNT: '100000',
  WEIR_REVISIONS_POLL_MS: '50',
  WEIR_BREAKER_FAILURES: '100000',
  // Each attacker has its own address, so that none is bounded by the cost of another.
  WEIR_EDGE_PROXIES: '127.0.0.1',
  // The default.
  WEIR_LIMITS_UNBILLED_USD: '0.50',
  // Own keys of the test lead to this machine.
  WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8',
}

export async function startOverspendWorld(): Promise<OverspendWorld> {
  // The clock stands still, so that everything falls into one window of each limit.
  const clock = createTestClock('2046-03-03T03:03:03Z')
  const world = await startMoneyWorld(environment, clock)
  const others = await Promise.all([1, 2].map(() => startSecondGateway(world, environment, clock)))
  const [first, second, own] = await Promise.all([startGreedyUpstream(), startGreedyUpstream(), startGreedyUpstream()])
  await importModels(world.pool, greedyModels)
  await addProviders(world, { first, second })
  await world.gateway.refresh()
  const urls = [world.url, ...others.map(({ url }) => url)]
  let copies = 0

  const callAll: OverspendWorld['callAll'] = ({ key }, { ask, calls, hangsUp = false, gate }) =>
    Promise.all(
      Array.from({ length: calls }, async (_, turn) => {
        const reply = await call({ url: urls[turn % urls.length] ?? '', key }, ask, hangsUp)
        gate?.arrive()
        return reply
      }),
    )

  return {
    ...world,
    first,
    second,
    own,
    callAll,
    attack: async (limit, asked) => {
      const tried = isBeyondCount(asked) ? withModelOfItsOwn(asked, copies++) : asked
      const victim = await createVictim(world, limit, tried.usd)
      if (tried.fails === 'own key') await addOwnKey(world, victim, { own, model: tried.ask.model ?? plainModel })
      const gate = tried.isTogether === true ? createGate(tried.calls) : undefined
      const greed: Greed = gate === undefined ? tried.greed : { ...tried.greed, gate }
      for (const [upstream, played] of [
        [first, tried.fails === 'first provider' ? failing : greed],
        [second, greed],
        [own, failing],
      ] as const) {
        upstream.caps.length = 0
        upstream.play(played)
      }
      const replies = await callAll(victim, { ...tried, gate })
      await world.settled()
      const absorbedBeyondBound = await repeat(world, { victim, tried, callAll })
      return { ...(await outcomeOf(world, { limit, tried, victim, replies })), absorbedBeyondBound }
    },
    expectNoOverspend: async () => {
      await world.expectSoundBooks()
      expect(await findOverspend(world.pool)).toEqual([])
    },
    close: async () => {
      await Promise.all(others.map((gateway) => gateway.close()))
      await Promise.all([first, second, own].map((upstream) => upstream.close()))
      await world.close()
    },
  }
}

function withModelOfItsOwn(attack: Attack, copy: number): Attack {
  return { ...attack, ask: { ...attack.ask, model: copyOf(attack.ask.model ?? plainModel, copy) } }
}

/** The daily bound on the amount absorbed per wallet. */
const boundNano = parseUsd('0.50')

/** Runs further waves, and returns the amount absorbed after the operator's bound was reached. */
async function repeat(
  world: MoneyWorld,
  { victim, tried, callAll }: { victim: Victim; tried: Attack; callAll: OverspendWorld['callAll'] },
): Promise<bigint> {
  let beyond = 0n
  for (let wave = 1; wave < (tried.waves ?? 1); wave += 1) {
    const before = await absorbedBy(world, victim)
    const isUsedUp = before > boundNano
    if (isUsedUp) await expect.poll(() => exceededBy(world, victim)).toBe(1)
    await world.credit(victim.walletId, tried.usd)
    await callAll(victim, tried)
    await world.settled()
    if (isUsedUp) beyond += (await absorbedBy(world, victim)) - before
  }
  return beyond
}

async function absorbedBy({ pool }: MoneyWorld, { walletId }: Victim): Promise<bigint> {
  const text = 'SELECT coalesce(sum(absorbed_nano), 0) AS absorbed FROM generations WHERE wallet_id = $1'
  const { rows } = await pool.query<{ absorbed: string }>(text, [walletId])
  return BigInt(rows[0]?.absorbed ?? 0)
}

async function exceededBy({ pool }: MoneyWorld, { walletId }: Victim): Promise<number> {
  const text = `SELECT id FROM audit_entries WHERE action = 'wallet.unbilled.exceeded' AND target_id = $1`
  return (await pool.query(text, [walletId])).rowCount ?? 0
}

const failing: Greed = { wants: 0, status: 500 }

async function addProviders(
  world: MoneyWorld,
  { first, second }: { first: GreedyUpstream; second: GreedyUpstream },
): Promise<void> {
  const [acme, claude, sonar] = ['acme/*', 'claude/*', 'sonar/*'].map((pattern) => ({ pattern }))
  await world.addProvider({ ...acme, vendor: 'openai', url: `${first.url}/v1`, priority: 0, name: 'first' })
  await world.addProvider({ ...acme, vendor: 'deepinfra', url: `${second.url}/v1`, priority: 1, name: 'second' })
  await world.addProvider({ ...claude, vendor: 'anthropic', url: first.url, priority: 0, name: 'first-claude' })
  await world.addProvider({ ...claude, vendor: 'anthropic', url: second.url, priority: 1, name: 'second-claude' })
  await world.addProvider({ ...sonar, vendor: 'perplexity', url: `${first.url}/v1`, priority: 0, name: 'first-sonar' })
  await world.addProvider({
    ...sonar,
    vendor: 'perplexity',
    url: `${second.url}/v1`,
    priority: 1,
    name: 'second-sonar',
  })
}

/** Adds an own key to the victim's organization, with fallback to the platform's providers. */
async function addOwnKey(
  world: MoneyWorld,
  { organizationId }: Victim,
  { own, model }: { own: GreedyUpstream; model: string },
): Promise<void> {
  if (organizationId === null) throw new Error('a person has no own key')
  const { memberId } = await world.addMember(organizationId, { role: 'org_admin' })
  const manager = await world.addOrganizationKey(organizationId, { memberId, terms: { type: 'management' } })
  const reply = await world.as(manager.key).post(byokPath, {
    name: 'Ours',
    baseUrl: `${own.url}/v1`,
    apiKey: 'sk-own-0123456789wxyz',
    protocol: 'openai',
    fallbackMode: 'seamless',
    modelMappings: [{ model, upstreamModel: 'ours' }],
  })
  expect(reply.status, reply.text).toBe(201)
}

async function call({ url, key }: { url: string; key: string }, ask: Ask, hangsUp: boolean): Promise<Reply> {
  const { path, body } = requestFor(ask)
  const client = createClient(url, { key })
  const headers = { 'x-real-ip': addressOf(key) }
  if (!hangsUp) return client.post(path, body, { headers })
  const leaving = new AbortController()
  const response = await client.open('POST', path, body, { headers, signal: leaving.signal })
  const reader = response.clone().body?.getReader()
  await reader?.read()
  leaving.abort()
  return readReply(new Response(null, response))
}

/** An address of a documentation network, derived from the key. */
function addressOf(key: string): string {
  const [first = 0, second = 0, third = 0] = hash('sha256', key, 'buffer')
  return `2001:db8:${(first * 256 + second).toString(16)}:${(third * 256).toString(16)}::1`
}

async function outcomeOf(
  world: MoneyWorld,
  { limit, tried, victim, replies }: { limit: Limit; tried: Attack; victim: Victim; replies: readonly Reply[] },
): Promise<Omit<Outcome, 'absorbedBeyondBound'>> {
  const { rows } = await world.pool.query<{ charged: string; absorbed: string; cut_off: number }>(
    `SELECT coalesce(sum(cost_nano), 0) AS charged, coalesce(sum(absorbed_nano), 0) AS absorbed,
       count(*) FILTER (WHERE refund_reason = 'credit_exhausted')::integer AS cut_off
     FROM generations WHERE wallet_id = $1`,
    [victim.walletId],
  )
  const charged = BigInt(rows[0]?.charged ?? 0)
  const beyond = charged - parseUsd(tried.usd) * BigInt(tried.waves ?? 1)
  return {
    limit,
    firstText: replies[0]?.text.slice(0, 300) ?? '',
    calls: tried.calls,
    served: replies.filter(({ status }) => status === 200).length,
    cutOff: rows[0]?.cut_off ?? 0,
    charged,
    absorbed: BigInt(rows[0]?.absorbed ?? 0),
    excess: beyond > 0n ? beyond : 0n,
  }
}
