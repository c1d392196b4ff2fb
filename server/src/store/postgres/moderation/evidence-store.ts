import type { Pool, PoolClient } from 'pg'
import { platformChain } from '#domain/audit/audit-entry.ts'
import type { Excerpt } from '#domain/moderation/excerpt.ts'
import { seal, type Sealed, type SealingKey, unseal } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { EvidenceStore, EvidenceListing, EvidenceQuery, NamedEvidence } from '#ports/moderation.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'

/** The text is encrypted with the row's id as associated data, so that it cannot be moved to another row. */
export function createEvidenceStore(pool: Pool, sealingKey: SealingKey): EvidenceStore {
  return {
    keep: async ({ content, ...listing }) =>
      insertEvidence(pool, listing, seal(sealingKey, JSON.stringify(content), evidenceAssociated(listing.id))),
    list: (query) => refuseWhenAway(listEvidence(pool, query)),
    open: (id, viewer, nowMs) => refuseWhenAway(openEvidence(pool, sealingKey, { id, viewer, nowMs })),
    purge: (atMost) => purgeEvidence(pool, atMost),
  }
}

interface Opening {
  readonly id: Uuid
  readonly viewer: Parameters<EvidenceStore['open']>[1]
  readonly nowMs: number
}

function openEvidence(
  pool: Pool,
  sealingKey: SealingKey,
  { id, viewer, nowMs }: Opening,
): ReturnType<EvidenceStore['open']> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const found = await findEvidence(client, id)
    if (found === null) return null
    const content: Excerpt = JSON.parse(unseal(sealingKey, found.sealed, evidenceAssociated(id)))
    const target = { kind: 'evidence', id }
    await appendAudit(client, [{ ...viewer, chainId: platformChain, action: 'evidence.show', target }], nowMs)
    return { ...found.listing, content }
  })
}

/** Associated data of an encrypted blocked prompt. */
export function evidenceAssociated(id: string): string {
  return `moderation_evidence ${id}`
}

const evidenceColumns =
  'id, at, expires_at, key_id, user_id, organization_id, session_id, request_id, endpoint, model, source, categories'

interface EvidenceRow {
  id: string
  at: Date
  expires_at: Date
  key_id: string
  user_id: string | null
  organization_id: string | null
  session_id: string | null
  request_id: string | null
  endpoint: string
  model: string
  source: EvidenceListing['source']
  categories: string[]
}

function readListing(row: EvidenceRow): EvidenceListing {
  const { id, endpoint, model, source, categories } = row
  return {
    id,
    atMs: row.at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    keyId: row.key_id,
    userId: row.user_id,
    organizationId: row.organization_id,
    sessionId: row.session_id,
    requestId: row.request_id,
    endpoint,
    model,
    source,
    categories,
  }
}

async function insertEvidence(pool: Pool, evidence: EvidenceListing, content: Sealed): Promise<void> {
  const text = `INSERT INTO moderation_evidence (id, at, expires_at, key_id, user_id, organization_id, session_id, request_id,
      endpoint, model, source, categories, content)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
  await pool.query(text, [
    evidence.id,
    new Date(evidence.atMs),
    new Date(evidence.expiresAtMs),
    evidence.keyId,
    evidence.userId,
    evidence.organizationId,
    evidence.sessionId,
    evidence.requestId,
    evidence.endpoint,
    evidence.model,
    evidence.source,
    evidence.categories,
    JSON.stringify(content),
  ])
}

interface NamedRow extends EvidenceRow {
  key_name: string | null
  key_shown: string | null
  customer_name: string | null
}

async function listEvidence(pool: Pool, { keyId, before, limit }: EvidenceQuery): Promise<NamedEvidence[]> {
  // Ids are created in time order. Expired evidence is hidden even before it is deleted.
  const text = `SELECT e.*, k.name AS key_name, k.prefix || '…' || k.suffix AS key_shown,
      CASE WHEN e.organization_id IS NULL THEN CASE WHEN u.email NOT LIKE 'deleted:%' THEN u.email END ELSE o.name END AS customer_name
    FROM (SELECT ${evidenceColumns} FROM moderation_evidence
      WHERE expires_at > now() AND ($1::uuid IS NULL OR key_id = $1) AND ($2::uuid IS NULL OR id < $2)
      ORDER BY id DESC LIMIT $3) AS e
    LEFT JOIN api_keys k ON k.id = e.key_id LEFT JOIN organizations o ON o.id = e.organization_id
    LEFT JOIN users u ON u.id = e.user_id ORDER BY e.id DESC`
  const { rows } = await pool.query<NamedRow>(text, [keyId, before, limit])
  return rows.map((row) => ({ ...readListing(row), key: keyOf(row), customer: customerOf(row) }))
}

function keyOf({ key_name: name, key_shown: shown }: NamedRow): NamedEvidence['key'] {
  return name === null || shown === null ? null : { name, shown }
}

function customerOf(row: NamedRow): NamedEvidence['customer'] {
  const { organization_id: organizationId, user_id: userId, customer_name: name } = row
  if (organizationId !== null) return { kind: 'organization', id: organizationId, name }
  return userId === null ? null : { kind: 'user', id: userId, name }
}

async function findEvidence(
  client: PoolClient,
  id: Uuid,
): Promise<{ listing: EvidenceListing; sealed: Sealed } | null> {
  const text = `SELECT ${evidenceColumns}, content FROM moderation_evidence WHERE expires_at > now() AND id = $1`
  const { rows } = await client.query<EvidenceRow & { content: Sealed }>(text, [id])
  const [row] = rows
  return row === undefined ? null : { listing: readListing(row), sealed: row.content }
}

/** Deletes expired evidence and returns how many rows. */
export async function purgeEvidence(pool: Pool, atMost: number): Promise<number> {
  // Skips rows that another worker is deleting.
  const text = `DELETE FROM moderation_evidence WHERE id IN (
      SELECT id FROM moderation_evidence WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`
  const { rowCount } = await pool.query(text, [atMost])
  return rowCount ?? 0
}
