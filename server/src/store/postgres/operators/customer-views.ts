import type { Pool, PoolClient } from 'pg'
import type { Person } from '#domain/access/client.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerViews, NewCustomerView, StoredCustomerView } from '#ports/customer-views.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

export function createCustomerViews(pool: Pool): CustomerViews {
  return {
    findOpen: (view) => refuseWhenAway(findOpen(pool, view)),
    begin: (view, describe) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          if (!(await lockSession(client, view.sessionId))) return false
          const replaced = await deleteView(client, { sessionId: view.sessionId, viewId: null })
          const organizationIds = await listOrganizations(client, view.userId)
          await insertView(client, view, organizationIds)
          await appendAudit(client, describe(organizationIds, replaced), view.begunAtMs)
          return true
        }),
      ),
    end: (view, describe) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const ended = await deleteView(client, view)
          if (ended !== null) await appendAudit(client, describe(ended), Date.now())
        }),
      ),
  }
}

interface PersonRow {
  id: string
  email: string
  name: string
  suspended: boolean
  wallet_id: string
}

async function findOpen(
  pool: Pool,
  { viewId, sessionId, nowMs }: { viewId: Uuid; sessionId: Uuid; nowMs: number },
): Promise<Person | null> {
  const text = `SELECT u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id
    FROM customer_views v JOIN users u ON u.id = v.user_id
    JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id
    WHERE v.session_id = $1 AND v.id = $2 AND v.ends_at > $3
      AND NOT EXISTS (SELECT FROM operators o WHERE o.user_id = u.id)
      AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.suspended_at IS NULL
        AND NOT m.organization_id = ANY (v.organization_ids))`
  const values = [sessionId, viewId, new Date(nowMs)]
  const { rows } = await pool.query<PersonRow>({ name: 'find-open-view', text, values })
  const [row] = rows
  if (row === undefined) return null
  return { userId: row.id, email: row.email, name: row.name, walletId: row.wallet_id, suspended: row.suspended }
}

/** Views of one session follow one another. Returns false if the session has ended. */
async function lockSession(client: PoolClient, sessionId: Uuid): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM auth_sessions WHERE id = $1 FOR UPDATE', [sessionId])
  return rowCount === 1
}

/** Null for the id means any view. */
async function deleteView(
  client: PoolClient,
  { sessionId, viewId }: { sessionId: Uuid; viewId: Uuid | null },
): Promise<StoredCustomerView | null> {
  const text = `DELETE FROM customer_views WHERE session_id = $1 AND ($2::uuid IS NULL OR id = $2)
    RETURNING id, user_id, ends_at, organization_ids`
  const { rows } = await client.query<{ id: string; user_id: string; ends_at: Date; organization_ids: string[] }>(
    text,
    [sessionId, viewId],
  )
  const [row] = rows
  if (row === undefined) return null
  const { id, user_id: userId, organization_ids: organizationIds } = row
  return { id, userId, organizationIds, endsAtMs: row.ends_at.getTime() }
}

async function listOrganizations(client: PoolClient, userId: Uuid): Promise<Uuid[]> {
  const text = `SELECT organization_id FROM members WHERE user_id = $1 AND suspended_at IS NULL
    ORDER BY organization_id`
  const { rows } = await client.query<{ organization_id: string }>(text, [userId])
  return rows.map((row) => row.organization_id)
}

async function insertView(client: PoolClient, view: NewCustomerView, organizationIds: readonly Uuid[]): Promise<void> {
  const text = `INSERT INTO customer_views (session_id, id, user_id, organization_ids, begun_at, ends_at)
    VALUES ($1, $2, $3, $4, $5, $6)`
  const times = [new Date(view.begunAtMs), new Date(view.endsAtMs)]
  await client.query(text, [view.sessionId, view.id, view.userId, organizationIds, ...times])
}
