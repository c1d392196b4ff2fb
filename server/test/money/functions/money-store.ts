import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { HoldRequest } from '#ports/money.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase } from '#test/setup/database.ts'

/** The money functions on their own database, with access to everything that they touch. */
export interface MoneyStore {
  readonly pool: Pool
  readonly accounts: TestAccounts
  /** Creates a payer with this many nano-dollars. */
  payer(funds: number, options?: { creditLine?: number }): Promise<StorePayer>
  /** Limits of a payer's key, next to windows that differ in kind, owner or start and must never change. */
  windows(payer: StorePayer, limits: Readonly<Record<string, number>>): Promise<LimitedWindow[]>
  place(requests: readonly HoldRequest[], options?: { leaseMs?: number; isRetry?: boolean }): Promise<string[]>
  /** The balance, holds and charges of a wallet. */
  walletOf(payer: StorePayer): Promise<{ balance: number; held: number; charged: number }>
  /** The spent and held sums of each window by kind; fails if a neighbour changed. */
  sumsOf(windows: readonly LimitedWindow[]): Promise<Record<string, { spent: number; held: number }>>
  close(): Promise<void>
}

export interface StorePayer {
  readonly walletId: string
  readonly keyId: string
  readonly userId: string
}

export const nano = (amount: number): NanoUsd => nanoUsd(BigInt(amount))
export const startsAtMs = Date.UTC(2030, 0, 7)
const otherStartsAtMs = startsAtMs - 86_400_000
const beside = { spent: 7, held: 3 }

export async function openMoneyStore(): Promise<MoneyStore> {
  const database = await createTestDatabase()
  const { pool } = database
  const accounts = createAccounts(pool, { secret: 'x'.repeat(32), refresh: async () => {} })
  const neighbours: LimitedWindow[] = []

  async function putBeside(windows: readonly LimitedWindow[]): Promise<void> {
    const taken = new Set(windows.map(nameOf))
    for (const neighbour of windows.flatMap(neighboursOf).filter((each) => !taken.has(nameOf(each)))) {
      const { rowCount } = await pool.query(
        `INSERT INTO spend_windows (kind, owner_id, starts_at, spent_nano, held_nano) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING`,
        [neighbour.kind, neighbour.ownerId, neighbour.startsAtMs, beside.spent, beside.held],
      )
      if (rowCount === 1) neighbours.push(neighbour)
    }
  }

  return {
    pool,
    accounts,
    payer: async (funds, { creditLine = 0 } = {}) => {
      const { walletId, keyId, userId } = await accounts.createClient({ usd: `0.${String(funds).padStart(9, '0')}` })
      await pool.query('UPDATE wallets SET credit_line_nano = $2 WHERE id = $1', [walletId, creditLine])
      return { walletId, keyId, userId }
    },
    windows: async ({ keyId }, limits) => {
      const windows = Object.entries(limits).map(([kind, limit]) => ({
        kind,
        ownerId: keyId,
        startsAtMs,
        limit: nano(limit),
      }))
      await putBeside(windows)
      return windows
    },
    place: async (requests, { leaseMs = 3_600_000, isRetry = false } = {}) => {
      const verdicts = await placeHolds(pool, requests, { leaseMs, isRetry })
      return verdicts.map((verdict) =>
        verdict.allowed
          ? `${verdict.granted} of ${verdict.granted + verdict.room}`
          : `${verdict.scope} has ${verdict.room}`,
      )
    },
    walletOf: async ({ walletId }) => {
      const { rows } = await pool.query<Record<'balance' | 'held' | 'charged', string>>(
        'SELECT balance_nano AS balance, held_nano AS held, charged_nano AS charged FROM wallets WHERE id = $1',
        [walletId],
      )
      const [row] = rows
      return { balance: Number(row?.balance), held: Number(row?.held), charged: Number(row?.charged) }
    },
    sumsOf: async (windows) => {
      for (const neighbour of neighbours) {
        const found = await readSums(pool, neighbour)
        if (found?.spent !== beside.spent || found.held !== beside.held)
          throw new Error(`${nameOf(neighbour)} was touched`)
      }
      const found = await Promise.all(
        windows.map(async (window) => [window.kind, await readSums(pool, window)] as const),
      )
      return Object.fromEntries(found.map(([kind, sums]) => [kind, sums ?? { spent: -1, held: -1 }]))
    },
    close: () => database.drop(),
  }
}

/** A hold without growth, unless the fields request it. */
export function holdOf(
  payer: StorePayer,
  amount: number,
  fields: { id?: string; windows?: readonly LimitedWindow[]; estimate?: number; wish?: number; comfort?: number } = {},
): HoldRequest {
  const { windows = [], estimate, wish, comfort } = fields
  return {
    id: fields.id ?? newUuid(Date.now()),
    walletId: payer.walletId,
    keyId: payer.keyId,
    amount: nano(amount),
    ...(estimate === undefined ? {} : { estimate: nano(estimate) }),
    ...(wish === undefined
      ? {}
      : { growth: { wish: nano(wish), comfort: comfort === undefined ? null : nano(comfort) } }),
    windows,
  }
}

async function readSums(
  pool: Pool,
  { kind, ownerId, startsAtMs }: LimitedWindow,
): Promise<{ spent: number; held: number } | undefined> {
  const { rows } = await pool.query<{ spent: string; held: string }>(
    'SELECT spent_nano AS spent, held_nano AS held FROM spend_windows WHERE kind = $1 AND owner_id = $2 AND starts_at = $3',
    [kind, ownerId, startsAtMs],
  )
  const [row] = rows
  return row === undefined ? undefined : { spent: Number(row.spent), held: Number(row.held) }
}

const stranger = randomUUID()

/** Windows that share one or two of the three key columns. */
function neighboursOf(window: LimitedWindow): LimitedWindow[] {
  const others = { kind: 'key_month', ownerId: stranger, startsAtMs: otherStartsAtMs }
  const columns = ['kind', 'ownerId', 'startsAtMs'] as const
  return columns.flatMap((column) => [
    { ...window, [column]: others[column] },
    { ...window, ...others, [column]: window[column] },
  ])
}

function nameOf({ kind, ownerId, startsAtMs }: LimitedWindow): string {
  return `${kind} ${ownerId} ${startsAtMs}`
}
