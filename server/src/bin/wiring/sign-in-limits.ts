import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createKnownDevices, type KnownDevices } from '#control/sign-in/known-devices.ts'
import { createLimitAttempts, createReportAttack, type LimitAttempts } from '#control/sign-in/limit-attempts.ts'
import { deriveKey } from '#lib/derive-key.ts'
import type { AuditTrail } from '#ports/audit.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'

/** Rate limits and notifications of sign-in attempts. */
export function wireSignInLimits(deps: {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  admission: Admission
  auditTrail: AuditTrail
  nowMs: () => number
}): { limitAttempts: LimitAttempts; devices: KnownDevices } {
  const { config, logger, metrics, admission, nowMs } = deps
  const reportAttack = createReportAttack({
    users: createPostgresOperators(deps.pools.general).users,
    audit: deps.auditTrail,
    onAttacked: (userId) => {
      metrics.accountsAttacked.inc()
      logger.warn({ userId }, 'password guessing against an account')
    },
    onFailure: (error) => logger.error({ err: error }, 'failed to report password guessing'),
  })
  return {
    devices: createKnownDevices(deriveKey(config.secret, 'known-device')),
    limitAttempts: createLimitAttempts({
      rates: admission.rates,
      failures: admission.failures,
      perMinute: config.limits.signIn,
      failuresMax: config.limits.signInFailures,
      onFailure: () => metrics.signInFailures.inc(),
      onAttacked: reportAttack,
      nowMs,
    }),
  }
}
