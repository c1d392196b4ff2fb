import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import { formatUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { createLimitUnbilled, type LimitUnbilled } from '#pipeline/admit/limit-unbilled.ts'
import { holdFor } from '#pipeline/hold-for.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'

/** What callers may leave without paying for it, and who hears of those that leave more. */
export function wireUnbilled(needs: {
  config: Config
  logger: Logger
  metrics: Metrics
  admission: Admission
  auditTrail: AuditTrail
  nowMs: () => number
}): LimitUnbilled {
  const { config, logger, metrics, admission, auditTrail, nowMs } = needs
  const onError = (error: unknown): void => logger.warn({ err: error }, 'an unbilled answer could not be counted')
  return createLimitUnbilled({
    unbilled: admission.unbilled,
    rules: { allowance: parseUsd(config.limits.unbilledUsd), percent: config.limits.unbilledPercent },
    priceOf: (candidates, { call }, outputTokens) => holdFor(candidates, call, outputTokens),
    onLeft: (worth) => metrics.unbilledUsd.inc(Number(worth) / 1e9),
    onExceeded: ({ principal }, left) => {
      const { walletId, organizationId, userId, keyId } = principal
      const leftUsd = formatUsd(left)
      metrics.unbilledExceeded.inc()
      logger.warn({ walletId, organizationId, userId, keyId, leftUsd }, 'a wallet has left too many answers unbilled')
      const target = { kind: 'wallet', id: walletId }
      const details = { organizationId, userId, keyId, leftUsd }
      const stamp = { chainId: platformChain, actor: systemActor, requestId: null }
      auditTrail.append({ ...stamp, action: 'wallet.unbilled.exceeded', target, details }).catch(onError)
    },
    onError,
    nowMs,
  })
}
