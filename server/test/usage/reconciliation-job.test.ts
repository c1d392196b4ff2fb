import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wireReconciliation } from '#bin/wiring/reconciliation-worker.ts'
import { parseConfig } from '#config/parse-config.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { reconcile } from '#jobs/worker-parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { runParts } from '#test/setup/run-parts.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

describe('the reconciliation of a worker', () => {
  let world: UsageWorld
  beforeAll(async () => {
    world = await createUsageWorld()
  })
  afterAll(() => world.database.drop())

  /** The first log line of a worker. */
  async function firstLine(): Promise<JsonObject> {
    const lines = new PassThrough()
    const config = parseConfig({ env: { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: world.database.url } })
    const logger = pino(lines)
    const books = wireReconciliation({ config, logger })
    const worker = runParts([
      { name: 'reconciliation', everyMs: 3_600_000, run: () => reconcile(books, logger), end: books.close },
    ])
    const [chunk]: unknown[] = await once(lines, 'data')
    await worker.stop()
    const line: unknown = JSON.parse(String(chunk))
    if (!isJsonObject(line)) throw new Error('no line')
    return line
  }

  it('says that the books agree, with counts; or else where they do not, as an error', async () => {
    const walletId = await world.newWallet()
    await world.database.pool.query('UPDATE wallets SET balance_nano = 50, credited_nano = 50')
    await world.settle([{ walletId, keyId: newUuid(Date.now()), startedAtMs: Date.now(), cost: nanoUsd(50n) }])
    expect(await firstLine()).toMatchObject({ level: 30, msg: 'ledger reconciliation passed', wallets: 1, pending: 1 })
    await world.rollUpAll()
    await world.database.pool.query('UPDATE wallets SET charged_nano = 49')
    expect(await firstLine()).toMatchObject({
      level: 50,
      msg: 'ledger reconciliation found discrepancies',
      found: 2,
      first: { walletId, expected: expect.any(String), rows: expect.any(Array) },
    })
  })
})
