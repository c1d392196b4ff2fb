import type { BetterAuthOptions } from 'better-auth'

const dates = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** The library's tables, under our names. */
export const tables = {
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
    // A link for a new password is worth the account.
    storeIdentifier: 'hashed',
  },
} as const satisfies Pick<BetterAuthOptions, 'user' | 'session' | 'account' | 'verification'>
