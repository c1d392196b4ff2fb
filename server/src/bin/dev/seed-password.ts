import { randomBytes } from 'node:crypto'
import { verifyPassword } from 'better-auth/crypto'
import type { Config } from '#config/config-schema.ts'
import { operatorActor, platformChain } from '#domain/audit/audit-entry.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import { findPassword } from '#store/postgres/people/people.sql.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'

/** Reuses the password of an earlier start if it still works, else sets a new one. */
export async function seedPassword(config: Config, email: string, known: string | undefined): Promise<string> {
  const pool = createPool({ connectionString: config.postgres.url, max: 1, onError: () => {} })
  try {
    const found = await findPassword(pool, email)
    if (found === null) throw new Error(`user ${email} not found, so no password can be set`)
    const { userId, passwordHash: hash } = found
    if (known !== undefined && hash !== null && (await verifyPassword({ hash, password: known }))) return known
    const password = known ?? randomBytes(15).toString('base64url')
    await createPersonAccounts(pool, Date.now).setPassword(
      userId,
      { password, dropSecondFactor: false },
      {
        chainId: platformChain,
        actor: operatorActor,
        requestId: null,
        action: 'user.password.set',
        target: { kind: 'user', id: userId },
      },
    )
    return password
  } finally {
    await pool.end()
  }
}
