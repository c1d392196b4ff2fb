import type { SecondFactorRow } from '#store/postgres/people/second-factors.sql.ts'

/** Null where the key does not open it. */
export async function openSecondFactor(
  row: SecondFactorRow,
  key: string,
): Promise<{ secret: string; backupCodes: string } | null> {
  // Loaded only here: where there are no second factors, there is nothing to open.
  const { symmetricDecrypt } = await import('better-auth/crypto')
  try {
    const secret = await symmetricDecrypt({ key, data: row.secret })
    return { secret, backupCodes: await symmetricDecrypt({ key, data: row.backupCodes }) }
  } catch {
    return null
  }
}
