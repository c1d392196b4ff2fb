import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { AlertRule } from '#domain/alerts/judge-alerts.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The alerts of wallet owners, and which of them were sent. */
export interface Alerts {
  find(walletId: Uuid): Promise<ChosenAlerts | null>
  put(walletId: Uuid, chosen: ChosenAlerts, entry: AuditEntry): Promise<void>
  /** Wallets with alerts that changed since they were last checked. */
  listMoved(atMost: number): Promise<readonly Uuid[]>
  /** Writes the mails and webhooks that are due, once per crossing. Returns how many crossings were reported. */
  tell(walletId: Uuid, telling: Telling): Promise<number>
}

export interface Telling {
  /** The console's page for credit, which emails link to. */
  readonly creditsUrl: string
  readonly nowMs: number
}

export interface ChosenAlerts extends AlertRule {
  readonly byMail: boolean
  readonly webhookUrl: string | null
}
