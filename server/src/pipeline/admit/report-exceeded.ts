import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { Log } from '#lib/log.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Ticket } from '../types.ts'

/** Reports a wallet that reached its daily limit of unbilled and absorbed costs: by metric, log and audit entry. */
export function createReportExceeded(deps: {
  readonly count: () => void
  readonly log: Pick<Log, 'warn'>
  readonly audit: Pick<AuditTrail, 'append'>
  readonly onError: (error: unknown) => void
}): (ticket: Ticket, sums: Pick<UnbilledSums, 'left' | 'borne'>) => void {
  return ({ principal }, { left, borne }) => {
    const { walletId, organizationId, userId, keyId } = principal
    const [leftUsd, borneUsd] = [formatUsd(left), formatUsd(borne)]
    deps.count()
    const event = { walletId, organizationId, userId, keyId, leftUsd, borneUsd }
    deps.log.warn(event, 'wallet exceeded its daily limit of unpaid cost')
    deps.audit
      .append({
        chainId: platformChain,
        actor: systemActor,
        requestId: null,
        action: 'wallet.unbilled.exceeded',
        target: { kind: 'wallet', id: walletId },
        details: { organizationId, userId, keyId, leftUsd, borneUsd },
      })
      .catch(deps.onError)
  }
}
