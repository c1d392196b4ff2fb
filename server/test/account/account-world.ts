import { accountEndpoints } from '#http/account/account-endpoints.ts'
import { createKey } from '#control/keys/create-key.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { createUser } from '#control/operators/create-user.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import type { Principal } from '#domain/access/principal.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { limitedWindows } from '#domain/limits/scopes.ts'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { KeyTerms } from '#ports/key-book.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { findPrincipals } from '#store/postgres/identity/find-principal.sql.ts'
import { placeHolds } from '#store/postgres/money/place-holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

/** Accounts on a database of their own: callers, calls of theirs that are already settled, and what the endpoints say. */
export interface AccountWorld {
  database: TestDatabase
  newCaller(funds: string, terms?: Partial<KeyTerms>): Promise<Principal>
  hold(caller: Principal, amount: string, nowMs: number): Promise<string>
  settle(caller: Principal, change: Partial<GenerationRecord>): Promise<GenerationRecord>
  /** The `data` of a GET, as a client would parse it. */
  get(path: string, caller: Principal, options?: GetOptions): Promise<JsonObject>
  /** The body's text. */
  getText(path: string, caller: Principal, options?: GetOptions): Promise<string>
}

export interface GetOptions {
  query?: Record<string, string>
  nowMs?: number
}

export async function createAccountWorld(): Promise<AccountWorld> {
  const database = await createTestDatabase()
  const { pool } = database
  const { users, keys, wallets } = createPostgresOperators(pool)
  const endpoints = accountEndpoints({ ...createPostgresAccount(pool), memberships: createMemberships(pool) })
  let callers = 0

  async function getText(path: string, caller: Principal, options: GetOptions = {}): Promise<string> {
    const endpoint = endpoints.find(({ paths }) => paths.includes(path))
    if (endpoint === undefined) throw new Error(`no endpoint at ${path}`)
    const { query = {}, nowMs = Date.now() } = options
    const request = {
      params: {},
      query,
      body: {},
      headers: {},
      requestId: 'test',
      nowMs,
      clientIp: null,
      caller: { kind: 'key', principal: caller },
      organization: null,
    } as const
    return JSON.stringify((await endpoint.handle(request)).body)
  }

  return {
    database,
    async newCaller(funds, terms = {}) {
      callers += 1
      const email = `caller-${callers}@weir.test`
      const user = await createUser(users, { email, name: '' }, Date.now())
      if (funds !== '0') {
        const credit = { reference: user.walletId, amount: parseUsd(funds), source: 'usd', note: null } as const
        await creditWallet({ wallets, announce }, credit, operatorAuthor(Date.now()))
      }
      const owner = { kind: 'user', userId: user.id } as const
      const author = operatorAuthor(Date.now())
      await createKey(keys, { owner, terms: { ...plainTerms, ...terms }, author })
      const { rows } = await pool.query<{ hash: string }>(
        `SELECT encode(secret_hash, 'hex') AS hash FROM api_keys WHERE user_id = $1`,
        [user.id],
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
    getText,
    get: async (path, caller, options) => dataOf(await getText(path, caller, options)),
  }
}

function dataOf(text: string): JsonObject {
  const body: unknown = JSON.parse(text)
  const data = isJsonObject(body) ? body['data'] : undefined
  if (!isJsonObject(data)) throw new Error('the answer has no data')
  return data
}

// Nobody caches anything here.
const announce = async () => {}

const plainTerms: KeyTerms = {
  name: 'test key',
  type: 'standard',
  limit: null,
  period: null,
  expiresAtMs: null,
  allowedCidrs: [],
}

/** A call that ended well and cost nothing. */
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
