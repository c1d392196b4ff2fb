import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { DescribeBreakerChange, PersonalBreaker } from '#ports/users.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockPersonalBreaker } from './lock-personal-breaker.sql.ts'
import { updatePersonalBreaker } from './update-personal-breaker.sql.ts'

/** Changes the breaker and tells the audit log, both or neither. Null: no such person. */
export function changePersonalBreaker(
  pool: Pool,
  { userId, change, describe }: { userId: Uuid; change: Partial<PersonalBreaker>; describe: DescribeBreakerChange },
): Promise<PersonalBreaker | null> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const before = await lockPersonalBreaker(client, userId)
    if (before === null) return null
    const after = { ...before, ...change }
    await updatePersonalBreaker(client, userId, after)
    await appendAudit(client, [describe(before, after)], Date.now())
    return after
  })
}
