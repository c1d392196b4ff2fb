import type { Principal } from '#domain/access/principal.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { KeyTerms } from '#ports/keys.ts'
import { findPrincipals } from '#store/postgres/identity/principals.sql.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'

/** A gateway with accounts whose holds and settlements a test writes directly, without the pipeline. */
export interface AccountWorld extends TestGateway {
  newCaller(funds: string, terms?: Partial<KeyTerms>): Promise<Principal>
  hold(caller: Principal, amount: string, nowMs: number): Promise<string>
  settle(caller: Principal, change: Partial<GenerationRecord>): Promise<GenerationRecord>
  /** Sends a GET request with this client's key. */
  get(path: string, caller: Principal): Promise<Reply>
}

export async function createAccountWorld(): Promise<AccountWorld> {
  const gateway = await startTestGateway()
  const { pool } = gateway
  const secrets = new Map<string, string>()
  return {
    ...gateway,
    async newCaller(funds, terms = {}) {
      const { keyId, key } = await gateway.createClient({ usd: funds, terms })
      secrets.set(keyId, key)
      const { rows } = await pool.query<{ hash: string }>(
        `SELECT encode(secret_hash, 'hex') AS hash FROM api_keys WHERE id = $1`,
        [keyId],
      )
      const hash = rows[0]?.hash ?? ''
      const principal = (await findPrincipals(pool, [hash])).get(hash)
      if (principal === undefined) throw new Error('the key just made is not found')
      return principal
    },
    async hold(caller, amount, nowMs) {
      const id = newUuid(nowMs)
      const windows = limitedWindows(caller, nowMs)
      const request = { id, walletId: caller.walletId, keyId: caller.keyId, amount: parseUsd(amount), windows }
      const [verdict] = await placeHolds(pool, [request], { leaseMs: 60_000, isRetry: false })
      if (verdict?.allowed !== true) throw new Error(`the hold was refused: ${JSON.stringify(verdict, showBigints)}`)
      return id
    },
    async settle(caller, change) {
      const record = { ...finishedRecord(caller, change.startedAtMs ?? Date.now()), ...change }
      await settleGenerations(pool, [{ record, windows: limitedWindows(caller, record.startedAtMs) }])
      return record
    },
    get: (path, caller) => gateway.as(secrets.get(caller.keyId)).get(path),
  }
}

/** A successful request that cost nothing. */
export function finishedRecord(caller: Principal, startedAtMs: number): GenerationRecord {
  return {
    id: newUuid(startedAtMs),
    walletId: caller.walletId,
    keyId: caller.keyId,
    userId: caller.userId,
    organizationId: null,
    memberId: null,
    teamId: null,
    sessionId: null,
    appName: null,
    endpoint: 'chat',
    model: 'acme/model-1',
    provider: 'acme',
    upstreamModel: 'model-1',
    upstreamStatus: 200,
    finishReason: 'stop',
    nativeFinishReason: 'stop',
    streamed: false,
    cancelled: false,
    isByok: false,
    isFailover: false,
    startedAtMs,
    firstTokenMs: null,
    durationMs: 1_000,
    usage: noUsage,
    held: zeroUsd,
    cost: zeroUsd,
    cacheDiscount: zeroUsd,
    priceId: null,
    refundReason: null,
    attempts: [],
    routing: null,
  }
}

function showBigints(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
