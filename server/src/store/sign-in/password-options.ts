import type { BetterAuthOptions } from 'better-auth'
import type { Pool } from 'pg'
import { signInLinkLifeMs } from '#domain/mail/mail-class.ts'
import type { SignInNotices } from '#ports/people.ts'
import { verifyAddress } from '../postgres/people/people.sql.ts'
import type { Proofs } from './proofs.ts'

const linkLifeS = signInLinkLifeMs / 1_000

/** Sign-up and sign-in with an email address and a password, and the mails that they send. */
export function passwordOptions(settings: {
  pool: Pool
  notices: SignInNotices
  requireVerification: boolean
  answerExisting: (user: ExistingPerson) => Promise<void>
  proofs: Pick<Proofs, 'noteMail'>
}): Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'> {
  const { pool, notices, requireVerification } = settings
  return {
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      // Sign-up gives the same response whether or not the address has an account.
      autoSignIn: false,
      requireEmailVerification: requireVerification,
      resetPasswordTokenExpiresIn: linkLifeS,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token, url }) =>
        notices.choosePassword({ to: user.email, token, link: returnIn(url) === null ? null : url }),
      // The link came by email, so the person owns the address.
      onPasswordReset: async ({ user }) => {
        settings.proofs.noteMail(user.id)
        await verifyAddress(pool, user.id)
      },
      onExistingUserSignUp: ({ user }) => settings.answerExisting(user),
    },
    emailVerification: {
      expiresIn: linkLifeS,
      sendOnSignUp: requireVerification,
      sendVerificationEmail: async ({ user, token, url }) =>
        notices.confirmAddress({ to: user.email, token, returnTo: returnIn(url) ?? '/' }),
    },
  }
}

export interface ExistingPerson {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
}

/** The page to which the console wants to return. The library has checked that it belongs to this site. */
function returnIn(url: string): string | null {
  return new URL(url).searchParams.get('callbackURL') || null
}
