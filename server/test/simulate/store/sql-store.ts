import type { Pool } from 'pg'
import { grantTransfers } from '#domain/ledger/transfer.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { creditWallet } from '#store/postgres/wallets/wallets.sql.ts'
import type { Random } from '#test/drills/setup/random.ts'
import { linesOf } from './books.ts'
import type { MoneyModel } from './model.ts'
import { ModelStore } from './model-store.ts'
import { readBooks } from './read-books.ts'
import { restoreTables, type SavedTables, saveTables } from './saved-tables.ts'
import type { SentStatement } from './statement.ts'
import type { BalanceMove, NewWallet, Result, Store } from './store.ts'
import { setVirtualTime } from './virtual-time.ts'

const insertWallet =
  'INSERT INTO wallets (id, owner_kind, owner_id, credit_line_nano, expired_nano) VALUES ($1, $2, $3, $4, $5)'

/**
 * Postgres and the model side by side: each statement goes to both, and after each both must have the same response and
 * state. All statements use one connection, so their outcomes depend only on the seed.
 */
export class SqlStore implements Store {
  readonly #pool: Pool
  readonly #model: ModelStore
  readonly #mayCrash: boolean
  readonly #onDifference: (what: string) => void
  #unsynced: { tables: SavedTables; model: MoneyModel }[] = []

  constructor(options: { pool: Pool; mayCrash: boolean; onDifference: (what: string) => void }) {
    this.#pool = options.pool
    this.#model = new ModelStore({ mayCrash: false })
    this.#mayCrash = options.mayCrash
    this.#onDifference = options.onDifference
  }

  get books(): MoneyModel {
    return this.#model.books
  }

  async execute(sent: SentStatement, terms: { nowMs: number; isDurable: boolean }): Promise<Result> {
    if (terms.isDurable) this.#unsynced = []
    else if (this.#mayCrash) this.#unsynced.push({ tables: await saveTables(this.#pool), model: this.books.copy() })
    await setVirtualTime(this.#pool, terms.nowMs)
    const real = await attempt(() => this.#pool.query({ ...sent, values: [...sent.values] }))
    const expected = await attempt(() => this.#model.execute(sent, terms))
    this.#compareAnswers(sent, answerOf(sent, real), answerOf(sent, expected))
    await this.#compareBooks(sent)
    if ('error' in real) throw real.error
    return { rows: real.result.rows }
  }

  async addWallet(wallet: NewWallet): Promise<void> {
    this.#model.addWallet(wallet)
    await this.#pool.query(insertWallet, [
      wallet.id,
      wallet.ownerKind,
      wallet.ownerId,
      wallet.creditLine.toString(),
      wallet.expired.toString(),
    ])
    if (wallet.customerId === null) return
    await this.#pool.query(
      'INSERT INTO end_customers (id, wallet_id, external_id, is_prepaid) VALUES ($1::uuid, $2, $1::text, true)',
      [wallet.customerId, wallet.id],
    )
  }

  async credit(credit: { id: string; walletId: string; amount: bigint }): Promise<void> {
    this.#model.credit(credit)
    this.#unsynced = []
    const transfers = grantTransfers(nanoUsd(credit.amount))
    await creditWallet(this.#pool, { id: credit.id, walletId: credit.walletId, transfers, note: null })
  }

  async move(move: BalanceMove): Promise<void> {
    this.#model.move(move)
    this.#unsynced = []
    await this.#pool.query('SELECT move_customer_balance($1, $2, $3, $4)', [
      move.id,
      move.walletId,
      move.customerId,
      move.amount.toString(),
    ])
  }

  async crash(random: Random): Promise<void> {
    const found = this.#unsynced[random.integer(0, this.#unsynced.length)]
    this.#unsynced = []
    if (found === undefined) return
    await restoreTables(this.#pool, found.tables)
    this.books.restore(found.model)
  }

  /** The findings of the platform's own audit, which also checks sums that the model does not keep. */
  async audit(nowMs: number): Promise<string[]> {
    await setVirtualTime(this.#pool, nowMs)
    const found = await auditLedger(this.#pool, { overdueMs: 0 })
    return found.map(
      ({ what, subject, expected, found: seen }) => `audit: ${what}: ${subject} ${expected}, found ${seen}`,
    )
  }

  #compareAnswers(sent: SentStatement, real: string, expected: string): void {
    if (real !== expected) this.#onDifference(`${sent.name} answered ${real}, the model ${expected}`)
  }

  async #compareBooks(sent: SentStatement): Promise<void> {
    const real = linesOf(await readBooks(this.#pool))
    const expected = linesOf(this.books)
    const missing = expected.filter((line) => !real.includes(line))
    const surplus = real.filter((line) => !expected.includes(line))
    if (missing.length + surplus.length === 0 && real.length === expected.length) return
    this.#onDifference(`after ${sent.name} Postgres has [${surplus.join('; ')}], the model [${missing.join('; ')}]`)
  }
}

type Attempt = { result: Result } | { error: unknown }

async function attempt(run: () => Result | Promise<Result>): Promise<Attempt> {
  try {
    return { result: await run() }
  } catch (error) {
    return { error }
  }
}

/** In a batch only the granted holds must agree: which of several short scopes is named depends on the order. */
function answerOf(sent: SentStatement, outcome: Attempt): string {
  if ('error' in outcome) return `error ${errorCode(outcome.error)}`
  const { rows } = outcome.result
  const isBatch = sent.name === 'place-holds' && rows.length > 1
  const lines = rows.map((row) =>
    isBatch ? `${String(row['hold_id'])} ${String(row['granted_nano'])}` : JSON.stringify(row),
  )
  return lines.sort().join(', ')
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
