import type { Pool, PoolClient } from 'pg'
import { alertEvent } from '#domain/alerts/alert-event.ts'
import { alertWords } from '#domain/alerts/alert-words.ts'
import { type Alert, judgeAlerts } from '#domain/alerts/judge-alerts.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Alerts, ChosenAlerts, Telling } from '#ports/alerts.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { inTransaction } from '../with-client.ts'
import {
  deleteTold,
  findAlerts,
  insertAlertWebhook,
  insertTold,
  listMoved,
  lockAlerts,
  noteTotals,
  readBudgets,
  readTold,
  upsertAlerts,
} from './alerts.sql.ts'

/** Alerts on Postgres. An alert is written with its mails and webhooks in one transaction. */
export function createAlerts(pool: Pool): Alerts {
  return {
    find: (walletId) => refuseWhenAway(findAlerts(pool, walletId)),
    put: (walletId, chosen, entry) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          await upsertAlerts(client, walletId, chosen)
          await appendAudit(client, [entry], Date.now())
        }),
      ),
    listMoved: (atMost) => listMoved(pool, atMost),
    tell: (walletId, telling) => inTransaction(pool, 'READ COMMITTED', (client) => tell(client, walletId, telling)),
  }
}

async function tell(client: PoolClient, walletId: Uuid, telling: Telling): Promise<number> {
  const { nowMs } = telling
  const chosen = await lockAlerts(client, walletId)
  if (chosen === null) return 0
  // First, so that changes from now on are checked again.
  const { balance, organization } = await noteTotals(client, walletId)
  const standing = {
    walletId,
    balance,
    budgets: await readBudgets(client, walletId, nowMs),
    told: await readTold(client, walletId),
  }
  const verdict = judgeAlerts(chosen, standing)
  if (verdict.rearmed.length > 0) await deleteTold(client, walletId, verdict.rearmed)
  if (verdict.crossed.length > 0) await insertTold(client, walletId, verdict.crossed)
  for (const alert of verdict.tell) await write(client, { alert, chosen, walletId, organization, ...telling })
  return verdict.tell.length
}

interface WrittenAlert extends Telling {
  readonly alert: Alert
  readonly chosen: ChosenAlerts
  readonly walletId: Uuid
  readonly organization: string | null
}

async function write(
  client: PoolClient,
  { alert, chosen, walletId, organization, creditsUrl, nowMs }: WrittenAlert,
): Promise<void> {
  if (chosen.byMail) {
    const notice = { kind: 'alert', about: alert.kind, words: alertWords(alert), organization } as const
    await queueNotice(client, walletId, { notice, creditsUrl, nowMs, roles: ['org_admin', 'billing_viewer'] })
  }
  if (chosen.webhookUrl === null) return
  const id = newUuid(nowMs)
  const body = JSON.stringify(alertEvent(alert, { id, walletId, nowMs }))
  await insertAlertWebhook(client, { id, walletId, url: chosen.webhookUrl, body })
}
