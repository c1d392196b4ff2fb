import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import { alertWords } from './alert-words.ts'
import type { Alert } from './judge-alerts.ts'

/** The body of an alert webhook. */
export function alertEvent(
  alert: Alert,
  { id, walletId, nowMs }: { id: Uuid; walletId: Uuid; nowMs: number },
): JsonObject {
  const common = { id, wallet_id: walletId, created_at: new Date(nowMs).toISOString(), message: alertWords(alert) }
  if (alert.kind === 'balance') {
    return {
      type: 'alert.balance_low',
      ...common,
      data: { balance: usdJson(alert.balance), threshold: usdJson(alert.below) },
    }
  }
  const { kind, ownerId, name, limit, spent, startsAtMs } = alert.budget
  return {
    type: 'alert.budget',
    ...common,
    data: {
      scope: kind,
      owner_id: ownerId,
      name,
      limit: usdJson(limit),
      spent: usdJson(spent),
      percent: alert.percent,
      window_starts_at: startsAtMs === 0 ? null : new Date(startsAtMs).toISOString(),
    },
  }
}
