import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { OrganizationDomain } from '#ports/sign-on.ts'
import { isDuplicate } from '../faults.ts'

interface Row {
  id: string
  domain: string
  token: string
  verified_at: Date | null
  created_at: Date
}

/** The oldest first. */
export async function listDomains(connection: Pool | PoolClient, organizationId: Uuid): Promise<OrganizationDomain[]> {
  const text = `SELECT id, domain, token, verified_at, created_at FROM organization_domains
    WHERE organization_id = $1 ORDER BY id`
  const { rows } = await connection.query<Row>(text, [organizationId])
  return rows.map((row) => ({
    id: row.id,
    domain: row.domain,
    token: row.token,
    verifiedAtMs: row.verified_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  }))
}

export async function findDomainOwner(connection: Pool | PoolClient, domain: string): Promise<Uuid | null> {
  const text = 'SELECT organization_id FROM organization_domains WHERE domain = $1 AND verified_at IS NOT NULL'
  const statement = { name: 'find-domain-owner', text, values: [domain] }
  const { rows } = await connection.query<{ organization_id: string }>(statement)
  return rows[0]?.organization_id ?? null
}

export async function insertDomain(
  client: PoolClient,
  organizationId: Uuid,
  { id, domain, token }: Pick<OrganizationDomain, 'id' | 'domain' | 'token'>,
): Promise<void> {
  const text = 'INSERT INTO organization_domains (id, organization_id, domain, token) VALUES ($1, $2, $3, $4)'
  await client.query(text, [id, organizationId, domain, token])
}

/** Returns false if another organization has verified the domain. */
export async function verifyDomain(client: PoolClient, which: { organizationId: Uuid; id: Uuid }): Promise<boolean> {
  const text = `UPDATE organization_domains SET verified_at = coalesce(verified_at, now())
    WHERE organization_id = $1 AND id = $2`
  await client.query('SAVEPOINT verifying')
  try {
    await client.query(text, [which.organizationId, which.id])
    return true
  } catch (error) {
    if (!isDuplicate(error)) throw error
    await client.query('ROLLBACK TO SAVEPOINT verifying')
    return false
  }
}

export async function deleteDomain(client: PoolClient, which: { organizationId: Uuid; id: Uuid }): Promise<void> {
  const text = 'DELETE FROM organization_domains WHERE organization_id = $1 AND id = $2'
  await client.query(text, [which.organizationId, which.id])
}
