import { betterAuth } from 'better-auth'
import type { Pool } from 'pg'
import type { SignInNotices } from '#ports/people.ts'
import { passkeys } from './passkeys.ts'
import { type ExistingPerson, passwordOptions } from './password-options.ts'
import { personHooks } from './person-hooks.ts'
import type { Proofs } from './proofs.ts'
import { secondFactor } from './second-factor.ts'
import { strictness } from './strictness.ts'
import { tables } from './tables.ts'
import { throwFault } from './throw-fault.ts'

export interface SignInSettings {
  readonly pool: Pool
  /** Signs cookies and encrypts what the library stores. */
  readonly secret: string
  readonly cookieName: string
  /** Where people reach us; null: wherever the request says. */
  readonly publicUrl: string | null
  readonly notices: SignInNotices
  /** Whether an address must be proven before the first sign-in; pointless where mail goes nowhere. */
  readonly requireVerification: boolean
  readonly secondFactor: boolean
  readonly passkeys: boolean
  readonly providers: Readonly<Partial<Record<'google' | 'github', ProviderClient>>>
  readonly onWarning: (message: string) => void
  /** The token under which a new session is stored. */
  readonly issueToken: () => string
  readonly proofs: Proofs
}

export interface ProviderClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** The library, told everything that it would otherwise decide by itself. */
export function createAuth(settings: SignInSettings) {
  const { pool, publicUrl, notices, requireVerification, proofs } = settings
  const auth = betterAuth({
    appName: 'Weir',
    basePath: '/api/auth',
    ...(publicUrl === null ? {} : { baseURL: publicUrl }),
    secret: settings.secret,
    database: pool,
    telemetry: { enabled: false },
    ...tables,
    // An account elsewhere opens one here only if both sides have proven the same address.
    account: { ...tables.account, accountLinking: { enabled: true, requireLocalEmailVerified: true } },
    ...passwordOptions({ pool, notices, requireVerification, answerExisting, proofs }),
    socialProviders: settings.providers,
    plugins: [
      ...(settings.secondFactor ? [secondFactor()] : []),
      ...(settings.passkeys && publicUrl !== null ? [passkeys(publicUrl)] : []),
    ],
    databaseHooks: personHooks(pool, settings),
    disabledPaths: ['/get-access-token', '/refresh-token', '/account-info'],
    // Attempts are counted at the edge, for all processes together.
    rateLimit: { enabled: false },
    advanced: strictness(settings.cookieName),
    onAPIError: { onError: throwFault },
    logger: {
      level: 'error',
      // What comes after the message may hold addresses and tokens.
      log: (_level, message) => settings.onWarning(message),
    },
  })

  /**
   * Whoever signs up again gets a link to choose a password, unless they have proven the address and have one: it is sent to
   * the owner of the address, and replaces what somebody else may have chosen before.
   */
  async function answerExisting(user: ExistingPerson): Promise<void> {
    const { internalAdapter } = await auth.$context
    const canSignIn = user.emailVerified && (await internalAdapter.findAccounts(user.id)).length > 0
    if (canSignIn) notices.alreadyRegistered({ to: user.email })
    else await auth.api.requestPasswordReset({ body: { email: user.email } })
  }

  return auth
}
