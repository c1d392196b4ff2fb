import type { Pool } from 'pg'
import type { AnnouncedModel, AnnouncementKind } from '#domain/catalogue/announced-model.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Notices } from '#ports/announcements.ts'
import { refuseWhenAway } from '../faults.ts'

/** Notices as customers see them in the console. */
export function createNotices(pool: Pool): Notices {
  return {
    list: (walletId, userId) => refuseWhenAway(list(pool, walletId, userId)),
    async dismiss({ id, walletId, userId }) {
      const text = `WITH mine AS (SELECT announcement_id, wallet_id FROM announced_customers
          WHERE announcement_id = $1 AND wallet_id = $2
        ), added AS (INSERT INTO notice_dismissals (announcement_id, wallet_id, user_id)
          SELECT announcement_id, wallet_id, $3 FROM mine ON CONFLICT DO NOTHING)
        SELECT FROM mine`
      return (await refuseWhenAway(pool.query(text, [id, walletId, userId]))).rowCount === 1
    },
  }
}

const noticesMax = 20
const modelsMax = 50

interface Row {
  id: Uuid
  kind: AnnouncementKind
  created_at: Date
  dismissed: boolean
  model_count: number
  changes: AnnouncedModel[]
}

async function list(pool: Pool, walletId: Uuid, userId: Uuid | null): ReturnType<Notices['list']> {
  const text = `SELECT a.id, a.kind, a.created_at, cardinality(c.models) AS model_count,
      EXISTS (SELECT FROM notice_dismissals d WHERE d.announcement_id = a.id AND d.wallet_id = c.wallet_id
        AND d.user_id = $2) AS dismissed,
      (SELECT coalesce(jsonb_agg(m.change || jsonb_build_object('id', m.model_id) ORDER BY m.model_id), '[]')
        FROM announced_models m WHERE m.announcement_id = a.id
          AND m.model_id = ANY (c.models[1:${modelsMax}])) AS changes
    FROM (SELECT * FROM announced_customers WHERE wallet_id = $1
        ORDER BY told_at DESC, announcement_id DESC LIMIT ${noticesMax}) c
      JOIN announcements a ON a.id = c.announcement_id
    ORDER BY a.created_at DESC, a.id DESC`
  const { rows } = await pool.query<Row>(text, [walletId, userId])
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    announcedAtMs: row.created_at.getTime(),
    isDismissed: row.dismissed,
    models: row.changes,
    modelCount: row.model_count,
  }))
}
