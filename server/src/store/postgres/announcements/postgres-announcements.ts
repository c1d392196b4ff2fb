import type { Pool } from 'pg'
import type { AnnouncementKind } from '#domain/catalogue/announced-model.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Announcements } from '#ports/announcements.ts'
import { refuseWhenAway } from '../faults.ts'
import { countCustomers } from './announced-usage.sql.ts'

/** Announcements as operators see them. */
export function createAnnouncements(pool: Pool): Announcements {
  return {
    countCustomers: (models, nowMs) => refuseWhenAway(countCustomers(pool, models, nowMs)),
    list: (limit) => refuseWhenAway(list(pool, limit)),
    listTold: (id, page) => refuseWhenAway(listTold(pool, id, page)),
  }
}

interface ListedRow {
  id: Uuid
  kind: AnnouncementKind
  created_at: Date
  finished_at: Date | null
  models: string[]
  customers: number
  mails: number
}

async function list(pool: Pool, limit: number): ReturnType<Announcements['list']> {
  const text = `SELECT a.id, a.kind, a.created_at, a.finished_at,
      ARRAY(SELECT m.model_id FROM announced_models m WHERE m.announcement_id = a.id ORDER BY m.model_id) AS models,
      t.customers, t.mails
    FROM (SELECT * FROM announcements ORDER BY created_at DESC, id DESC LIMIT $1) a
    CROSS JOIN LATERAL (SELECT count(*)::integer AS customers, coalesce(sum(mails), 0)::integer AS mails
      FROM announced_customers c WHERE c.announcement_id = a.id) t
    ORDER BY a.created_at DESC, a.id DESC`
  const { rows } = await pool.query<ListedRow>(text, [limit])
  return rows.map(({ created_at: createdAt, finished_at: finishedAt, ...row }) => {
    return { ...row, createdAtMs: createdAt.getTime(), finishedAtMs: finishedAt?.getTime() ?? null }
  })
}

interface ToldRow {
  wallet_id: Uuid
  models: string[]
  mails: number
  told_at: Date
}

async function listTold(
  pool: Pool,
  id: Uuid,
  { after, limit }: { readonly after: Uuid | null; readonly limit: number },
): ReturnType<Announcements['listTold']> {
  const text = `SELECT wallet_id, models, mails, told_at FROM announced_customers
    WHERE announcement_id = $1 AND ($2::uuid IS NULL OR wallet_id > $2) ORDER BY wallet_id LIMIT $3`
  const { rows } = await pool.query<ToldRow>(text, [id, after, limit])
  if (rows.length === 0) {
    const known = await pool.query('SELECT FROM announcements WHERE id = $1', [id])
    if (known.rowCount === 0) return null
  }
  return rows.map(({ wallet_id: walletId, told_at: toldAt, ...row }) => {
    return { ...row, walletId, toldAtMs: toldAt.getTime() }
  })
}
