import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { backtest } from '#control/backtest/backtest.ts'
import { mayCallModel } from '#domain/access/judge-model.ts'
import type { LayerOwner } from '#domain/access/layer-owner.ts'
import type { ControlName, PastRequest, ProposedControls } from '#domain/limits/replay.ts'
import { type LimitedWindow, limitedWindows } from '#domain/limits/scopes.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { createPastRequests } from '#store/postgres/generations/past-requests.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type Home, newHome, principalIn } from './backtest-home.ts'
import { settleEntry } from './settles.ts'

let database: TestDatabase
let accounts: TestAccounts

beforeAll(async () => {
  database = await createTestDatabase()
  accounts = createAccounts(database.pool, { secret: 'x'.repeat(32), refresh: async () => {} })
})
afterAll(() => database.drop())

const dayMs = 86_400_000
const nowMs = Date.now()
const firstMs = startOf('day', nowMs) - 30 * dayMs
const nano = (amount: number): NanoUsd => nanoUsd(BigInt(amount))

/** The first and the last day, and the days on both sides of each start of a month and of one start of a week. */
const days = Array.from({ length: 30 }, (_, day) => day).filter((day) => {
  const isFirst = [day, day + 1].some((one) => {
    const ms = firstMs + one * dayMs
    return startOf('month', ms) === ms || (one < 10 && startOf('week', ms) === ms)
  })
  return isFirst || day === 0 || day === 29
})

/** One request of the month. A month has few busy minutes, so that requests meet in them. */
const planned = fc.record({
  payer: fc.constantFrom(0, 1, 2, 3),
  day: fc.constantFrom(...days),
  minute: fc.constantFrom(0, 1, 59, 60, 1439),
  second: fc.constantFrom(0, 1, 30, 59),
  takesS: fc.constantFrom(0, 1, 5, 40, 90, 4_000),
  held: fc.constantFrom(0, 100, 150, 200),
  cost: fc.constantFrom(0, 1, 50, 99, 100),
  model: fc.constantFrom('acme/model', 'acme/other', 'other/model'),
})
type Planned = typeof planned extends fc.Arbitrary<infer P> ? P : never

const limit = fc.option(fc.constantFrom(0, 100, 150, 200, 250, 400, 900), { freq: 2 })
const month = fc.record({
  // A backtest names twenty refused requests, so every refusal of a month can be compared.
  requests: fc.array(planned, { minLength: 1, maxLength: 20 }),
  earlier: fc.constantFrom(0, 60),
  kind: fc.constantFrom('organization', 'team', 'member'),
  limits: fc.record({ weeklyBudget: limit, monthlyBudget: limit, minute: limit, hour: limit }),
  allowedModels: fc.option(fc.constantFrom([], ['acme/*'], ['acme/model', 'other/model'], ['none/*']), { freq: 2 }),
})

type Month = typeof month extends fc.Arbitrary<infer M> ? M : never

/** Every limit has the same room for the third request, so the store and the replay must name the same one. */
const equalLimits: Month = {
  requests: ([0, 1, 30] as const).map((second): Planned => {
    return { payer: 0, day: 0, minute: 0, second, takesS: 0, held: 100, cost: 100, model: 'acme/model' }
  }),
  earlier: 0,
  kind: 'organization',
  limits: { weeklyBudget: 200, monthlyBudget: 200, minute: 200, hour: 200 },
  allowedModels: null,
}

it('a backtest names exactly the requests that the controls refuse when they are on, and which control it is', async () => {
  await fc.assert(
    fc.asyncProperty(month, async ({ requests, earlier, kind, limits, allowedModels }) => {
      const past = requests.map(pastOf).toSorted((one, other) => (one.id < other.id ? -1 : 1))
      const controls: ProposedControls = {
        weeklyBudget: kind !== 'organization' || limits.weeklyBudget === null ? null : nano(limits.weeklyBudget),
        monthlyBudget: limits.monthlyBudget === null ? null : nano(limits.monthlyBudget),
        breaker: {
          minute: limits.minute === null ? null : nano(limits.minute),
          hour: limits.hour === null ? null : nano(limits.hour),
        },
        allowedModels,
      }
      // Without controls every request is served, and the backtest reads what is stored of them.
      const free = await newPayers(earlier)
      expect(await live(free, past, null)).toEqual([])
      await keepSettleTimes(past)
      const owner = ownerIn(free, kind)
      const result = await backtest({ requests: createPastRequests(database.pool) }, { owner, controls }, nowMs)
      // With the controls, another organization sees the same month.
      const limited = await newPayers(earlier)
      const renamed = past.map((request) => ({ ...request, id: newUuid(request.startedAtMs) }))
      const refused = (await live(limited, renamed, { owner: ownerIn(limited, kind), controls })).map(
        ({ id, refusedBy }) => ({ position: renamed.findIndex((request) => request.id === id), refusedBy }),
      )
      const named = result.examples.map(({ id, refusedBy }) => ({
        position: past.findIndex((request) => request.id === id),
        refusedBy,
      }))
      expect(named.toReversed()).toEqual(refused)
      const spend = refused.reduce((sum, { position }) => sum + (past[position]?.cost ?? 0n), 0n)
      const owned = past.filter(({ payer }) => isOwner(owner, free, payer))
      expect([result.requests, result.refused, result.refusedSpend]).toEqual([owned.length, refused.length, spend])
    }),
    { numRuns: 40, examples: [[equalLimits]] },
  )
})

interface PlannedRequest extends PastRequest {
  readonly payer: number
}

function pastOf({ payer, day, minute, second, takesS, held, cost, model }: Planned): PlannedRequest {
  const startedAtMs = firstMs + day * dayMs + minute * 60_000 + second * 1_000
  const settledAtMs = startedAtMs + takesS * 1_000
  const id = newUuid(startedAtMs)
  // A charge never exceeds its hold.
  const charged = nano(Math.min(held, cost))
  return { id, startedAtMs, settledAtMs, held: nano(held), cost: charged, model, memberId: null, payer }
}

/** An organization whose first member spent this on the day before the month. */
async function newPayers(earlier: number): Promise<Home> {
  const home = await newHome(accounts)
  if (earlier === 0) return home
  const startedAtMs = firstMs - 1
  const [payer] = home.payers
  const request = { id: newUuid(startedAtMs), walletId: home.walletId, keyId: payer.keyId, amount: nano(earlier) }
  await placeHolds(database.pool, [{ ...request, windows: [] }], { leaseMs: 60_000, isRetry: false })
  await settleGenerations(database.pool, [
    settleEntry({ ...payer, id: request.id }, nano(earlier), { startedAtMs, held: nano(earlier) }),
  ])
  return home
}

function ownerIn({ organizationId, teamId, payers }: Home, kind: LayerOwner['kind']): LayerOwner {
  const id = { organization: organizationId, team: teamId, member: payers[0].memberId }[kind]
  return { kind, id, organizationId }
}

function isOwner({ kind, id }: LayerOwner, { payers }: Home, payer: number): boolean {
  const { memberId, teamId } = payers[payer] ?? {}
  return kind === 'organization' || (kind === 'team' ? teamId : memberId) === id
}

interface Refusal {
  readonly id: Uuid
  readonly refusedBy: ControlName
}

/**
 * Judges, holds and settles in the order of the month, with the gateway's rules and the store's functions. Returns the
 * refused requests in the order of their starts.
 */
async function live(
  home: Home,
  past: readonly PlannedRequest[],
  on: { readonly owner: LayerOwner; readonly controls: ProposedControls } | null,
): Promise<Refusal[]> {
  const refused: Refusal[] = []
  const open = new Map<Uuid, readonly LimitedWindow[]>()
  for (const { kind, request } of eventsOf(past)) {
    const { id, startedAtMs, held, cost, model } = request
    const payer = home.payers[request.payer] ?? home.payers[0]
    if (kind === 'settle') {
      if (!open.has(id)) continue
      const options = { startedAtMs, held, windows: open.get(id) ?? [] }
      const { record, windows } = settleEntry({ ...payer, id }, cost, options)
      await settleGenerations(database.pool, [{ record: { ...record, model }, windows }])
      continue
    }
    const principal = principalIn(home, payer, on)
    if (!mayCallModel(principal, model)) {
      refused.push({ id, refusedBy: 'allowed_models' })
      continue
    }
    const windows = limitedWindows(principal, startedAtMs)
    const hold = { id, walletId: home.walletId, keyId: payer.keyId, amount: held, estimate: cost, windows }
    const [verdict] = await placeHolds(database.pool, [hold], { leaseMs: 60_000, isRetry: false })
    if (verdict === undefined) throw new Error('a hold was not judged')
    if (verdict.allowed) open.set(id, windows)
    else refused.push({ id, refusedBy: controlOf(verdict.scope) })
  }
  return refused
}

function controlOf(kind: string): ControlName {
  const controls: Record<string, ControlName> = {
    week: 'weekly_budget',
    month: 'monthly_budget',
    minute: 'minute_breaker',
    hour: 'hour_breaker',
  }
  const control = controls[kind.split('_').at(-1) ?? '']
  if (control === undefined) throw new Error(`no control counts in ${kind}`)
  return control
}

interface Event {
  readonly atMs: number
  readonly request: PlannedRequest
  readonly kind: 'start' | 'settle'
}

/** What settles in the instant in which another request starts, settles first. */
function eventsOf(past: readonly PlannedRequest[]): Event[] {
  // A stable sort keeps the order of the month, and the start of a request that takes no time before its settle.
  const all = past.flatMap((request): Event[] => [
    { atMs: request.startedAtMs, request, kind: 'start' },
    { atMs: request.settledAtMs, request, kind: 'settle' },
  ])
  const rank = ({ kind, request }: Event) => (kind === 'settle' && request.settledAtMs > request.startedAtMs ? 0 : 1)
  return all.toSorted((one, other) => one.atMs - other.atMs || rank(one) - rank(other))
}

/** The store stamps settles with the real time; this month has its own. */
async function keepSettleTimes(past: readonly PastRequest[]): Promise<void> {
  await database.pool.query(
    `UPDATE generations g SET settled_at = x.at FROM unnest($1::uuid[], $2::timestamptz[]) AS x (id, at) WHERE g.id = x.id`,
    [past.map(({ id }) => id), past.map(({ settledAtMs }) => new Date(settledAtMs))],
  )
}
