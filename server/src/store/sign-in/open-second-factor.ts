import type { SecondFactorRow } from '#store/postgres/people/second-factors.sql.ts'

/** Returns null if the key does not decrypt the row. */
export async function openSecondFactor(
  row: SecondFactorRow,
  key: string,
): Promise<{ secret: string; backupCodes: string } | null> {
  // Loaded only here, because a deployment without second factors never needs it.
  const { symmetricDecrypt } = await import('better-auth/crypto')
  try {
    const secret = await symmetricDecrypt({ key, data: row.secret })
    return { secret, backupCodes: await symmetricDecrypt({ key, data: row.backupCodes }) }
  } catch {
    return null
  }
}
