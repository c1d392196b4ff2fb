import type { Pool } from 'pg'
import type { SealingKey } from '#lib/seal.ts'
import type { WebhookQueue } from '#ports/webhooks.ts'
import { persistently } from '../persistently.ts'
import { claimWebhooks } from './claim-webhooks.sql.ts'
import { noteDelivered, noteFailed } from './note-webhook.sql.ts'

export function createWebhookQueue(pool: Pool, sealingKey: SealingKey): WebhookQueue {
  return {
    claim: (room, claimMs) => claimWebhooks(pool, sealingKey, room, claimMs),
    delivered: (delivery, status) => persistently(() => noteDelivered(pool, delivery, status)),
    failed: (delivery, outcome) => persistently(() => noteFailed(pool, delivery, outcome)),
  }
}
