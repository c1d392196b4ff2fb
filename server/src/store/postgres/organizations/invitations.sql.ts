import type { Pool, PoolClient } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import type {
  Invitation,
  InvitationListing,
  InvitationStatus,
  OpenedInvitation,
} from '#domain/organizations/invitation.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { InvitationQuery } from '#ports/invitations.ts'
import type { InvitationSort, Page, PageRequest } from '#ports/pages.ts'
import { readNullableNano } from '../column-values.ts'
import { pageClause, pageOf, timeColumn } from '../page-clause.ts'

interface InvitationRow {
  id: string
  token_hash: Buffer
  email: string | null
  email_domain: string | null
  name: string | null
  role: Role
  team_id: string | null
  monthly_budget_nano: string | null
  uses_max: number
  uses: number
  invited_by: string
  created_at: Date
  sent_at: Date
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
}

const columns = `i.id, i.token_hash, i.email, i.email_domain, i.name, i.role, i.team_id, i.monthly_budget_nano,
    i.uses_max, i.uses, i.invited_by, i.created_at, i.sent_at, i.expires_at, i.accepted_at, i.revoked_at`

function readInvitation(row: InvitationRow): Invitation {
  return { ...readTerms(row), tokenHash: row.token_hash, teamId: row.team_id, invitedBy: row.invited_by }
}

function readTerms(row: InvitationRow): Omit<Invitation, 'tokenHash' | 'teamId' | 'invitedBy'> {
  return {
    id: row.id,
    email: row.email,
    domain: row.email_domain,
    name: row.name,
    role: row.role,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    usesMax: row.uses_max,
    uses: row.uses,
    createdAtMs: row.created_at.getTime(),
    sentAtMs: row.sent_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    acceptedAtMs: row.accepted_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
  }
}

export async function findInvitation(
  client: PoolClient,
  { organizationId, invitationId }: { organizationId: Uuid; invitationId: Uuid },
): Promise<Invitation | null> {
  const text = `SELECT ${columns} FROM invitations i WHERE i.organization_id = $1 AND i.id = $2`
  const { rows } = await client.query<InvitationRow>(text, [organizationId, invitationId])
  return rows[0] === undefined ? null : readInvitation(rows[0])
}

export async function findInvitationByToken(
  client: PoolClient,
  organizationId: Uuid,
  tokenHash: Buffer,
): Promise<Invitation | null> {
  const text = `SELECT ${columns} FROM invitations i WHERE i.organization_id = $1 AND i.token_hash = $2`
  const { rows } = await client.query<InvitationRow>(text, [organizationId, tokenHash])
  return rows[0] === undefined ? null : readInvitation(rows[0])
}

/** The invitation with what its page shows. */
export async function openInvitation(pool: Pool, tokenHash: Buffer): Promise<OpenedInvitation | null> {
  const text = `SELECT ${columns}, o.id AS organization_id, o.name AS organization_name, o.slug, u.name AS inviter_name,
      (SELECT t.name FROM teams t WHERE t.id = i.team_id) AS team_name
    FROM invitations i JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = i.invited_by
    WHERE i.token_hash = $1`
  const { rows } = await pool.query<
    InvitationRow & {
      organization_id: string
      organization_name: string
      slug: string
      inviter_name: string
      team_name: string | null
    }
  >(text, [tokenHash])
  const [row] = rows
  if (row === undefined) return null
  return {
    invitation: readInvitation(row),
    organization: { id: row.organization_id, name: row.organization_name, slug: row.slug },
    teamName: row.team_name,
    inviterName: row.inviter_name,
  }
}

export async function isProvenAddress(pool: Pool, userId: Uuid): Promise<boolean> {
  const { rows } = await pool.query('SELECT 1 FROM users WHERE id = $1 AND email_verified', [userId])
  return rows.length === 1
}

/** The open invitation of each of these addresses, expired ones included. */
export async function findOpenInvitations(
  client: PoolClient,
  organizationId: Uuid,
  emails: readonly string[],
): Promise<Invitation[]> {
  const text = `SELECT ${columns} FROM invitations i
    WHERE i.organization_id = $1 AND i.email = ANY ($2) AND i.revoked_at IS NULL AND i.uses = 0`
  const { rows } = await client.query<InvitationRow>(text, [organizationId, emails])
  return rows.map(readInvitation)
}

export async function countOpenInvitations(client: PoolClient, organizationId: Uuid, nowMs: number): Promise<number> {
  const text = `SELECT count(*)::integer AS open FROM invitations
    WHERE organization_id = $1 AND revoked_at IS NULL AND uses < uses_max AND expires_at > $2`
  const { rows } = await client.query<{ open: number }>(text, [organizationId, new Date(nowMs)])
  return rows[0]?.open ?? 0
}

export async function insertInvitation(
  client: PoolClient,
  organizationId: Uuid,
  invitation: Invitation,
): Promise<void> {
  const text = `INSERT INTO invitations (organization_id, id, token_hash, email, email_domain, name, role, team_id,
      monthly_budget_nano, uses_max, uses, invited_by, sent_at, expires_at, accepted_at, revoked_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`
  await client.query(text, [organizationId, ...valuesOf(invitation), new Date(invitation.createdAtMs)])
}

export async function updateInvitation(
  client: PoolClient,
  organizationId: Uuid,
  invitation: Invitation,
): Promise<void> {
  const text = `UPDATE invitations SET token_hash = $3, email = $4, email_domain = $5, name = $6, role = $7, team_id = $8,
      monthly_budget_nano = $9, uses_max = $10, uses = $11, invited_by = $12, sent_at = $13, expires_at = $14,
      accepted_at = $15, revoked_at = $16
    WHERE organization_id = $1 AND id = $2`
  await client.query(text, [organizationId, ...valuesOf(invitation)])
}

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

function valuesOf(invitation: Invitation): unknown[] {
  return [
    invitation.id,
    invitation.tokenHash,
    invitation.email,
    invitation.domain,
    invitation.name,
    invitation.role,
    invitation.teamId,
    invitation.monthlyBudget,
    invitation.usesMax,
    invitation.uses,
    invitation.invitedBy,
    date(invitation.sentAtMs),
    date(invitation.expiresAtMs),
    date(invitation.acceptedAtMs),
    date(invitation.revokedAtMs),
  ]
}

const keptDays = 90

/** Deletes invitations that ended long ago. Returns how many there were. */
export async function purgeInvitations(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM invitations WHERE id IN (SELECT id FROM invitations
    WHERE expires_at < now() - $2::integer * interval '1 day' LIMIT $1)`
  return (await pool.query(text, [atMost, keptDays])).rowCount ?? 0
}

interface InvitationListingRow extends InvitationRow {
  team_name: string | null
  inviter_name: string
  inviter_email: string
  cursor: string
}

export async function listInvitationPage(
  pool: Pool,
  query: InvitationQuery,
  page: PageRequest<InvitationSort>,
): Promise<Page<InvitationListing>> {
  const { text, values } = invitationPageStatement(query, page)
  const { rows } = await pool.query<InvitationListingRow>(text, [...values])
  return pageOf(rows, page.limit, listingOf)
}

const conditions: Readonly<Record<InvitationStatus, string>> = {
  revoked: 'i.revoked_at IS NOT NULL',
  accepted: 'i.revoked_at IS NULL AND i.uses >= i.uses_max',
  expired: 'i.revoked_at IS NULL AND i.uses < i.uses_max AND i.expires_at <= $2',
  pending: 'i.revoked_at IS NULL AND i.uses < i.uses_max AND i.expires_at > $2',
}

/** Reads one page in the order of the index. */
export function invitationPageStatement(
  query: InvitationQuery,
  page: PageRequest<InvitationSort>,
): { text: string; values: readonly unknown[] } {
  const values: unknown[] = [query.organizationId, new Date(query.nowMs)]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const clause = pageClause(page, { columns: { created: timeColumn('i.created_at') }, id: 'i.id', bind })
  const status = query.status === undefined ? '' : ` AND ${conditions[query.status]}`
  const ofTeam =
    query.ofTeam === undefined
      ? ''
      : ` AND i.team_id = ${bind(query.ofTeam)}::uuid AND i.role IN ('team_admin', 'member')`
  const sought = page.search === null ? '' : bind(page.search)
  const found =
    sought === ''
      ? ''
      : ` AND (strpos(i.email, lower(${sought}::text)) > 0 OR strpos(lower(i.name), lower(${sought})) > 0 OR strpos(i.email_domain, lower(${sought})) > 0)`
  const text = `SELECT ${columns}, ${clause.cursor} AS cursor, u.name AS inviter_name, u.email AS inviter_email,
      (SELECT t.name FROM teams t WHERE t.id = i.team_id) AS team_name
    FROM invitations i JOIN users u ON u.id = i.invited_by
    WHERE i.organization_id = $1 AND $2::timestamptz IS NOT NULL${status}${ofTeam}${found}${clause.where}
    ORDER BY ${clause.order} LIMIT ${clause.limit}`
  return { text, values }
}

function listingOf(row: InvitationListingRow): InvitationListing {
  return {
    ...readTerms(row),
    team: row.team_id === null || row.team_name === null ? null : { id: row.team_id, name: row.team_name },
    inviter: { id: row.invited_by, name: row.inviter_name, email: row.inviter_email },
  }
}
