import type { Pool, PoolClient } from 'pg'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OperatorChange, OperatorPeople, OperatorPerson } from '#ports/operator-people.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { deleteOperator, findRole, hasOtherOwner, lockOperators } from '../people/operator-roles.sql.ts'
import { inTransaction } from '../with-client.ts'

/** Operators in Postgres. Changes follow one another, so that two owners can't remove each other at the same time. */
export function createOperatorPeople(pool: Pool): OperatorPeople {
  return {
    list: () => refuseWhenAway(listOperators(pool)),
    add: (operator, entry) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const isAdded = await insertOperator(client, operator)
          if (isAdded) await appendAudit(client, [entry], Date.now())
          return isAdded
        }),
      ),
    changeRole: ({ userId, role }, describe) =>
      refuseWhenAway(
        changeOperator(pool, { userId, role, describe, write: (client) => updateRole(client, userId, role) }),
      ),
    remove: (userId, describe) =>
      refuseWhenAway(
        changeOperator(pool, { userId, role: null, describe, write: (client) => deleteOperator(client, userId) }),
      ),
  }
}

interface Change {
  readonly userId: Uuid
  /** Null for a removal. */
  readonly role: OperatorRole | null
  readonly describe: (before: OperatorRole) => AuditEntry
  readonly write: (client: PoolClient) => Promise<void>
}

function changeOperator(pool: Pool, { userId, role, describe, write }: Change): Promise<OperatorChange> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    await lockOperators(client)
    const before = await findRole(client, userId)
    if (before === null) return 'missing'
    if (before === role) return 'done'
    if (before === 'owner' && !(await hasOtherOwner(client, userId))) return 'last owner'
    await write(client)
    await appendAudit(client, [describe(before)], Date.now())
    return 'done'
  })
}

interface Row {
  user_id: string
  email: string
  name: string
  role: OperatorRole
  suspended: boolean
  has_second_factor: boolean
  added_at: Date
}

async function listOperators(pool: Pool): Promise<OperatorPerson[]> {
  const text = `SELECT o.user_id, u.email, u.name, o.role, u.suspended_at IS NOT NULL AS suspended, o.added_at,
      coalesce(a.two_factor_enabled, false) OR EXISTS (SELECT FROM auth_passkeys p WHERE p.user_id = o.user_id)
        AS has_second_factor
    FROM operators o JOIN users u ON u.id = o.user_id LEFT JOIN auth_users a ON a.id = o.user_id
    ORDER BY lower(u.email)`
  const { rows } = await pool.query<Row>(text)
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    suspended: row.suspended,
    hasSecondFactor: row.has_second_factor,
    addedAtMs: row.added_at.getTime(),
  }))
}

async function insertOperator(client: PoolClient, { userId, role }: { userId: Uuid; role: OperatorRole }) {
  const text = 'INSERT INTO operators (user_id, role) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING'
  const { rowCount } = await client.query(text, [userId, role])
  return rowCount === 1
}

async function updateRole(client: PoolClient, userId: Uuid, role: OperatorRole): Promise<void> {
  await client.query('UPDATE operators SET role = $2 WHERE user_id = $1', [userId, role])
}
