import type { FoundRequest } from '#control/generations/find-request.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import { purchaseCostOf } from '#domain/ledger/provider-cost-of.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import { renderRefusalReason } from '../generations/refusal-entry.ts'
import { renderGeneration } from '../account/render-generation.ts'
import { renderTransfer } from '../wallets/render-wallet.ts'

/**
 * A request for operators: the client's receipt, its owner, the provider accounts of its attempts, and their messages.
 */
export function renderRequest({ id, trace, generation, transfers }: FoundRequest): JsonObject {
  const { hold, video, key } = trace
  return {
    id: publicGenerationId(id),
    request_id: publicRequestId(id),
    received_at: new Date(uuidTimeMs(id)).toISOString(),
    state: trace.state,
    wallet_id: trace.walletId,
    key: { ...key },
    user: trace.user === null ? null : { ...trace.user },
    organization: trace.organization === null ? null : { ...trace.organization },
    team: trace.team === null ? null : { ...trace.team },
    member_id: trace.memberId,
    hold: hold === null ? null : { held: usdJson(hold.amount), lease_until: new Date(hold.leaseUntilMs).toISOString() },
    refusal:
      trace.refusal === null
        ? null
        : { endpoint: trace.refusal.endpoint, model: trace.refusal.model, ...renderRefusalReason(trace.refusal) },
    video_state: video?.state ?? null,
    attempts: (generation?.record.attempts ?? video?.attempts ?? []).map(renderAttempt),
    provider_cost: generation === null ? null : usdJson(purchaseCostOf(generation.record)),
    transfers: transfers.map(renderTransfer),
    receipt: generation === null ? null : renderGeneration(generation),
  }
}

function renderAttempt({
  model,
  provider,
  account,
  outcome,
  status,
  durationMs,
  ownKey,
  said,
  estimatedUsd,
}: Attempt): JsonObject {
  return {
    model,
    provider,
    account: account ?? null,
    own_key: ownKey === true,
    outcome,
    status,
    duration_ms: durationMs,
    said: said ?? null,
    estimated_cost_usd: estimatedUsd ?? null,
  }
}
