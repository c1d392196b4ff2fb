import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import { requestOutcome } from '#domain/ledger/request-outcome.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import type { OperatedRequest } from '#ports/operated-requests.ts'

export function renderOperatedRequest(request: OperatedRequest): JsonObject {
  const { id, customer, key, cost } = request
  return {
    id: publicGenerationId(id),
    request_id: publicRequestId(id),
    received_at: new Date(uuidTimeMs(id)).toISOString(),
    outcome: requestOutcome(request),
    customer: customer === null ? null : { ...customer },
    wallet_id: request.walletId,
    key: { ...key },
    endpoint: request.endpoint,
    model: request.model,
    provider: request.provider,
    status: request.status,
    error: request.error,
    cost: usdJson(cost),
    duration_ms: request.durationMs,
    attempt_count: request.attemptCount,
  }
}
