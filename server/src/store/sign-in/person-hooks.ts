import type { BetterAuthOptions } from 'better-auth'
import { APIError } from 'better-auth/api'
import type { Pool } from 'pg'
import { isMailAddress } from '#lib/mail-address.ts'
import { newUuid } from '#lib/uuid.ts'
import { ensurePerson, syncPerson } from '../postgres/people/people.sql.ts'
import type { Proofs } from './proofs.ts'

/** Applies the library's changes of people to their accounts as well. */
export function personHooks(
  pool: Pool,
  { issueToken, proofs }: { issueToken: () => string; proofs: Pick<Proofs, 'noteSession'> },
): NonNullable<BetterAuthOptions['databaseHooks']> {
  const ensure = (userId: string) => ensurePerson(pool, { userId, walletId: newUuid(Date.now()) })
  return {
    user: {
      create: { before: async (user) => assertPerson(user), after: (user) => ensure(user.id) },
      update: { before: async (user) => assertPerson(user), after: (user) => syncPerson(pool, user.id) },
    },
    session: {
      create: {
        before: async (session) => {
          // If the process died before it created the account, this creates the account now.
          await ensure(session.userId)
          proofs.noteSession(session.userId)
          return { data: { ...session, token: issueToken() } }
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
