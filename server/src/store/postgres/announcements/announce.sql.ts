import type { PoolClient } from 'pg'
import type { AnnouncedModel, AnnouncementKind } from '#domain/catalogue/announced-model.ts'
import { reminderDays } from '#domain/catalogue/life-cycle.ts'
import { dateOf, dayMs } from '#lib/utc-calendar.ts'
import { newUuid } from '#lib/uuid.ts'

/** Adds an announcement in the transaction of the change. A worker tells the customers. */
export async function addAnnouncement(
  client: PoolClient,
  { kind, models, nowMs }: { kind: AnnouncementKind; models: readonly AnnouncedModel[]; nowMs: number },
): Promise<void> {
  const id = newUuid(nowMs)
  await client.query('INSERT INTO announcements (id, kind, created_at) VALUES ($1, $2, $3)', [
    id,
    kind,
    new Date(nowMs),
  ])
  const text = `INSERT INTO announced_models (announcement_id, model_id, change)
    SELECT $1, id, change FROM json_to_recordset($2::json) AS each (id text, change jsonb)`
  await client.query(text, [id, JSON.stringify(models.map(({ id: model, ...change }) => ({ id: model, change })))])
}

/**
 * Notes that customers need no reminder of dates that become known within the last week: either they are told now, or
 * the operator has decided that they are not.
 */
export async function noteNearRetirements(
  client: PoolClient,
  models: readonly AnnouncedModel[],
  nowMs: number,
): Promise<void> {
  const near = models.flatMap(({ id, retirement }) =>
    typeof retirement?.to === 'string' && retirement.to <= reminderDate(nowMs) ? [{ id, on: retirement.to }] : [],
  )
  if (near.length === 0) return
  const text = `INSERT INTO retirement_reminders (model_id, retires_on)
    SELECT id, "on" FROM json_to_recordset($1::json) AS each (id text, "on" date) ON CONFLICT DO NOTHING`
  await client.query(text, [JSON.stringify(near)])
}

/** The last date that a reminder is due for. */
export function reminderDate(nowMs: number): string {
  return dateOf(nowMs + reminderDays * dayMs)
}
