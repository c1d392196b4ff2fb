import type { Pool, PoolClient } from 'pg'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { ErasedPerson, OwnData } from '#ports/own-data.ts'
import { eraseAnswers } from '../answers/answers.sql.ts'
import { eraseWriteAnswers } from '../answers/write-answers.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { eraseBatches } from '../batches/batches.sql.ts'
import { eraseCached } from '../cached-answers/cached-answers.sql.ts'
import { eraseEndUsers } from '../generations/end-users.sql.ts'
import { eraseNotes } from '../customers/notes.sql.ts'
import { eraseEndCustomers } from '../end-customers/end-customers.sql.ts'
import { eraseRuns } from '../runs/runs.sql.ts'
import { eraseResponses } from '../stored-responses/stored-responses.sql.ts'
import { eraseTags } from '../tags/postgres-tags.ts'
import { eraseFiles } from '../files/files.sql.ts'
import { eraseMails } from '../mail/outbox.sql.ts'
import { inTransaction } from '../with-client.ts'
import { deleteOperator, lockRole } from './operator-roles.sql.ts'

/** One transaction: a person is deleted completely or not at all. */
export function erasePerson(pool: Pool, userId: Uuid, author: ChangeAuthor): ReturnType<OwnData['erase']> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    // Before the person's row, in the order of those who add operators.
    const role = await lockRole(client, userId)
    if (role === 'last owner') return role
    const { rows: people } = await client.query<{ email: string }>('SELECT email FROM users WHERE id = $1 FOR UPDATE', [
      userId,
    ])
    const [person] = people
    if (person === undefined) return 'missing'
    const soleAdminOf = await lockOrganizations(client, userId)
    if (soleAdminOf.length > 0) return { soleAdminOf }
    if (role !== null) await removeOperator(client, { userId, role }, author)
    const erased = await endKeysAndMemberships(client, userId, author)
    await eraseMails(client, userId, person.email)
    await eraseNotes(client, userId)
    await eraseEndCustomers(client, userId, author.nowMs)
    await eraseTags(client, userId)
    await eraseAnswers(client, userId)
    await eraseWriteAnswers(client, userId)
    await eraseCached(client, userId)
    await eraseResponses(client, userId)
    await eraseBatches(client, userId)
    await eraseFiles(client, userId)
    await eraseRuns(client, userId)
    await eraseEndUsers(client, userId)
    await client.query('DELETE FROM invitations WHERE email = lower($1)', [person.email])
    await forgetSignIn(client, userId, person.email)
    // The address column is unique, so it holds the id. An address has an @, so no person can sign up with this value.
    await client.query(
      `UPDATE users SET email = 'deleted:' || id, name = '', email_verified = false, suspended_at = coalesce(suspended_at, now())
       WHERE id = $1`,
      [userId],
    )
    return erased
  })
}

async function removeOperator(
  client: PoolClient,
  { userId, role }: { userId: Uuid; role: OperatorRole },
  { actor, requestId, nowMs }: ChangeAuthor,
): Promise<void> {
  await deleteOperator(client, userId)
  const target = { kind: 'user', id: userId }
  const entry = { chainId: platformChain, actor, requestId, target, before: { role } }
  await appendAudit(client, [{ ...entry, action: 'operator.remove' }], nowMs)
}

/**
 * Locks the person's organizations, as every change in them does, and returns the names of those without another
 * administrator.
 */
async function lockOrganizations(client: PoolClient, userId: Uuid): Promise<string[]> {
  await client.query(
    `SELECT 1 FROM organizations WHERE id IN (SELECT organization_id FROM members WHERE user_id = $1) ORDER BY id FOR UPDATE`,
    [userId],
  )
  const { rows } = await client.query<{ name: string }>(
    `SELECT o.name FROM members m JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 AND m.role = 'org_admin' AND NOT EXISTS (
       SELECT 1 FROM members x WHERE x.organization_id = m.organization_id AND x.role = 'org_admin' AND x.suspended_at IS NULL
           AND x.user_id <> $1)
     ORDER BY o.name`,
    [userId],
  )
  return rows.map(({ name }) => name)
}

async function endKeysAndMemberships(client: PoolClient, userId: Uuid, author: ChangeAuthor): Promise<ErasedPerson> {
  const { actor, requestId, nowMs } = author
  await client.query(
    'UPDATE api_keys SET revoked_at = now(), updated_at = now() WHERE user_id = $1 AND revoked_at IS NULL',
    [userId],
  )
  // The person chose the names of their own keys. Names of an organization's keys belong to the organization.
  await client.query(`UPDATE api_keys SET name = 'deleted' WHERE user_id = $1 AND organization_id IS NULL`, [userId])
  const members = await client.query<{ id: string; organization_id: string }>(
    'DELETE FROM members WHERE user_id = $1 RETURNING id, organization_id',
    [userId],
  )
  await client.query(
    `DELETE FROM webhook_secrets WHERE id IN (SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1)`,
    [userId],
  )
  // Issued documents stay unchanged, because the seller must keep them.
  await client.query(
    `DELETE FROM billing_profiles WHERE wallet_id IN (SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1)`,
    [userId],
  )
  await client.query('DELETE FROM mail_deliveries WHERE user_id = $1', [userId])
  await client.query('DELETE FROM notice_dismissals WHERE user_id = $1', [userId])
  // Charges need the records of requests; nothing needs those of refused ones.
  await client.query('DELETE FROM refusals WHERE user_id = $1', [userId])
  await client.query(
    `DELETE FROM refusal_counts WHERE wallet_id IN (SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1)`,
    [userId],
  )
  // No card is charged after the person who chose it was deleted.
  await client.query('UPDATE auto_top_ups SET is_on = false WHERE payer_id = $1', [userId])
  // The payment provider keeps saved cards until a worker deletes the customer there.
  await client.query(
    `WITH gone AS (DELETE FROM payment_customers
       WHERE wallet_id IN (SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1)
       RETURNING provider, is_live, customer_ref)
     INSERT INTO erased_payment_customers (provider, is_live, customer_ref) SELECT provider, is_live, customer_ref FROM gone
     ON CONFLICT DO NOTHING`,
    [userId],
  )
  await client.query(
    `DELETE FROM wallet_alerts WHERE wallet_id IN (SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1)`,
    [userId],
  )
  const entries: AuditEntry[] = members.rows.map((member) => ({
    chainId: member.organization_id,
    actor,
    requestId,
    action: 'org_member.remove',
    target: { kind: 'member', id: member.id },
  }))
  const target = { kind: 'user', id: userId }
  await appendAudit(
    client,
    [...entries, { chainId: platformChain, actor, requestId, action: 'user.delete', target }],
    nowMs,
  )
  return { organizationIds: members.rows.map((member) => member.organization_id) }
}

/** Deletes sessions, passwords, passkeys and second factors. Links in mails name the person by id or address. */
async function forgetSignIn(client: PoolClient, userId: Uuid, email: string): Promise<void> {
  await client.query('DELETE FROM auth_users WHERE id = $1', [userId])
  await client.query(
    'DELETE FROM auth_verifications WHERE strpos(value, $1) > 0 OR strpos(lower(value), lower($2)) > 0',
    [userId, email],
  )
}
