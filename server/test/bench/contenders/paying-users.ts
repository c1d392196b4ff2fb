import { Pool } from 'pg'
import { createKey } from '#control/keys/create-key.ts'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'

/**
 * Creates users with credit and a key each; returns the keys' secrets. Starting the command line hundreds of times
 * would take longer than the bench.
 */
export async function createPayingUsers(postgresUrl: string, count: number): Promise<string[]> {
  const pool = new Pool({ connectionString: postgresUrl, max: 4 })
  try {
    const { keys, users, wallets } = createPostgresOperators(pool)
    const secrets: string[] = []
    for (let index = 0; index < count; index += 1) {
      const nowMs = Date.now()
      const user = await createUser(users, { email: `bench-${index}@example.com`, name: 'Bench' }, nowMs)
      const credit = { reference: user.walletId, amount: parseUsd('100000'), source: 'grant', note: null } as const
      await creditWallet({ wallets, announce: async () => {} }, credit, operatorAuthor(nowMs))
      const terms = {
        name: 'bench',
        type: 'standard',
        limit: null,
        period: null,
        expiresAtMs: null,
        allowedCidrs: [],
      } as const
      const owner = { kind: 'user', userId: user.id } as const
      const key = await createKey(keys, { owner, terms, author: operatorAuthor(nowMs) })
      secrets.push(key.secret)
    }
    return secrets
  } finally {
    await pool.end()
  }
}
