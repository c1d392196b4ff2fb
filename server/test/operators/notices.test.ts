import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { purgeToldCustomers } from '#store/postgres/announcements/purge-announcements.sql.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
import { type AnnouncementWorld, named, startAnnouncementWorld } from './announcement-world.ts'

describe('notices of announcements', () => {
  let world: AnnouncementWorld
  beforeAll(async () => {
    world = await startAnnouncementWorld()
  })
  afterAll(() => world.gateway.close())
  beforeEach(async () => {
    await world.gateway.pool.query('TRUNCATE announcements CASCADE')
    await world.gateway.pool.query('DELETE FROM mail_outbox')
  })

  async function toldOrganization() {
    const [model, other] = [named('one'), named('other')]
    await world.apply([{ id: model }, { id: other }])
    const organization = await world.gateway.createOrganization()
    const people = [
      await world.gateway.addMember(organization.id, { role: 'org_admin' }),
      await world.gateway.addMember(organization.id, { role: 'billing_viewer' }),
      await world.gateway.addMember(organization.id, { role: 'member' }),
    ] as const
    await world.use(organization.walletId, model)
    await world.use((await world.gateway.createClient()).walletId, other)
    await world.apply([
      { id: model, usd: '0.0000015', retiresOn: '2099-01-31' },
      { id: other, usd: '0.000002' },
    ])
    await world.workAt()
    const path = `/api/wallets/${organization.id}/notices`
    const [admin, viewer, member] = await Promise.all(people.map(({ userId }) => world.sessionOf(userId)))
    if (admin === undefined || viewer === undefined || member === undefined) throw new Error('nobody signed in')
    return { model, path, admin, viewer, member }
  }

  it('a customer sees the models that it uses with both prices, and no other', async () => {
    const { model, path, admin, member } = await toldOrganization()
    const { status, json } = await admin.get(path)
    expect(status).toBe(200)
    const price = { provider: 'acme', variant: '', when: '', per: 'million', from: '1', to: '1.5' }
    expect(json).toEqual({
      data: [
        {
          id: expect.any(String),
          kind: 'change',
          announced_at: expect.any(String),
          dismissed: false,
          model_count: 1,
          models: [
            {
              id: model,
              name: expect.any(String),
              prices: [
                { ...price, unit: 'prompt' },
                { ...price, unit: 'completion' },
              ],
              retirement: { from: null, to: '2099-01-31' },
            },
          ],
        },
      ],
    })
    expect((await member.get(path)).status).toBe(403)
  })

  it('each person dismisses a notice alone', async () => {
    const { path, admin, viewer, member } = await toldOrganization()
    const [{ id }] = (await admin.get(path)).json['data'] as [{ id: string }]
    const dismissed = async (who: typeof admin) =>
      ((await who.get(path)).json['data'] as JsonObject[]).map((notice) => notice['dismissed'])
    expect((await member.post(`${path}/${id}/dismiss`, {})).status).toBe(403)
    expect((await viewer.post(`${path}/${id}/dismiss`, {})).status).toBe(204)
    expect((await viewer.post(`${path}/${id}/dismiss`, {})).status).toBe(204)
    expect([await dismissed(admin), await dismissed(viewer)]).toEqual([[false], [true]])
    expect((await admin.post(`${path}/${newUuid(0)}/dismiss`, {})).status).toBe(404)
    // The notice of another customer does not exist for this one.
    const other = await toldOrganization()
    expect((await other.admin.post(`${other.path}/${id}/dismiss`, {})).status).toBe(404)
  })

  it('dismissals end with the person, and records of told customers after 400 days', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const ada = await world.gateway.createClient()
    await world.use(ada.walletId, model)
    await world.apply([{ id: model, usd: '0.000002' }])
    await world.workAt()
    const session = await world.sessionOf(ada.userId)
    const path = `/api/wallets/${ada.walletId}/notices`
    const [{ id }] = (await session.get(path)).json['data'] as [{ id: string }]
    await session.post(`${path}/${id}/dismiss`, {})
    const count = async (table: string) =>
      (await world.gateway.pool.query(`SELECT FROM ${table} WHERE announcement_id = $1`, [id])).rowCount
    expect(await count('notice_dismissals')).toBe(1)
    await erasePerson(world.gateway.pool, ada.userId, {
      actor: { kind: 'operator', id: null, name: null },
      requestId: null,
      nowMs: Date.now(),
    })
    expect(await count('notice_dismissals')).toBe(0)
    const age = (days: number) =>
      world.gateway.pool.query(`UPDATE announcements SET created_at = now() - $1::integer * interval '1 day'`, [days])
    await age(399)
    expect(await purgeToldCustomers(world.gateway.pool, 10)).toBe(0)
    await age(401)
    expect(await purgeToldCustomers(world.gateway.pool, 10)).toBe(1)
    expect(await count('announced_customers')).toBe(0)
  })
})
