import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { noticeDays } from '#domain/sign-on/certificate-notice.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CertificateNotices } from '#ports/sign-on.ts'
import { refuseWhenAway } from '../faults.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { inTransaction } from '../with-client.ts'

export function createCertificateNotices(pool: Pool): CertificateNotices {
  return {
    list: (query) => refuseWhenAway(listEnabled(pool, query)),
    tell: ({ connection, certificate, days, endsAtMs }, { creditsUrl, nowMs }) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          // The notices that a stopped worker has missed are not sent after a later one.
          const text = `INSERT INTO sign_on_certificate_notices (connection_id, certificate_hash, days)
            SELECT $1, $2, each.days FROM unnest($3::integer[]) AS each (days) ON CONFLICT DO NOTHING RETURNING days`
          const passed = noticeDays.filter((each) => each >= days)
          const values = [connection.id, hash('sha256', certificate, 'buffer'), passed]
          const { rows } = await client.query<{ days: number }>(text, values)
          if (!rows.some((row) => row.days === days)) return false
          const { name, organization } = connection
          const page = new URL(`o/${organization.slug}/sign-on`, creditsUrl).href
          const notice = { kind: 'certificate_ends', days, endsAtMs, connection: name, page } as const
          await queueNotice(client, organization.walletId, {
            notice: { ...notice, organization: organization.name },
            creditsUrl,
            nowMs,
          })
          return true
        }),
      ),
  }
}

async function listEnabled(
  pool: Pool,
  { after, atMost }: { after: Uuid | null; atMost: number },
): ReturnType<CertificateNotices['list']> {
  const text = `SELECT c.id, c.name, c.settings -> 'certificates' AS certificates, o.name AS organization, o.slug,
      w.id AS wallet_id
    FROM sign_on_connections c JOIN organizations o ON o.id = c.organization_id AND o.suspended_at IS NULL
    JOIN wallets w ON w.owner_kind = 'organization' AND w.owner_id = o.id
    WHERE c.enabled AND c.kind = 'saml' AND ($1::uuid IS NULL OR c.id > $1) ORDER BY c.id LIMIT $2`
  const { rows } = await pool.query<{
    id: string
    name: string
    certificates: string[]
    organization: string
    slug: string
    wallet_id: string
  }>(text, [after, atMost])
  return rows.map(({ id, name, certificates, organization, slug, wallet_id }) => ({
    id,
    name,
    certificates,
    organization: { name: organization, slug, walletId: wallet_id },
  }))
}
