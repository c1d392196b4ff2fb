import type { Pool } from 'pg'
import { vendorTerms } from '#bin/vendor-terms.ts'
import { createKey } from '#control/keys/create-key.ts'
import { addProviderAccount } from '#control/operators/add-provider-account.ts'
import { createOperatorKey } from '#control/operators/create-operator-key.ts'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { addRoute } from '#control/operators/routes.ts'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import { grantTransfers } from '#domain/ledger/transfer.ts'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { newUuid } from '#lib/uuid.ts'
import type { KeyTerms } from '#ports/keys.ts'
import type { ProviderAccountTerms } from '#ports/operators.ts'
import { createOperatorKeys } from '#store/postgres/operators/operator-keys.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createTestOrganizations, type TestOrganizations } from './organizations.ts'

export interface TestClient {
  userId: string
  walletId: string
  keyId: string
  /** The key's secret. */
  key: string
}

/** An operator's setup before the first request, as functions. */
export interface TestAccounts extends TestOrganizations {
  createClient(options?: { usd?: string; terms?: Partial<KeyTerms> }): Promise<TestClient>
  addKey(userId: string, terms?: Partial<KeyTerms>): Promise<{ keyId: string; key: string }>
  credit(walletId: string, usd: string): Promise<void>
  addOperatorKey(terms?: { name?: string; role?: OperatorRole }): Promise<{ keyId: string; key: string }>
  /** Makes a user an operator. */
  addOperator(userId: string, role: OperatorRole): Promise<void>
  /** Adds a provider account that points at a simulator, and a route if a pattern is given. */
  addProvider(input: TestProvider): Promise<void>
  walletOf(walletId: string): Promise<{ balance: string; held: string; charged: string }>
}

interface TestProvider extends Partial<ProviderAccountTerms> {
  vendor: string
  url: string
  pattern?: string
  name?: string
  priority?: number
  upstreamModel?: string
  credential?: string
}

let users = 0

const plainTerms: KeyTerms = {
  name: 'test',
  type: 'standard',
  limit: null,
  period: null,
  expiresAtMs: null,
  allowedCidrs: [],
}

const usd = (nano: string): string => formatUsd(nanoUsd(BigInt(nano)))

export function createAccounts(pool: Pool, options: { secret: string; refresh: () => Promise<void> }): TestAccounts {
  const stores = createPostgresOperators(pool)

  async function addKey(userId: string, terms: Partial<KeyTerms> = {}): Promise<{ keyId: string; key: string }> {
    const full: KeyTerms = { ...plainTerms, ...terms }
    const author = operatorAuthor(Date.now())
    const made = await createKey(stores.keys, { owner: { kind: 'user', userId }, terms: full, author })
    return { keyId: made.id, key: made.secret }
  }

  async function credit(walletId: string, usd: string): Promise<void> {
    const transfers = grantTransfers(parseUsd(usd))
    // Directly in the ledger: a test's initial credit is in no audit log.
    await stores.wallets.credit({ id: newUuid(Date.now()), walletId, transfers, note: null })
  }

  async function createTestUser(): Promise<{ id: string; walletId: string; email: string }> {
    users += 1
    const email = `user${users}.${process.pid}@example.com`
    const user = await createUser(stores.users, { email, name: 'Test' }, Date.now())
    return { ...user, email }
  }

  return {
    ...createTestOrganizations(pool, { credit, createUser: createTestUser }),
    addKey,
    credit,
    addOperatorKey: async ({ name = 'on call', role = 'owner' } = {}) => {
      const terms = { name, role, expiresAtMs: null, allowedCidrs: [] }
      const made = await createOperatorKey(createOperatorKeys(pool), terms, operatorAuthor(Date.now()))
      return { keyId: made.id, key: made.secret }
    },
    addOperator: async (userId, role) => {
      await pool.query('INSERT INTO operators (user_id, role) VALUES ($1, $2)', [userId, role])
    },
    createClient: async ({ usd = '25', terms = {} } = {}) => {
      const user = await createTestUser()
      if (parseUsd(usd) > 0n) await credit(user.walletId, usd)
      const key = await addKey(user.id, terms)
      return { userId: user.id, walletId: user.walletId, ...key }
    },
    addProvider: async ({ vendor, url, pattern, name = vendor, priority = 0, upstreamModel, ...rest }) => {
      const { credential = 'upstream-secret', ...accountTerms } = rest
      await addProviderAccount(
        { operators: stores.operators, sealingKey: sealingKeyFrom(options.secret), vendors: vendorTerms },
        { vendor, name, baseUrl: url, credential, ...accountTerms },
        operatorAuthor(Date.now()),
      )
      if (pattern !== undefined) {
        const route = { pattern, accountName: name, priority, upstreamModel: upstreamModel ?? null }
        await addRoute(stores.operators, route, operatorAuthor(Date.now()))
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
