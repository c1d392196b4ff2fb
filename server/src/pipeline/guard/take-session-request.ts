import { GatewayError } from '#errors/gateway-error.ts'
import type { SessionQuotas } from '#ports/institutions.ts'
import type { GuardRequest } from './guard-request.ts'

/** Counts a request of an institution's session against its quotas; most have none, and cost nothing here. */
export async function takeSessionRequest(quotas: SessionQuotas, { principal }: GuardRequest): Promise<void> {
  const { institutionSession } = principal
  if (institutionSession === null || !institutionSession.hasCountedQuota) return
  const verdict = await quotas.takeRequest(institutionSession.id)
  if (verdict.allowed) return
  throw new GatewayError('sessionQuotaUsed', {
    message: `This session has used up its quota of ${verdict.quota}. A new verification begins a new session.`,
  })
}
