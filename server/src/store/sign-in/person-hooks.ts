import type { BetterAuthOptions } from 'better-auth'
import type { Pool } from 'pg'
import { newUuid } from '#lib/uuid.ts'
import { ensurePerson, syncPerson } from '../postgres/people/people.sql.ts'
import { judgePerson } from './judge-person.ts'
import type { Proofs } from './proofs.ts'

/** What the library does to people, done to their accounts as well. */
export function personHooks(
  pool: Pool,
  { issueToken, proofs }: { issueToken: () => string; proofs: Pick<Proofs, 'noteSession'> },
): NonNullable<BetterAuthOptions['databaseHooks']> {
  const ensure = (userId: string) => ensurePerson(pool, { userId, walletId: newUuid(Date.now()) })
  return {
    user: {
      create: { before: async (user) => judgePerson(user), after: (user) => ensure(user.id) },
      update: { before: async (user) => judgePerson(user), after: (user) => syncPerson(pool, user.id) },
    },
    session: {
      create: {
        before: async (session) => {
          // Had the process died between making the two, the account is made now.
          await ensure(session.userId)
          proofs.noteSession(session.userId)
          return { data: { ...session, token: issueToken() } }
        },
      },
    },
    // Nothing is ever done at another provider in somebody's name, so there is no reason to be able to.
    account: {
      create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
    },
  }
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null }
