import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isBreaker, type LimitedWindow, type ScopeKind } from '#domain/limits/scopes.ts'
import { windowStart } from '#domain/limits/window.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { HoldRequest } from '#ports/money.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { recountWindows } from '#store/postgres/money/spend-windows.sql.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type Payer, settleEntry } from './settles.ts'

let database: TestDatabase
let accounts: TestAccounts

beforeAll(async () => {
  database = await createTestDatabase()
  accounts = createAccounts(database.pool, { secret: 'x'.repeat(32), refresh: async () => {} })
})
afterAll(() => database.drop())

/** A key of a member in a team of an organization, and the windows of its requests. */
interface Player {
  payer: Omit<Payer, 'id'>
  windows: readonly (LimitedWindow & { kind: ScopeKind })[]
}

/** Held and spent sums by wallet and window, computed by the model. */
type Sums = Map<string, { held: bigint; spent: bigint }>

interface World {
  players: Player[]
  funds: Map<string, bigint>
  sums: Sums
  open: Map<string, { player: Player; amount: NanoUsd }>
}

const nowMs = Date.now()
const nano = (amount: number): NanoUsd => nanoUsd(BigInt(amount))
const keyOf = ({ kind, ownerId }: { kind: string; ownerId: string }): string => `${kind} ${ownerId}`

// Few values, so that sums often meet a limit exactly, or miss it by one.
const amount = fc.constantFrom(0, 1, 50, 99, 100, 150)
const limit = fc.constantFrom(1, 99, 100, 150, 199, 200, 249, 400, 900)
const plan = fc.record({
  funds: fc.tuple(limit, fc.constantFrom(500, 5_000)),
  // Null means no limit.
  limits: fc.array(fc.option(limit, { freq: 2 }), { minLength: 40, maxLength: 40 }),
  rounds: fc.array(
    fc.record({
      holds: fc.array(fc.record({ who: fc.nat(7), amount }), { maxLength: 14 }),
      settles: fc.array(fc.record({ which: fc.nat(30), cost: amount }), { maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
})

it('[P1] [P2] [I8] [HOLD-14] a batch is judged as if its holds had come one by one, and every sum stays exact', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ funds, limits, rounds }) => {
      const world = await newWorld(funds, limits)
      for (const { holds, settles } of rounds) {
        await placeAndCompare(world, holds)
        await settleSome(world, settles)
        await expectSums(world)
      }
      await recountAll(world)
      await expectSums(world)
      expect(await auditLedger(database.pool, { overdueMs: 60_000 })).toEqual([])
    }),
    { numRuns: 25 },
  )
})

/** Two organizations with two teams of two members each, with random limits. */
async function newWorld(funds: readonly [number, number], limits: readonly (number | null)[]): Promise<World> {
  const world: World = { players: [], funds: new Map(), sums: new Map(), open: new Map() }
  let next = 0
  const limited = (windows: readonly (readonly [ScopeKind, string, 'minute' | 'hour' | 'week' | 'month'])[]) =>
    windows.map(([kind, ownerId, length]) => {
      const chosen = limits[next++ % limits.length] ?? null
      return chosen === null ? [] : [{ kind, ownerId, startsAtMs: windowStart(length, nowMs), limit: nano(chosen) }]
    })
  for (const amount of funds) {
    const organization = await accounts.createOrganization({ usd: `0.${String(amount).padStart(9, '0')}` })
    world.funds.set(organization.walletId, BigInt(amount))
    const ownWindows = limited([
      ['organization_month', organization.id, 'month'],
      ['organization_week', organization.id, 'week'],
      ['organization_minute', organization.id, 'minute'],
    ])
    for (let team = 0; team < 2; team += 1) {
      const { teamId } = await accounts.addTeam(organization.id)
      const teamWindows = limited([
        ['team_month', teamId, 'month'],
        ['team_hour', teamId, 'hour'],
      ])
      for (let member = 0; member < 2; member += 1) {
        const { memberId, userId } = await accounts.addMember(organization.id, { teamId })
        const windows = limited([
          ['member_month', memberId, 'month'],
          ['member_minute', memberId, 'minute'],
        ])
        const ids = { organizationId: organization.id, walletId: organization.walletId, memberId, teamId, userId }
        const payer = { ...ids, keyId: newUuid(nowMs) }
        world.players.push({ payer, windows: [...ownWindows, ...teamWindows, ...windows].flat() })
      }
    }
  }
  return world
}

function sumOf(world: World, key: string): { held: bigint; spent: bigint } {
  const sum = world.sums.get(key) ?? { held: 0n, spent: 0n }
  world.sums.set(key, sum)
  return sum
}

function scopesOf({ payer, windows }: Player): string[] {
  return [payer.walletId, ...windows.map(keyOf)]
}

/** The scopes without room for this amount, by the model's sums. */
function shortScopes(world: World, player: Player, amount: bigint): string[] {
  const funds = world.funds.get(player.payer.walletId) ?? 0n
  const { held, spent } = sumOf(world, player.payer.walletId)
  const short = funds - spent <= 0n || funds - spent - held < amount ? ['wallet'] : []
  for (const window of player.windows) {
    const sum = sumOf(world, keyOf(window))
    const isShort = isBreaker(window.kind)
      ? sum.spent + sum.held >= window.limit
      : sum.spent + sum.held + amount > window.limit
    if (isShort) short.push(window.kind)
  }
  return short
}

async function placeAndCompare(world: World, holds: readonly { who: number; amount: number }[]): Promise<void> {
  const requests: { request: HoldRequest; player: Player }[] = []
  for (const { who, amount } of holds) {
    const player = world.players[who]
    if (player === undefined) continue
    const { walletId, keyId } = player.payer
    const request = { id: newUuid(nowMs), walletId, keyId, amount: nano(amount), windows: player.windows }
    requests.push({ request, player })
  }
  if (requests.length === 0) return
  const batch = requests.map(({ request }) => request)
  const verdicts = await placeHolds(database.pool, batch, { leaseMs: 60_000, isRetry: false })
  for (const [position, { request, player }] of requests.entries()) {
    const verdict = verdicts[position]
    const short = shortScopes(world, player, request.amount)
    expect(verdict?.allowed).toBe(short.length === 0)
    if (verdict?.allowed === false) expect(short).toContain(verdict.scope)
    if (verdict?.allowed !== true) continue
    for (const key of scopesOf(player)) sumOf(world, key).held += request.amount
    world.open.set(request.id, { player, amount: request.amount })
  }
  // The same batch again, as after a lost response: granted holds are not held twice.
  const granted = batch.filter(({ id }) => world.open.has(id))
  const again = await placeHolds(database.pool, granted, { leaseMs: 60_000, isRetry: true })
  expect(again.every(({ allowed }) => allowed)).toBe(true)
}

async function settleSome(world: World, settles: readonly { which: number; cost: number }[]): Promise<void> {
  const chosen = new Map<string, { player: Player; amount: NanoUsd; cost: NanoUsd }>()
  for (const { which, cost } of settles) {
    const [id, hold] = [...world.open][which % Math.max(1, world.open.size)] ?? []
    if (id === undefined || hold === undefined) continue
    world.open.delete(id)
    chosen.set(id, { ...hold, cost: nano(cost) })
  }
  // Costs above their hold take the remaining room one by one, before any hold of the batch ends.
  const taken = new Map<string, bigint>()
  for (const [id, { player, amount, cost }] of chosen) {
    const more = least([cost - amount, ...roomsOf(world, player)])
    taken.set(id, more)
    for (const key of strictScopesOf(player)) sumOf(world, key).held += more
  }
  const entries = [...chosen].map(([id, { player, amount, cost }]) => {
    const more = taken.get(id) ?? 0n
    const charged = least([cost, amount + more])
    for (const key of scopesOf(player)) {
      const sum = sumOf(world, key)
      sum.held -= amount + (strictScopesOf(player).includes(key) ? more : 0n)
      sum.spent += charged
    }
    const options = { startedAtMs: nowMs, held: amount, windows: player.windows }
    return { entry: settleEntry({ ...player.payer, id }, cost, options), charged, absorbed: cost - charged }
  })
  if (entries.length === 0) return
  const batch = entries.map(({ entry }) => entry)
  const expected = entries.map(({ charged, absorbed }) => ({ cost: charged, absorbed }))
  // Twice, because a replay must not count again.
  expect(await settleGenerations(database.pool, batch)).toEqual(expected)
  expect(await settleGenerations(database.pool, batch)).toEqual(expected)
}

/** The scopes whose limits no charge may exceed. */
function strictScopesOf({ payer, windows }: Player): string[] {
  return [payer.walletId, ...windows.filter(({ kind }) => !isBreaker(kind)).map(keyOf)]
}

function roomsOf(world: World, player: Player): bigint[] {
  const { walletId } = player.payer
  const wallet = sumOf(world, walletId)
  const windows = player.windows.filter(({ kind }) => !isBreaker(kind))
  return [
    (world.funds.get(walletId) ?? 0n) - wallet.spent - wallet.held,
    ...windows.map((window) => window.limit - sumOf(world, keyOf(window)).spent - sumOf(world, keyOf(window)).held),
  ]
}

/** The smallest amount, at least zero. */
function least(amounts: readonly bigint[]): bigint {
  const smallest = amounts.reduce((one, other) => (one < other ? one : other))
  return smallest > 0n ? smallest : 0n
}

async function recountAll(world: World): Promise<void> {
  for (const { windows } of world.players) {
    for (const { kind, ownerId } of windows) {
      await recountWindows(database.pool, { kinds: [kind], ownerId })
    }
  }
}

async function expectSums(world: World): Promise<void> {
  const owners = world.players.flatMap(({ windows }) => windows.map(({ ownerId }) => ownerId))
  const { rows } = await database.pool.query<{ kind: string; ownerId: string; held: string; spent: string }>(
    `SELECT kind, owner_id AS "ownerId", held_nano AS held, spent_nano AS spent FROM spend_windows
     WHERE owner_id = ANY ($1::uuid[])`,
    [owners],
  )
  for (const row of rows) {
    const { held, spent } = sumOf(world, keyOf(row))
    const limit = world.players.flatMap(({ windows }) => windows).find((window) => keyOf(window) === keyOf(row))?.limit
    if (limit !== undefined && !isBreaker(row.kind)) expect(spent + held, `[I8] ${row.kind}`).toBeLessThanOrEqual(limit)
    expect([row.kind, BigInt(row.held), BigInt(row.spent)]).toEqual([row.kind, held, spent])
  }
}
