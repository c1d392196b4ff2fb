import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { Log } from '#lib/log.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Ticket } from '../types.ts'

/** Tells the operator, by figure, log and audit entry, of a wallet that has left more answers unbilled than it may. */
export function createReportExceeded(deps: {
  readonly count: () => void
  readonly log: Pick<Log, 'warn'>
  readonly audit: Pick<AuditTrail, 'append'>
  readonly onError: (error: unknown) => void
}): (ticket: Ticket, left: NanoUsd) => void {
  return ({ principal }, left) => {
    const { walletId, organizationId, userId, keyId } = principal
    const leftUsd = formatUsd(left)
    deps.count()
    deps.log.warn({ walletId, organizationId, userId, keyId, leftUsd }, 'a wallet has left too many answers unbilled')
    deps.audit
      .append({
        chainId: platformChain,
        actor: systemActor,
        requestId: null,
        action: 'wallet.unbilled.exceeded',
        target: { kind: 'wallet', id: walletId },
        details: { organizationId, userId, keyId, leftUsd },
      })
      .catch(deps.onError)
  }
}
