import type { Pool, PoolClient } from 'pg'
import type { Person, SignedInPerson } from '#domain/access/client.ts'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { Uuid } from '#lib/uuid.ts'
import { requiredSignOn } from '../sign-on/required-sign-on.sql.ts'

interface Row {
  id: string
  email: string
  name: string
  suspended: boolean
  wallet_id: string
}

interface SignedInRow extends Row {
  session_id: string
  second_factor: boolean
  operator_role: OperatorRole | null
}

export async function findPerson(pool: Pool, userId: Uuid): Promise<Person | null> {
  const text = `SELECT u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id
    FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id WHERE u.id = $1`
  const { rows } = await pool.query<Row>({ name: 'find-person', text, values: [userId] })
  return rows[0] === undefined ? null : readPerson(rows[0])
}

/** The person of a session. Null if an organization requires another way to sign in by now. */
export async function findSignedIn(
  pool: Pool,
  session: { userId: Uuid; token: string },
): Promise<Omit<SignedInPerson, 'signedInAtMs'> | null> {
  const text = `SELECT u.id, u.email, u.name, u.suspended_at IS NOT NULL AS suspended, w.id AS wallet_id,
      s.id AS session_id, s.second_factor, o.role AS operator_role
    FROM users u JOIN wallets w ON w.owner_kind = 'user' AND w.owner_id = u.id
    JOIN auth_sessions s ON s.token = $2 AND s.user_id = u.id
    LEFT JOIN operators o ON o.user_id = u.id
    WHERE u.id = $1 AND coalesce(${requiredSignOn} = s.sign_on_organization_id, ${requiredSignOn} IS NULL)`
  const { rows } = await pool.query<SignedInRow>({
    name: 'find-signed-in',
    text,
    values: [session.userId, session.token],
  })
  const [row] = rows
  if (row === undefined) return null
  const { session_id: sessionId, second_factor: passedSecondFactor, operator_role: operatorRole } = row
  return { ...readPerson(row), sessionId, passedSecondFactor, operatorRole }
}

function readPerson(row: Row): Person {
  return { userId: row.id, email: row.email, name: row.name, walletId: row.wallet_id, suspended: row.suspended }
}

/** Creates the account and personal wallet of a person who has signed up. Repeated calls create them once. */
export async function ensurePerson(pool: Pool, person: { userId: Uuid; walletId: Uuid }): Promise<void> {
  // An address that belongs to another user stays with that user: naming an address does not give access to its
  // account.
  const text = `WITH made AS (
      INSERT INTO users (id, email, name, email_verified)
      SELECT id, email, name, email_verified FROM auth_users WHERE id = $1 ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO wallets (id, owner_kind, owner_id) SELECT $2, 'user', made.id FROM made`
  await pool.query({ name: 'ensure-person', text, values: [person.userId, person.walletId] })
}

/** Copies data that a person has changed or verified at sign-in. */
export async function syncPerson(pool: Pool, userId: Uuid): Promise<void> {
  // An address that an operator has confirmed stays confirmed.
  const text = `UPDATE users u SET name = a.name, email_verified = u.email_verified OR a.email_verified
    FROM auth_users a WHERE a.id = u.id AND u.id = $1`
  await pool.query({ name: 'sync-person', text, values: [userId] })
}

/**
 * Records that the address belongs to the person, because the person opened an emailed link or an operator confirms it.
 * Returns false if the person does not exist.
 */
export async function verifyAddress(connection: Pool | PoolClient, userId: Uuid): Promise<boolean> {
  const text = `WITH proven AS (
      UPDATE auth_users SET email_verified = true, updated_at = now() WHERE id = $1 RETURNING id
    )
    UPDATE users u SET email_verified = true FROM proven WHERE u.id = proven.id`
  const { rowCount } = await connection.query({ name: 'verify-address', text, values: [userId] })
  return rowCount === 1
}

/** The hash of a user's password, null if none is set, or null instead of a result if the user does not exist. */
export async function findPassword(
  pool: Pool,
  email: string,
): Promise<{ userId: Uuid; passwordHash: string | null } | null> {
  const text = `SELECT u.id, c.password FROM users u
    LEFT JOIN auth_accounts c ON c.user_id = u.id AND c.provider_id = 'credential' WHERE lower(u.email) = lower($1)`
  const { rows } = await pool.query<{ id: string; password: string | null }>(text, [email])
  const [row] = rows
  return row === undefined ? null : { userId: row.id, passwordHash: row.password }
}

/** Returns false if the person does not exist. */
export async function upsertPassword(
  client: PoolClient,
  account: { id: Uuid; userId: Uuid; passwordHash: string },
): Promise<boolean> {
  // A user that an operator created is also added to the sign-in tables.
  const text = `WITH known AS (
      INSERT INTO auth_users (id, name, email, email_verified)
      SELECT id, name, lower(email), email_verified FROM users WHERE id = $2
      ON CONFLICT (id) DO UPDATE SET updated_at = now() RETURNING id
    )
    INSERT INTO auth_accounts (id, user_id, provider_id, account_id, password)
    SELECT $1, known.id, 'credential', known.id::text, $3 FROM known
    ON CONFLICT (provider_id, account_id) DO UPDATE SET password = excluded.password, updated_at = now()`
  const { rowCount } = await client.query(text, [account.id, account.userId, account.passwordHash])
  return rowCount === 1
}

/** Signs a person out everywhere. */
export async function deleteSessions(client: PoolClient, userId: Uuid): Promise<void> {
  const text = 'DELETE FROM auth_sessions WHERE user_id = $1'
  await client.query(text, [userId])
}

/** Ends one session of a person, if it belongs to them. */
export async function deleteSession(pool: Pool, session: { userId: Uuid; token: string }): Promise<void> {
  const text = 'DELETE FROM auth_sessions WHERE token = $1 AND user_id = $2'
  await pool.query(text, [session.token, session.userId])
}

/**
 * Deletes sessions and links a day after they expire, up to a maximum of each. Returns the larger of the two counts.
 */
export async function purgeExpired(pool: Pool, atMost: number): Promise<number> {
  const text = `WITH sessions AS (
      DELETE FROM auth_sessions WHERE id IN (
        SELECT id FROM auth_sessions WHERE expires_at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING 1
    ), verifications AS (
      DELETE FROM auth_verifications WHERE id IN (
        SELECT id FROM auth_verifications WHERE expires_at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING 1
    )
    SELECT greatest((SELECT count(*) FROM sessions), (SELECT count(*) FROM verifications))::integer AS gone`
  const { rows } = await pool.query<{ gone: number }>(text, [atMost])
  return rows[0]?.gone ?? 0
}
