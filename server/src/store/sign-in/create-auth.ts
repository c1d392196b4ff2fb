import { passkey } from '@better-auth/passkey'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Pool } from 'pg'
import { freshForMs } from '#domain/access/is-fresh-session.ts'
import type { SignInNotices } from '#ports/people.ts'
import { factorChanges } from './factor-changes.ts'
import { operatorDevices } from './operator-devices.ts'
import { type ExistingPerson, passwordOptions } from './password-options.ts'
import { personHooks } from './person-hooks.ts'
import type { Proofs } from './proofs.ts'
import { signedOn } from './signed-on.ts'
import { strictness } from './strictness.ts'

export interface SignInSettings {
  readonly pool: Pool
  /** Signs cookies and encrypts the library's stored data. */
  readonly secret: string
  readonly cookieName: string
  /** Public address of the service, or null for the request's own. */
  readonly publicUrl: string | null
  readonly notices: SignInNotices
  /** Whether an address must be verified before the first sign-in. Must be false without a mail server. */
  readonly requireVerification: boolean
  readonly secondFactor: boolean
  /** Whether the session of an operator must begin with a second factor. */
  readonly operatorSecondFactor: boolean
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

/** The library, with explicit values for all settings that have defaults. */
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
    // The same limit as for our own endpoints: listing sessions or adding a passkey requires a recent sign-in.
    session: { ...tables.session, additionalFields: sessionFields, freshAge: freshForMs / 1_000 },
    // A social account opens an account here only if both sides have verified the same address.
    account: { ...tables.account, accountLinking: { enabled: true, requireLocalEmailVerified: true } },
    ...passwordOptions({ pool, notices, requireVerification, answerExisting, proofs }),
    socialProviders: settings.providers,
    plugins: [
      signedOn(proofs),
      operatorDevices(pool),
      factorChanges(pool),
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
      // The arguments after the message may contain addresses and tokens.
      log: (_level, message) => settings.onWarning(message),
    },
  })

  /**
   * A person who signs up again gets a link to set a password, unless they have verified the address and have a
   * password. The link goes to the owner of the address and replaces a password that a stranger may have chosen before.
   */
  async function answerExisting(user: ExistingPerson): Promise<void> {
    const { internalAdapter } = await auth.$context
    const canSignIn = user.emailVerified && (await internalAdapter.findAccounts(user.id)).length > 0
    if (canSignIn) notices.alreadyRegistered({ to: user.email })
    else await auth.api.requestPasswordReset({ body: { email: user.email } })
  }

  return auth
}

/**
 * A rejection is an ordinary response. The library would print any other error to the console, so it is thrown for us
 * to report.
 */
function throwFault(error: unknown): void {
  if (!isAPIError(error)) throw error
}

const dates = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** The library's tables, under our names. */
const tables = {
  user: {
    modelName: 'auth_users',
    fields: { emailVerified: 'email_verified', ...dates },
  },
  session: {
    modelName: 'auth_sessions',
    fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent', ...dates },
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...dates,
    },
  },
  verification: {
    modelName: 'auth_verifications',
    fields: { expiresAt: 'expires_at', ...dates },
    // A link for a new password gives access to the account, so its identifier is stored hashed.
    storeIdentifier: 'hashed',
  },
} as const satisfies Pick<BetterAuthOptions, 'user' | 'session' | 'account' | 'verification'>

/** Columns of our own, which no request sets and no response has. */
const sessionFields = {
  signOnOrganizationId: {
    type: 'string',
    fieldName: 'sign_on_organization_id',
    required: false,
    input: false,
    returned: false,
  },
  secondFactor: {
    type: 'boolean',
    fieldName: 'second_factor',
    required: false,
    input: false,
    returned: false,
  },
} as const

/** Codes of an authenticator app after the password, and recovery codes in case the app is lost. */
function secondFactor() {
  return twoFactor({
    issuer: 'Weir',
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'auth_two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  })
}

/** Passkeys are bound to the host that people see in the address bar. */
function passkeys(publicUrl: string) {
  const { hostname, origin } = new URL(publicUrl)
  return passkey({
    rpID: hostname,
    rpName: 'Weir',
    origin,
    schema: {
      passkey: {
        modelName: 'auth_passkeys',
        fields: {
          userId: 'user_id',
          credentialID: 'credential_id',
          publicKey: 'public_key',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  })
}
