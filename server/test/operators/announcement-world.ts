import { expect } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { createAnnouncementRounds } from '#store/postgres/announcements/announcement-rounds.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { dayMs } from '#test/setup/day.ts'
import { startTestGateway } from '#test/setup/gateway.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'

const catalogue = '/api/admin/catalogue'
export const creditsUrl = 'https://weir.test/console/credits'

export interface FileModel {
  readonly id: string
  readonly usd?: string
  readonly retiresOn?: string
}

interface QueuedMail {
  to: string
  subject: string
  body: string
}

export type AnnouncementWorld = Awaited<ReturnType<typeof startAnnouncementWorld>>

/** A gateway whose operator changes prices, customers who use models, and what they are told. */
export async function startAnnouncementWorld() {
  const gateway = await startTestGateway()
  const operator = (await gateway.addOperatorKey()).key

  const get = (path: string) => gateway.as(operator).get(`${catalogue}${path}`)
  const post = (path: string, body: JsonObject) => gateway.as(operator).post(`${catalogue}${path}`, body)
  const rounds = () => createAnnouncementRounds(gateway.pool)

  async function plan(...models: readonly FileModel[]): Promise<JsonObject> {
    const { status, json, text } = await post('/plan', { name: 'models.json', file: fileOf(models) })
    expect(status, text).toBe(201)
    return objectAt(json, 'data')
  }

  async function apply(models: readonly FileModel[], wish: JsonObject = {}): Promise<JsonObject> {
    const { id } = await plan(...models)
    const { status, json, text } = await post('/plan/approve', { planId: String(id), doubtful: 'confirm', ...wish })
    expect(status, text).toBe(200)
    return objectAt(json, 'data')
  }

  /** Everything that a worker has to do at this moment. */
  async function workAt(nowMs = Date.now(), atMost = 100): Promise<number> {
    await rounds().remind(nowMs)
    let told = 0
    for (;;) {
      const batch = await rounds().tellNext(atMost, { creditsUrl, nowMs })
      if (batch === null) return told
      told += batch.told
    }
  }

  /** A request of a customer, `daysAgo` days ago. */
  async function use(walletId: string, model: string, { daysAgo = 1, failed = false } = {}): Promise<void> {
    const startedAtMs = Date.now() - daysAgo * dayMs
    const cost = nanoUsd(failed ? 0n : 1_000_000n)
    const settled = { id: newUuid(startedAtMs), walletId, keyId: newUuid(0), userId: null }
    const { record } = settleEntry(settled, cost, { startedAtMs })
    const usage = { ...noUsage, uncachedInput: 1_000 }
    const outcome = failed ? ({ refundReason: 'upstream_failed' } as const) : {}
    await settleGenerations(gateway.pool, [
      { record: { ...record, model, provider: 'acme', usage, cost, ...outcome }, windows: [] },
    ])
    await rollUpUsage(gateway.pool)
  }

  async function mails(): Promise<QueuedMail[]> {
    const { rows } = await gateway.pool.query<QueuedMail>(
      `SELECT coalesce(m.address, u.email) AS to, m.subject, m.body FROM mail_outbox m LEFT JOIN users u ON u.id = m.user_id
       WHERE m.class = 'notice' ORDER BY 1, m.created_at, m.id`,
    )
    return rows
  }

  const sessionOf = async (userId: string) => gateway.as({ cookie: await gateway.signIn(userId) })

  async function emailOf(userId: string): Promise<string> {
    const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    return rows[0]?.email ?? ''
  }

  const undo = async (wish: JsonObject) => {
    const { json } = await get('/undo')
    return post('/undo', { importId: String(objectAt(json, 'data')['import_id']), ...wish })
  }

  return { gateway, get, rounds, plan, apply, undo, workAt, use, mails, sessionOf, emailOf }
}

/** A model id that no other test uses. */
export function named(name: string): string {
  return `acme/${name}-${newUuid(Date.now()).slice(-6)}`
}

function fileOf(models: readonly FileModel[]): string {
  const modalities = { input_modalities: ['text'], output_modalities: ['text'] }
  return JSON.stringify(
    models.map(({ id, usd = '0.000001', retiresOn }) => ({
      id,
      kind: 'chat',
      provider: 'acme',
      upstream_model_id: 'name',
      ...modalities,
      pricing: { prompt: usd, completion: usd },
      ...(retiresOn === undefined ? {} : { deprecation_date: retiresOn }),
    })),
  )
}
