import type { KeyAccount } from '#domain/access/key-account.ts'
import type { Pool, PoolClient } from 'pg'
import { type AuditAction, platformChain } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { WebhookSecrets } from '#ports/webhooks.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { ownerOf, walletOf } from '../wallets/wallet-of-account.sql.ts'
import { inTransaction } from '../with-client.ts'

const findSecret = `SELECT s.created_at FROM webhook_secrets s JOIN wallets w ON w.id = s.id
  WHERE w.owner_kind = $1 AND w.owner_id = $2`
const putSecret = `INSERT INTO webhook_secrets (id, secret) VALUES ($1, $2)
  ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, created_at = clock_timestamp()`

export function createWebhookSecrets(pool: Pool): WebhookSecrets {
  const change = (work: (client: PoolClient) => Promise<void>): Promise<void> =>
    refuseWhenAway(inTransaction(pool, 'READ COMMITTED', work))
  return {
    find: async (account) => {
      const { rows } = await refuseWhenAway(pool.query<{ created_at: Date }>(findSecret, ownerOf(account)))
      return rows[0] === undefined ? null : { createdAtMs: rows[0].created_at.getTime() }
    },
    put: (account, sealFor, author) =>
      change(async (client) => {
        const walletId = await walletOf(client, account)
        await client.query(putSecret, [walletId, JSON.stringify(sealFor(walletId))])
        await note(client, account, walletId, author, 'webhook.secret.set')
      }),
    remove: (account, author) =>
      change(async (client) => {
        const walletId = await walletOf(client, account)
        const { rowCount } = await client.query('DELETE FROM webhook_secrets WHERE id = $1', [walletId])
        if (rowCount === 1) await note(client, account, walletId, author, 'webhook.secret.remove')
      }),
  }
}

async function note(
  client: PoolClient,
  account: KeyAccount,
  walletId: Uuid,
  { actor, requestId, nowMs }: ChangeAuthor,
  action: AuditAction,
): Promise<void> {
  const chainId = account.kind === 'organization' ? account.organizationId : platformChain
  await appendAudit(client, [{ chainId, actor, requestId, action, target: { kind: 'wallet', id: walletId } }], nowMs)
}
