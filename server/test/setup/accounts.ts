import type { Pool } from 'pg'
import { createKey } from '#control/keys/create-key.ts'
import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { addRoute } from '#control/operators/add-route.ts'
import { createUser } from '#control/operators/create-user.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import type { KeyTerms } from '#ports/key-book.ts'
import { vendors } from '#providers/registry.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'

export interface TestCaller {
  userId: string
  walletId: string
  keyId: string
  /** The key's secret. */
  key: string
}

/** What an operator would do before the first call, as functions. */
export interface TestAccounts {
  createCaller(options?: { usd?: string; terms?: Partial<KeyTerms> }): Promise<TestCaller>
  addKey(userId: string, terms?: Partial<KeyTerms>): Promise<{ keyId: string; key: string }>
  credit(walletId: string, usd: string): Promise<void>
  /** Adds a provider account that points at a simulator, and a route when a pattern is given. */
  addProvider(input: {
    vendor: string
    url: string
    pattern?: string
    name?: string
    priority?: number
    upstreamModel?: string
  }): Promise<void>
  walletOf(walletId: string): Promise<{ balance: string; held: string; charged: string }>
}

let users = 0

const announce = async (): Promise<void> => {}
const usd = (nano: string): string => formatUsd(nanoUsd(BigInt(nano)))

export function createAccounts(pool: Pool, options: { secret: string; refresh: () => Promise<void> }): TestAccounts {
  const stores = createPostgresOperators(pool)

  async function addKey(userId: string, terms: Partial<KeyTerms> = {}): Promise<{ keyId: string; key: string }> {
    const full: KeyTerms = {
      name: 'test',
      type: 'standard',
      limit: null,
      period: null,
      expiresAtMs: null,
      allowedCidrs: [],
      ...terms,
    }
    const made = await createKey(stores.keys, { userId, terms: full }, Date.now())
    return { keyId: made.id, key: made.secret }
  }

  async function credit(walletId: string, usd: string): Promise<void> {
    const amount = parseUsd(usd)
    await creditWallet(
      { wallets: stores.wallets, announce },
      { reference: walletId, amount, source: 'grant', note: null },
      Date.now(),
    )
  }

  return {
    addKey,
    credit,
    createCaller: async ({ usd = '25', terms = {} } = {}) => {
      users += 1
      const email = `user${users}.${process.pid}@example.com`
      const user = await createUser(stores.users, { email, name: 'Test' }, Date.now())
      if (parseUsd(usd) > 0n) await credit(user.walletId, usd)
      const key = await addKey(user.id, terms)
      return { userId: user.id, walletId: user.walletId, ...key }
    },
    addProvider: async ({ vendor, url, pattern, name = vendor, priority = 0, upstreamModel }) => {
      const terms = Object.values(vendors).map((spec) => ({
        slug: spec.slug,
        baseUrl: spec.baseUrl,
        needsCredential: spec.authentication.kind !== 'optional-bearer',
      }))
      const sealingKey = sealingKeyFrom(options.secret)
      await addProviderAccount(
        { operators: stores.operators, sealingKey, vendors: terms },
        { vendor, name, baseUrl: url, credential: 'upstream-secret' },
        Date.now(),
      )
      if (pattern !== undefined) {
        const route = { pattern, accountName: name, priority, upstreamModel: upstreamModel ?? null }
        await addRoute(stores.operators, route, Date.now())
      }
      await options.refresh()
    },
    walletOf: async (walletId) => {
      const { rows } = await pool.query<{ balance_nano: string; held_nano: string; charged_nano: string }>(
        'SELECT balance_nano, held_nano, charged_nano FROM wallets WHERE id = $1',
        [walletId],
      )
      const [row] = rows
      if (row === undefined) throw new Error(`no wallet ${walletId}`)
      return { balance: usd(row.balance_nano), held: usd(row.held_nano), charged: usd(row.charged_nano) }
    },
  }
}
