import type { Redis } from 'ioredis'
import type { Pool } from 'pg'

/** Called for each statement and each script, so that a bench can count them. */
export interface EngineWatch {
  statement(): void
  script(): void
}

/** An available amount larger than any hold. */
const room = '999000000000'

/**
 * Stands in for `pg`: grants every hold and charges every settle as requested, at the next turn of the event loop, as a
 * socket would. It knows one person with a key, and no other table.
 */
export function createMemoryPool(watch: Pick<EngineWatch, 'statement'>): Pool {
  const query = (statement: Statement) =>
    atNextTurn(() => {
      watch.statement()
      return { rows: rowsOf(statement) }
    })
  return { query } as unknown as Pool
}

interface Statement {
  readonly name: string
  readonly values: readonly unknown[]
}

function rowsOf({ name, values }: Statement): object[] {
  switch (name) {
    case 'find-principals':
      return hashesIn(values[0]).map(principalRow)
    case 'place-hold':
      return [{ granted_nano: values[3], room_nano: room }]
    case 'place-holds':
    case 'place-holds-plain':
      return holdRows(elementsOf(values[0]), elementsOf(values[3]))
    case 'settle-generation':
      return [{ settled: true }]
    case 'settle-generations-plain':
      return Array.from(String(values[0]).matchAll(/(?:^|;";)\(([^,]+),/g), ([, id]) => ({ id }))
    case 'settle-generations':
      return settleRows(elementsOf(values[0]), elementsOf(values[8]))
    default:
      throw new Error(`the memory pool does not know the statement ${name}`)
  }
}

function hashesIn(value: unknown): Buffer[] {
  return Array.isArray(value) ? value.filter((hash) => Buffer.isBuffer(hash)) : []
}

/** The row of a person's key without limits, in the order of the statement's columns. The hash makes its ids. */
function principalRow(hash: Buffer): object {
  const hex = hash.toString('hex')
  return {
    secret_hash: hex,
    usable_until: null,
    id: uuidOf(hex, 0),
    name: 'warm-up',
    type: 'standard',
    enabled: true,
    user_id: uuidOf(hex, 8),
    organization_id: null,
    member_id: null,
    team_id: null,
    wallet_id: uuidOf(hex, 16),
    spend_limit_nano: null,
    spend_limit_period: null,
    allowed_cidrs: [],
    free_fallback: true,
    expires_at: null,
    suspended: false,
    breaker_enabled: null,
    breaker_minute_nano: null,
    breaker_hour_nano: null,
    billing_mode: null,
    weekly_budget_nano: null,
    monthly_budget_nano: null,
    allowed_models: null,
    o_breaker_enabled: null,
    o_breaker_minute_nano: null,
    o_breaker_hour_nano: null,
    t_monthly_budget_nano: null,
    t_allowed_models: null,
    t_breaker_enabled: null,
    t_breaker_minute_nano: null,
    t_breaker_hour_nano: null,
    m_monthly_budget_nano: null,
    m_allowed_models: null,
    m_breaker_enabled: null,
    m_breaker_minute_nano: null,
    m_breaker_hour_nano: null,
    balance_nano: room,
    overdue_invoice: null,
  }
}

function uuidOf(hex: string, at: number): string {
  return `01890000-0000-7000-8000-${hex.slice(at, at + 12)}`
}

function holdRows(ids: readonly string[], amounts: readonly string[]): object[] {
  return ids.map((id, index) => ({ hold_id: id, refused_by: null, room_nano: room, granted_nano: amounts[index] }))
}

function settleRows(ids: readonly string[], costs: readonly string[]): object[] {
  return ids.map((id, index) => ({ generation_id: id, charged_nano: costs[index], absorbed_nano: '0' }))
}

/** The elements of a Postgres array literal whose elements contain no commas. */
function elementsOf(literal: unknown): string[] {
  return String(literal ?? '{}')
    .slice(1, -1)
    .split(',')
    .map((element) => element.replaceAll('"', ''))
}

/** Stands in for ioredis: allows every request, and returns unbilled sums far below any limit. */
export function createMemoryRedis(watch: Pick<EngineWatch, 'script'>): Redis {
  const answer = (keyCount: number, values: readonly unknown[]): unknown[] => {
    watch.script()
    const isRate = values.length - keyCount === 3
    return isRate ? [1, 0, 99_999_000, 60_000, 0] : [null, null, '1000000', '1000000', '20000', null, null, null]
  }
  const evalsha = (_digest: string, keyCount: number, ...values: unknown[]) =>
    atNextTurn(() => answer(keyCount, values))
  return { evalsha } as unknown as Redis
}

function atNextTurn<Result>(make: () => Result): Promise<Result> {
  return new Promise((resolve, reject) =>
    setImmediate(() => {
      try {
        resolve(make())
      } catch (error) {
        reject(error)
      }
    }),
  )
}
