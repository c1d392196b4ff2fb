import { expect } from 'vitest'
import type { Outside } from '#bin/wiring/outside.ts'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** A gateway with one simulated OpenAI upstream, and checks of the ledger. */
export interface MoneyWorld extends TestGateway {
  upstream: Simulator
  call(caller: { key: string }, body: JsonObject): Promise<Reply>
  get(caller: { key: string }, path: string): Promise<JsonObject>
  /** Resolves when no hold is open. */
  settled(): Promise<void>
  /** Nothing is held, nothing was charged, and the ledger agrees. */
  expectRefunded(caller: TestClient, reason?: string): Promise<void>
  /** The ledger is consistent, and nothing is held. */
  expectSoundBooks(): Promise<void>
  /** The record of the client's last request. */
  lastRecord(caller: TestClient): Promise<RecordRow>
}

interface RecordRow {
  id: string
  refund_reason: string | null
  cost_nano: string
  held_nano: string
  cancelled: boolean
  is_failover: boolean
  upstream_status: number | null
  provider: string | null
  attempts: { provider: string; outcome: string }[]
}

export async function startMoneyWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<MoneyWorld> {
  const upstream = await startSimulator()
  // The circuit breaker must not carry a fault over to the next test.
  const gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000', ...environment }, outside)
  await gateway.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: '*' })

  async function settled(): Promise<void> {
    await expect.poll(() => openHolds(), { interval: 10 }).toBe(0)
  }

  async function openHolds(): Promise<number> {
    const { rows } = await gateway.pool.query<{ open: number }>('SELECT count(*)::integer AS open FROM holds')
    return rows[0]?.open ?? -1
  }

  async function expectSoundBooks(): Promise<void> {
    await settled()
    expect(await auditLedger(gateway.pool, { overdueMs: 0 })).toEqual([])
    const { rows } = await gateway.pool.query('SELECT id FROM wallets WHERE held_nano <> customers_nano')
    expect(rows).toEqual([])
  }

  async function lastRecord(caller: TestClient): Promise<RecordRow> {
    const find = async (): Promise<RecordRow | undefined> => {
      const { rows } = await gateway.pool.query<RecordRow>(
        'SELECT * FROM generations WHERE wallet_id = $1 ORDER BY id DESC LIMIT 1',
        [caller.walletId],
      )
      return rows[0]
    }
    await expect.poll(find, { interval: 10 }).toBeDefined()
    const row = await find()
    if (row === undefined) throw new Error('no record')
    return row
  }

  return {
    ...gateway,
    upstream,
    call: (caller, body) => callChat(gateway.as(caller), body),
    get: async (caller, path) => {
      const { json } = await gateway.as(caller).get(path)
      return isJsonObject(json.data) ? json.data : json
    },
    settled,
    expectSoundBooks,
    expectRefunded: async (caller, reason) => {
      await expectSoundBooks()
      expect(await gateway.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
      const record = await lastRecord(caller)
      expect(record.cost_nano).toBe('0')
      if (reason !== undefined) expect(record.refund_reason).toBe(reason)
    },
    lastRecord,
    close: async () => {
      await upstream.close()
      await gateway.close()
    },
  }
}

/** The usage of a response, streamed or not. */
export function usageOf(reply: Reply): JsonObject {
  const holder = reply.chunks.findLast((chunk) => isJsonObject(chunk.usage)) ?? reply.json
  const { usage } = holder
  if (!isJsonObject(usage)) throw new Error(`no usage: ${reply.text}`)
  return usage
}

/** The cost as written, because a float might hide a digit. */
export function costTextOf(reply: Reply): string {
  const found = /"cost":(-?[0-9.eE+-]+)/.exec(reply.text)?.[1]
  if (found === undefined) throw new Error(`no cost: ${reply.text}`)
  return found
}

/** Subtracts amounts of USD exactly: `'25' minus '0.1'`. */
export function minus(one: string, ...others: readonly string[]): string {
  return formatUsd(nanoUsd(others.reduce((rest, other) => rest - parseUsd(other), parseUsd(one) as bigint)))
}
