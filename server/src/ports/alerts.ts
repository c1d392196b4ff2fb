import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { AlertRule } from '#domain/alerts/judge-alerts.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What owners of wallets want to be told, and what they were. */
export interface Alerts {
  find(walletId: Uuid): Promise<ChosenAlerts | null>
  put(walletId: Uuid, chosen: ChosenAlerts, entry: AuditEntry): Promise<void>
  /** Wallets with alerts of which something was booked since they were looked at. */
  listMoved(atMost: number): Promise<readonly Uuid[]>
  /** Writes the mails and webhooks that are due, each crossing once. Answers how many crossings were told. */
  tell(walletId: Uuid, nowMs: number): Promise<number>
}

export interface ChosenAlerts extends AlertRule {
  readonly byMail: boolean
  readonly webhookUrl: string | null
}
