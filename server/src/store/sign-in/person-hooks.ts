import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Pool } from 'pg'
import { isMailAddress } from '#lib/mail-address.ts'
import { newUuid } from '#lib/uuid.ts'
import { ensurePerson, syncPerson } from '../postgres/people/people.sql.ts'
import { findRequiredSignOn } from '../postgres/sign-on/required-sign-on.sql.ts'
import type { Proofs } from './proofs.ts'

/** The code of a sign-in that an organization's rule rejects. */
export const signOnRequiredCode = 'SIGN_ON_REQUIRED'

/** Applies the library's changes of people to their accounts as well. */
export function personHooks(
  pool: Pool,
  { issueToken, proofs }: { issueToken: () => string; proofs: Pick<Proofs, 'noteSession' | 'signedOn'> },
): NonNullable<BetterAuthOptions['databaseHooks']> {
  const ensure = (userId: string) => ensurePerson(pool, { userId, walletId: newUuid(Date.now()) })
  return {
    user: {
      create: { before: async (user) => assertPerson(user), after: (user) => ensure(user.id) },
      update: { before: async (user) => assertPerson(user), after: (user) => syncPerson(pool, user.id) },
    },
    session: {
      create: {
        before: async (session, context) => {
          // If the process died before it created the account, this creates the account now.
          await ensure(session.userId)
          // Every way to sign in ends here, so that no way escapes an organization's rule.
          const required = await findRequiredSignOn(pool, session.userId)
          const signOnOrganizationId = proofs.signedOn?.organizationId ?? null
          if (required !== null && required !== signOnOrganizationId) throw signOnRequired()
          proofs.noteSession(session.userId)
          // The library copies the columns of an earlier session, which may have begun with a second factor.
          const secondFactor = secondFactorPaths.has(context?.path ?? '')
          return { data: { ...session, token: issueToken(), signOnOrganizationId, secondFactor } }
        },
      },
    },
    // Weir never acts at another provider on a person's behalf, so it does not store the tokens.
    account: {
      create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
    },
  }
}

/** The requests that prove a second factor and begin a session. A device that the person trusts proves none. */
const secondFactorPaths = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
])

function signOnRequired(): APIError {
  const message = 'Your organization requires single sign-on. Enter your email address and continue with it.'
  return new APIError('FORBIDDEN', { code: signOnRequiredCode, message })
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null }

const nameLengthMax = 200

/** Requires an address that is valid in an envelope and a name that fits on one line. */
function assertPerson(person: { email?: string | undefined; name?: string | undefined }): void {
  if (person.email !== undefined && !isMailAddress(person.email)) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL', message: 'This is not a valid email address.' })
  }
  if (person.name !== undefined && (person.name.length > nameLengthMax || /\p{Cc}/u.test(person.name))) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: 'The name must be a single line.' })
  }
}
