import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerKind, ObjectName } from '#ports/customers.ts'

interface Row {
  id: string
  name: string | null
  owner_kind: CustomerKind | null
  owner_id: string | null
  owner_name: string | null
}

/** The objects on a page of the audit log. */
export async function nameObjects(pool: Pool, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, ObjectName>> {
  if (ids.length === 0) return new Map()
  const text = `SELECT object.*,
      coalesce(o.name, CASE WHEN u.email NOT LIKE 'deleted:%' THEN u.email END) AS owner_name
    FROM (
      SELECT id, NULL AS name, 'user' AS owner_kind, id AS owner_id FROM users WHERE id = ANY ($1::uuid[])
      UNION ALL SELECT id, NULL, 'organization', id FROM organizations WHERE id = ANY ($1)
      UNION ALL SELECT id, NULL, owner_kind, owner_id FROM wallets WHERE id = ANY ($1)
      UNION ALL SELECT k.id, k.name, w.owner_kind, w.owner_id
        FROM api_keys k JOIN wallets w ON w.id = k.wallet_id WHERE k.id = ANY ($1)
      UNION ALL SELECT m.id, member.email, 'organization', m.organization_id
        FROM members m JOIN users member ON member.id = m.user_id WHERE m.id = ANY ($1)
      UNION ALL SELECT id, name, 'organization', organization_id FROM teams WHERE id = ANY ($1)
      UNION ALL SELECT id, name, NULL, NULL FROM provider_accounts WHERE id = ANY ($1)
    ) AS object
      LEFT JOIN organizations o ON object.owner_kind = 'organization' AND o.id = object.owner_id
      LEFT JOIN users u ON object.owner_kind = 'user' AND u.id = object.owner_id`
  const { rows } = await pool.query<Row>({ name: 'name-objects', text, values: [[...new Set(ids)]] })
  return new Map(rows.map((row) => [row.id, objectName(row)]))
}

function objectName({ name, owner_kind: kind, owner_id: id, owner_name: owner }: Row): ObjectName {
  return { name, customer: kind === null || id === null ? null : { kind, id, name: owner } }
}
