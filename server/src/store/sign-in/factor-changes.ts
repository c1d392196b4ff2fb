import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import type { Pool } from 'pg'

/**
 * Protects second factors from sessions that began without one, where those sessions must not reach what the factor
 * guards: the platform, for operators, and an account whose session an organization's identity provider began. The
 * holder of such a session could otherwise add another factor, and sign in with it. The first factor needs none.
 */
export function factorChanges(pool: Pool) {
  return {
    id: 'factor-changes',
    hooks: {
      before: [
        {
          matcher: ({ path }) => changes.has(path ?? ''),
          handler: createAuthMiddleware(async (context) => {
            const signedIn = await getSessionFromCtx(context)
            if (signedIn !== null && (await needsFactor(pool, signedIn.session.token))) throw refused()
          }),
        },
      ],
    },
  } as const satisfies BetterAuthPlugin
}

/** Requests that add, show, replace or remove a factor of the session's account. */
const changes: ReadonlySet<string> = new Set([
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
])

async function needsFactor(pool: Pool, token: string): Promise<boolean> {
  const text = `SELECT FROM auth_sessions s JOIN auth_users a ON a.id = s.user_id
    WHERE s.token = $1 AND NOT s.second_factor
      AND (a.two_factor_enabled OR EXISTS (SELECT FROM auth_passkeys p WHERE p.user_id = a.id))
      AND (s.sign_on_organization_id IS NOT NULL OR EXISTS (SELECT FROM operators o WHERE o.user_id = a.id))`
  const { rowCount } = await pool.query({ name: 'needs-factor', text, values: [token] })
  return rowCount === 1
}

function refused(): APIError {
  const message =
    'This account has a second factor. Sign in with your passkey or your authenticator app to change second factors.'
  return new APIError('FORBIDDEN', { code: 'SECOND_FACTOR_REQUIRED', message })
}
