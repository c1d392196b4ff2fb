import { createHmac, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { signInSecret } from '#bin/sign-in-secret.ts'
import { newUuid } from '#lib/uuid.ts'
import { tokenOf } from '#store/sign-in/session-secrets.ts'
import { sessionCookieName } from '#test/setup/session-cookie.ts'

/** Creates sessions without a sign-in form. */
export interface TestSignIn {
  /** The `Cookie` header of a new session of a user. */
  signIn(userId: string, session?: { secondFactor?: boolean }): Promise<string>
}

export function createTestSignIn(pool: Pool, options: { secret: string }): TestSignIn {
  const secret = signInSecret(options.secret)
  return {
    async signIn(userId, { secondFactor = false } = {}) {
      const sessionSecret = randomBytes(24).toString('base64url')
      const { rowCount } = await pool.query(
        `WITH known AS (
           INSERT INTO auth_users (id, name, email, email_verified)
           SELECT id, name, lower(email), true FROM users WHERE id = $2
           ON CONFLICT (id) DO UPDATE SET updated_at = now() RETURNING id
         )
         INSERT INTO auth_sessions (id, token, user_id, expires_at, second_factor)
         SELECT $1, $3, known.id, now() + interval '1 day', $4 FROM known`,
        [newUuid(Date.now()), userId, tokenOf(sessionSecret), secondFactor],
      )
      if (rowCount !== 1) throw new Error(`no user ${userId}`)
      return sessionCookieOf(secret, sessionSecret)
    },
  }
}

/** A signed cookie is the session's secret, a dot and the HMAC of the token under which the session is stored. */
export function sessionCookieOf(secret: string, sessionSecret: string): string {
  const signature = createHmac('sha256', secret).update(tokenOf(sessionSecret)).digest('base64')
  return `${sessionCookieName}=${encodeURIComponent(`${sessionSecret}.${signature}`)}`
}
