import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { isDataFault } from '#store/postgres/faults.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { createPostgresMoney, type MoneyQueues, settleDistinct } from '#store/postgres/money/postgres-money.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createPools } from '#store/postgres/pools.ts'
import { createSettleSpool } from '#store/spool/settle-spool.ts'
import type { MoneyMessage, MoneyOrder, MoneyReport, Payer } from './money-load.ts'
import { holdRequest, settleOf } from './one-pair.ts'

/** Holds and settles like a gateway, and does nothing else. It takes orders from its parent, one at a time. */
const leaseMs = 60_000
const pools = createPools({ url: process.env['WEIR_POSTGRES_URL'] ?? '', poolMax: 2, onError: () => {} })
let spooled = 0
let statements = 0
countStatements(pools.holds)
const money = openQueues()

process.on('message', (order: MoneyOrder) => {
  carryOut(order).then(
    (report) => tell({ kind: 'done', report }),
    (error: unknown) => tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  )
})
tell({ kind: 'ready' })

function tell(message: MoneyMessage): void {
  process.send?.(message)
}

async function carryOut({ payers, ms, way }: MoneyOrder): Promise<MoneyReport> {
  const startedAtMs = performance.now()
  const isOver = (): boolean => performance.now() - startedAtMs >= ms
  const next = inTurn(payers)
  statements = 0
  spooled = 0
  const counts =
    way.kind === 'port'
      ? await Promise.all(Array.from({ length: way.underWay }, () => callAgainAndAgain(next, isOver)))
      : [await sendBatches(next, way.batch, isOver)]
  const pairs = counts.reduce((sum, count) => sum + count, 0)
  return { pairs, ms: performance.now() - startedAtMs, batch: pairs / Math.max(1, statements), spooled }
}

async function callAgainAndAgain(next: () => Payer, isOver: () => boolean): Promise<number> {
  let pairs = 0
  while (!isOver()) {
    const payer = next()
    const request = holdRequest(payer)
    const verdict = await money.hold(request)
    if (!verdict.allowed) throw new Error(`refused by ${verdict.scope}`)
    await money.settle(settleOf(payer, request.id))
    pairs += 1
  }
  return pairs
}

async function sendBatches(next: () => Payer, batch: number, isOver: () => boolean): Promise<number> {
  let pairs = 0
  while (!isOver()) {
    const payers = Array.from({ length: batch }, next)
    const requests = payers.map(holdRequest)
    const verdicts = await placeHolds(pools.holds, requests, { leaseMs, isRetry: false })
    if (verdicts.some(({ allowed }) => !allowed)) throw new Error('a hold was refused')
    await settleGenerations(
      pools.settles,
      payers.map((payer, position) => settleOf(payer, requests[position]?.id ?? '')),
    )
    pairs += batch
  }
  return pairs
}

function inTurn(payers: readonly Payer[]): () => Payer {
  // Processes start at different offsets, or all would request the same rows at the same time.
  let turn = Math.floor(Math.random() * payers.length)
  return () => {
    turn += 1
    const payer = payers[turn % payers.length]
    if (payer === undefined) throw new Error('nobody pays')
    return payer
  }
}

function countStatements(pool: Pool): void {
  pool.on('acquire', () => {
    statements += 1
  })
}

function openQueues(): MoneyQueues {
  const spool = createSettleSpool({
    folder: mkdtempSync(join(process.env['WEIR_DATA_DIR'] ?? tmpdir(), 'spool-')),
    settle: (entries) => settleDistinct(pools.settles, entries),
    isFinal: isDataFault,
    onRejected: () => {},
  })
  return createPostgresMoney({
    holdPool: pools.holds,
    settlePool: pools.settles,
    spool,
    leaseMs,
    holdDeadlineMs: 5_000,
    settleDeadlineMs: 5_000,
    onSpooled: () => {
      spooled += 1
    },
  })
}
