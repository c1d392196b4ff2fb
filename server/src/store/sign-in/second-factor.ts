import { twoFactor } from 'better-auth/plugins/two-factor'

/** Codes of an authenticator app after the password, and codes for when it is lost. */
export function secondFactor() {
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
