import { hash, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { keySecretFrom } from '#control/keys/key-secret.ts'
import type { Role } from '#domain/access/roles.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { KeyTerms } from '#ports/keys.ts'

export interface TestOrganization {
  id: string
  slug: string
  walletId: string
}

export interface TestMember {
  memberId: string
  userId: string
  walletId: string
  email: string
}

/** Organizations and their contents, written directly into the store: the starting point of a test, not its subject. */
export interface TestOrganizations {
  createOrganization(options?: { usd?: string; creditLineUsd?: string; name?: string }): Promise<TestOrganization>
  addTeam(organizationId: string, options?: { name?: string; monthlyBudgetUsd?: string }): Promise<{ teamId: string }>
  /** Adds a member, by default a new user. */
  addMember(
    organizationId: string,
    options?: { role?: Role; teamId?: string; userId?: string; monthlyBudgetUsd?: string },
  ): Promise<TestMember>
  /** Adds a key that the organization pays for; with a member it belongs to that person. */
  addOrganizationKey(
    organizationId: string,
    options?: { memberId?: string; teamId?: string; terms?: Partial<KeyTerms> },
  ): Promise<{ keyId: string; key: string }>
  /** Adds an institution's key, and a person who has exchanged it for a session. */
  addInstitutionSession(organizationId: string): Promise<TestInstitutionSession>
}

interface TestInstitutionSession {
  institutionKeyId: string
  key: string
  sessionId: string
  token: string
}

interface Deps {
  credit(walletId: string, usd: string): Promise<void>
  createUser(): Promise<{ id: string; walletId: string; email: string }>
}

const nano = (usd: string | undefined): bigint | null => (usd === undefined ? null : parseUsd(usd))

export function createTestOrganizations(pool: Pool, deps: Deps): TestOrganizations {
  return {
    async createOrganization({ usd = '25', creditLineUsd, name } = {}) {
      const [id, walletId] = [newUuid(Date.now()), newUuid(Date.now())]
      const slug = `org-${randomBytes(6).toString('hex')}`
      await pool.query('INSERT INTO organizations (id, name, slug, billing_mode) VALUES ($1, $2, $3, $4)', [
        id,
        name ?? slug,
        slug,
        creditLineUsd === undefined ? 'prepaid' : 'monthly',
      ])
      await pool.query(
        `INSERT INTO wallets (id, owner_kind, owner_id, credit_line_nano) VALUES ($1, 'organization', $2, $3)`,
        [walletId, id, nano(creditLineUsd) ?? 0n],
      )
      if (parseUsd(usd) > 0n) await deps.credit(walletId, usd)
      return { id, slug, walletId }
    },
    async addTeam(organizationId, { name, monthlyBudgetUsd } = {}) {
      const teamId = newUuid(Date.now())
      await pool.query('INSERT INTO teams (id, organization_id, name, monthly_budget_nano) VALUES ($1, $2, $3, $4)', [
        teamId,
        organizationId,
        name ?? `team-${teamId}`,
        nano(monthlyBudgetUsd),
      ])
      return { teamId }
    },
    async addMember(organizationId, { role = 'member', teamId, userId, monthlyBudgetUsd } = {}) {
      const memberId = newUuid(Date.now())
      const user = userId === undefined ? await deps.createUser() : await readUser(pool, userId)
      await pool.query(
        `INSERT INTO members (id, organization_id, user_id, team_id, role, monthly_budget_nano)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [memberId, organizationId, user.id, teamId ?? null, role, nano(monthlyBudgetUsd)],
      )
      return { memberId, userId: user.id, walletId: user.walletId, email: user.email }
    },
    async addOrganizationKey(organizationId, { memberId, teamId, terms = {} } = {}) {
      const { secret, hash, prefix, suffix } = keySecretFrom(randomBytes(32))
      const keyId = newUuid(Date.now())
      const expiresAt =
        terms.expiresAtMs === undefined || terms.expiresAtMs === null ? null : new Date(terms.expiresAtMs)
      await pool.query(
        `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, organization_id, member_id, team_id,
           wallet_id, spend_limit_nano, spend_limit_period, allowed_cidrs, expires_at)
         SELECT $1, decode($2, 'hex'), $3, $4, $5, $6, m.user_id, $7, m.id, $9, w.id, $10, $11, $12, $13
         FROM wallets w LEFT JOIN members m ON m.id = $8 WHERE w.owner_kind = 'organization' AND w.owner_id = $7`,
        [
          keyId,
          hash,
          prefix,
          suffix,
          terms.name ?? 'test',
          terms.type ?? 'standard',
          organizationId,
          memberId ?? null,
          teamId ?? null,
          terms.limit ?? null,
          terms.period ?? null,
          terms.allowedCidrs ?? [],
          expiresAt,
        ],
      )
      return { keyId, key: secret }
    },
    addInstitutionSession: (organizationId) => insertInstitutionSession(pool, organizationId),
  }
}

async function insertInstitutionSession(pool: Pool, organizationId: string): Promise<TestInstitutionSession> {
  const [institutionKeyId, sessionId] = [newUuid(Date.now()), newUuid(Date.now())]
  const [key, token] = ['sk-edu-', 'edu-sess-'].map((marker) => marker + randomBytes(32).toString('hex'))
  if (key === undefined || token === undefined) throw new Error('two secrets were made')
  await pool.query(
    `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, organization_id, wallet_id)
     SELECT $1, $2, 'sk-edu-', $3, 'institution', 'institution', $4, w.id
     FROM wallets w WHERE w.owner_kind = 'organization' AND w.owner_id = $4`,
    [institutionKeyId, hash('sha256', key, 'buffer'), key.slice(-4), organizationId],
  )
  await pool.query(`INSERT INTO institution_keys (key_id, allowed_domains) VALUES ($1, '{uni.example}')`, [
    institutionKeyId,
  ])
  await pool.query(
    `INSERT INTO institution_sessions (id, key_id, email, token_hash, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '1 day')`,
    [sessionId, institutionKeyId, `pupil-${sessionId}@uni.example`, hash('sha256', token, 'buffer')],
  )
  return { institutionKeyId, key, sessionId, token }
}

async function readUser(pool: Pool, userId: string): Promise<{ id: string; walletId: string; email: string }> {
  const { rows } = await pool.query<{ id: string; wallet_id: string; email: string }>(
    `SELECT u.id, u.email, w.id AS wallet_id FROM users u
     JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id WHERE u.id = $1`,
    [userId],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`no user ${userId}`)
  return { id: row.id, walletId: row.wallet_id, email: row.email }
}
