import type { Pool } from 'pg'
import type { WebhookQueue } from '#ports/webhooks.ts'
import { claimWebhooks } from './claim-webhooks.sql.ts'
import { noteWebhook } from './note-webhook.sql.ts'

export function createWebhookQueue(pool: Pool): WebhookQueue {
  return {
    claim: (atMost, claimMs) => claimWebhooks(pool, atMost, claimMs),
    delivered: (id, status) => noteWebhook(pool, { id, status, error: null, againInMs: null }),
    failed: (id, { status, error, againInMs }) => noteWebhook(pool, { id, status, error, againInMs }),
  }
}
