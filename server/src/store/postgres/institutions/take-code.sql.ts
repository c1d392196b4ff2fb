import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `DELETE FROM institution_codes
  WHERE subject = $1 AND code_hmac = $2 AND key_id IS NOT NULL AND expires_at > now() RETURNING key_id`

/** Whoever deletes a code has it; everybody else comes too late. */
export async function takeCode(
  client: PoolClient,
  { subject, codeHmac }: { subject: Buffer; codeHmac: Buffer },
): Promise<Uuid | null> {
  const { rows } = await client.query<{ key_id: string }>(text, [subject, codeHmac])
  return rows[0]?.key_id ?? null
}
