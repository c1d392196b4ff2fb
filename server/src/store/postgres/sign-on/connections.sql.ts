import type { Pool, PoolClient } from 'pg'
import type { Connection, ConnectionSettings, ConnectionTest } from '#domain/sign-on/connection.ts'
import { parseSealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ConnectionChange, EnabledConnection, NewConnection, OpenConnection } from '#ports/sign-on.ts'

type StoredSettings =
  | Extract<ConnectionSettings, { kind: 'oidc' }>
  | (Omit<Extract<ConnectionSettings, { kind: 'saml' }>, 'subjectAttribute'> & { subjectAttribute?: string | null })

interface Row {
  id: string
  organization_id: string
  name: string
  settings: StoredSettings
  secret: unknown
  enabled: boolean
  enforced: boolean
  last_test: ConnectionTest | null
  tested_at: Date | null
  created_at: Date
}

const columns = `c.id, c.organization_id, c.name, c.settings, c.secret, c.enabled, c.enforced, c.last_test, c.tested_at,
  c.created_at`

function readConnection(row: Row): Connection {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    settings: readSettings(row.settings),
    hasSecret: row.secret !== null,
    enabled: row.enabled,
    enforced: row.enforced,
    lastTest: row.last_test,
    testedAtMs: row.tested_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  }
}

/** Settings from before the subject attribute have none. */
function readSettings(settings: StoredSettings): ConnectionSettings {
  return settings.kind === 'oidc' ? settings : { ...settings, subjectAttribute: settings.subjectAttribute ?? null }
}

/** The oldest first. */
export async function listConnections(connection: Pool | PoolClient, organizationId: Uuid): Promise<Connection[]> {
  const text = `SELECT ${columns} FROM sign_on_connections c WHERE c.organization_id = $1 ORDER BY c.id`
  const { rows } = await connection.query<Row>(text, [organizationId])
  return rows.map(readConnection)
}

export async function findConnection(pool: Pool, id: Uuid): Promise<OpenConnection | null> {
  const text = `SELECT ${columns}, o.name AS organization_name, o.slug, o.suspended_at IS NOT NULL AS suspended
    FROM sign_on_connections c JOIN organizations o ON o.id = c.organization_id WHERE c.id = $1`
  const { rows } = await pool.query<Row & { organization_name: string; slug: string; suspended: boolean }>(text, [id])
  const [row] = rows
  if (row === undefined) return null
  return {
    connection: readConnection(row),
    secret: row.secret === null ? null : parseSealed(row.secret),
    organization: { name: row.organization_name, slug: row.slug, suspended: row.suspended },
  }
}

/** The enabled connection of the organization that has verified the domain. */
export async function findEnabled(pool: Pool, domain: string): Promise<EnabledConnection | null> {
  const text = `SELECT c.id, c.organization_id, o.name, c.enforced FROM organization_domains d
    JOIN organizations o ON o.id = d.organization_id AND o.suspended_at IS NULL
    JOIN sign_on_connections c ON c.organization_id = d.organization_id AND c.enabled
    WHERE d.domain = $1 AND d.verified_at IS NOT NULL`
  const { rows } = await pool.query<Pick<Row, 'id' | 'organization_id' | 'name' | 'enforced'>>({
    name: 'find-enabled-connection',
    text,
    values: [domain],
  })
  const [row] = rows
  if (row === undefined) return null
  return {
    connectionId: row.id,
    organizationId: row.organization_id,
    organizationName: row.name,
    enforced: row.enforced,
  }
}

export async function isAdministrator(
  pool: Pool,
  { organizationId, address }: { organizationId: Uuid; address: string },
): Promise<boolean> {
  const text = `SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND lower(u.email) = lower($2) AND m.role = 'org_admin' AND m.suspended_at IS NULL`
  const { rowCount } = await pool.query(text, [organizationId, address])
  return rowCount === 1
}

export async function insertConnection(
  client: PoolClient,
  organizationId: Uuid,
  { id, name, settings, secret }: NewConnection,
): Promise<void> {
  const text = `INSERT INTO sign_on_connections (id, organization_id, kind, name, settings, secret)
    VALUES ($1, $2, $3, $4, $5, $6)`
  const sealed = secret === null ? null : JSON.stringify(secret)
  await client.query(text, [id, organizationId, settings.kind, name, JSON.stringify(settings), sealed])
}

export async function updateConnection(
  client: PoolClient,
  organizationId: Uuid,
  change: ConnectionChange,
): Promise<void> {
  const text = `UPDATE sign_on_connections SET name = $3, settings = $4, secret = coalesce($5, secret), enabled = $6,
      enforced = $7, last_test = CASE WHEN $8 THEN NULL ELSE last_test END,
      tested_at = CASE WHEN $8 THEN NULL ELSE tested_at END, updated_at = now()
    WHERE organization_id = $1 AND id = $2`
  if (change.forgetsPeople) await client.query('DELETE FROM sign_on_identities WHERE connection_id = $1', [change.id])
  await client.query(text, [
    organizationId,
    change.id,
    change.name,
    JSON.stringify(change.settings),
    change.secret === null ? null : JSON.stringify(change.secret),
    change.enabled,
    change.enforced,
    change.forgetsTests,
  ])
}

/** Also deletes the links between people at the provider and their accounts. */
export async function deleteConnection(client: PoolClient, which: { organizationId: Uuid; id: Uuid }): Promise<void> {
  const text = 'DELETE FROM sign_on_connections WHERE organization_id = $1 AND id = $2'
  await client.query(text, [which.organizationId, which.id])
}

export async function noteTest(pool: Pool, id: Uuid, test: ConnectionTest): Promise<void> {
  const text = `UPDATE sign_on_connections SET last_test = $2,
      tested_at = CASE WHEN $3 THEN to_timestamp($4::double precision / 1000) ELSE tested_at END
    WHERE id = $1`
  await pool.query(text, [id, JSON.stringify(test), test.error === null, test.atMs])
}
