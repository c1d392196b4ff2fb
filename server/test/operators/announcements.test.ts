import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { announcementPart } from '#jobs/catalogue/announcement-part.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { dayMs } from '#test/setup/day.ts'
import { type AnnouncementWorld, creditsUrl, named, startAnnouncementWorld } from './announcement-world.ts'

/** The day that a test begins, so that midnight changes nothing. */
const startMs = Date.now()
const dateIn = (days: number): string => new Date(startMs + days * dayMs).toISOString().slice(0, 10)

describe('announcements of changed prices and retirements', () => {
  let world: AnnouncementWorld
  beforeAll(async () => {
    world = await startAnnouncementWorld()
  })
  afterAll(() => world.gateway.close())
  beforeEach(async () => {
    await world.gateway.pool.query('TRUNCATE announcements CASCADE')
    await world.gateway.pool.query('DELETE FROM mail_outbox')
  })

  async function usedModel(retiresOn: string, wish: JsonObject = {}): Promise<{ id: string }> {
    const id = named('old')
    await world.apply([{ id }])
    const { walletId } = await world.gateway.createClient()
    await world.use(walletId, id)
    await world.apply([{ id, retiresOn }], wish)
    return { id }
  }
  const subjects = async (id: string) =>
    (await world.mails()).filter(({ body }) => body.includes(id)).map(({ subject }) => subject)

  it('tells every customer of the last 30 days once, in one email for all models', async () => {
    const [one, two, other] = [named('one'), named('two'), named('other')]
    await world.apply([{ id: one }, { id: two }, { id: other }])
    const ada = await world.gateway.createClient()
    const stranger = await world.gateway.createClient()
    const former = await world.gateway.createClient()
    await world.use(ada.walletId, one)
    await world.use(ada.walletId, two)
    await world.use(stranger.walletId, other)
    await world.use(former.walletId, one, { daysAgo: 32 })
    const changes = [{ id: one, usd: '0.0000015' }, { id: two, retiresOn: '2099-01-31' }, { id: other }]
    expect(await world.plan(...changes)).toMatchObject({ announcement: { models: 2, customers: 1 } })
    expect(await world.apply(changes)).toMatchObject({ models_announced: 2 })
    // Two workers at the same moment, and one later, tell nobody twice.
    await Promise.all([world.workAt(), world.workAt()])
    await world.workAt()
    const [mail, ...rest] = await world.mails()
    expect(rest).toEqual([])
    expect(mail).toMatchObject({
      to: await world.emailOf(ada.userId),
      subject: 'Changed prices and retirement dates of models that you use',
    })
    expect(mail?.body).toContain(`\n${one}\n  acme, prompt: $1.00 to $1.50 per million tokens\n`)
    expect(mail?.body).toContain(`\n${two}\n  Retires on 2099-01-31 (UTC)\n`)
    expect(mail?.body).not.toContain(other)
    expect(mail?.body).toContain('\nhttps://weir.test/console\n')
    expect(mail?.body).not.toContain('purchase')
  })

  it('tells the admins and billing viewers of an organization, and its billing address', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const organization = await world.gateway.createOrganization({ name: 'Heavy Users' })
    const admin = await world.gateway.addMember(organization.id, { role: 'org_admin' })
    const viewer = await world.gateway.addMember(organization.id, { role: 'billing_viewer' })
    const suspended = await world.gateway.addMember(organization.id, { role: 'org_admin' })
    await world.gateway.pool.query('UPDATE members SET suspended_at = now() WHERE id = $1', [suspended.memberId])
    await world.gateway.addMember(organization.id, { role: 'member' })
    await world.gateway.pool.query(
      `INSERT INTO billing_profiles (wallet_id, name, address, email) VALUES ($1, 'Heavy', 'Road 1', 'bills@heavy.example')`,
      [organization.walletId],
    )
    await world.use(organization.walletId, model)
    await world.apply([{ id: model, usd: '0.000002' }])
    await world.workAt()
    const sent = await world.mails()
    const people = [await world.emailOf(admin.userId), await world.emailOf(viewer.userId)]
    expect(sent.map(({ to }) => to)).toEqual([...people, 'bills@heavy.example'].toSorted())
    expect(sent[0]?.body).toContain('Organization: Heavy Users')
    const { rows } = await world.gateway.pool.query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [
      organization.id,
    ])
    expect(sent[0]?.body).toContain(`https://weir.test/console/o/${rows[0]?.slug}\n`)
    expect((await world.get('/announcements')).json).toMatchObject({ data: [{ customers: 1, emails: 3 }] })
  })

  it('sends the billing address no second email if a member has it', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const organization = await world.gateway.createOrganization({ name: 'Small' })
    const admin = await world.gateway.addMember(organization.id, { role: 'org_admin' })
    const email = await world.emailOf(admin.userId)
    await world.gateway.pool.query(
      `INSERT INTO billing_profiles (wallet_id, name, address, email) VALUES ($1, 'Small', 'Road 1', upper($2))`,
      [organization.walletId, email],
    )
    await world.use(organization.walletId, model)
    await world.apply([{ id: model, usd: '0.000002' }])
    await world.workAt()
    expect((await world.mails()).map(({ to }) => to)).toEqual([email])
  })

  it('tells nobody if the operator decides so, about new models, or about models without a change', async () => {
    const [model, same] = [named('one'), named('same')]
    await world.apply([{ id: model }, { id: same }])
    const ada = await world.gateway.createClient()
    await world.use(ada.walletId, model)
    await world.use(ada.walletId, same)
    expect(await world.apply([{ id: model, usd: '0.000002' }, { id: same }], { announce: false })).toMatchObject({
      models_announced: 0,
    })
    expect((await world.get('/announcements')).json).toEqual({ data: [] })
    expect(await world.workAt()).toBe(0)
    expect(await world.mails()).toEqual([])
  })

  it('leaves out customers whose requests all failed', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const ada = await world.gateway.createClient()
    await world.use(ada.walletId, model, { failed: true })
    await world.apply([{ id: model, usd: '0.000002' }])
    expect(await world.workAt()).toBe(0)
  })

  it('tells of an undone import, unless the operator decides otherwise', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const ada = await world.gateway.createClient()
    await world.use(ada.walletId, model)
    await world.apply([{ id: model, usd: '0.000002' }])
    await world.apply([{ id: model, usd: '0.000003' }])
    await world.workAt()
    await world.gateway.pool.query('DELETE FROM mail_outbox')
    expect((await world.undo({ announce: false })).json).toMatchObject({ data: { models_announced: 0 } })
    expect(await world.workAt()).toBe(0)
    expect((await world.undo({})).json).toMatchObject({ data: { models_announced: 1 } })
    await world.workAt()
    const [mail, ...rest] = await world.mails()
    expect(rest).toEqual([])
    expect(mail?.body).toContain('acme, prompt: $2.00 to $1.00 per million tokens')
  })

  it('continues where a worker stopped, in batches, and shows the operator who was told', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const organization = await world.gateway.createOrganization({ name: 'Named Here' })
    const wallets = [organization.walletId]
    for (let made = 0; made < 4; made += 1) wallets.push((await world.gateway.createClient()).walletId)
    for (const walletId of wallets) await world.use(walletId, model)
    await world.apply([{ id: model, usd: '0.000002' }])
    expect(await world.rounds().tellNext(2, { creditsUrl, nowMs: Date.now() })).toEqual({ told: 2 })
    const { json } = await world.get('/announcements')
    expect(json).toMatchObject({
      data: [{ kind: 'change', finished_at: null, model_count: 1, models: [model], customers: 2 }],
    })
    expect(await world.workAt(Date.now(), 2)).toBe(3)
    const after = (await world.get('/announcements')).json
    expect(after).toMatchObject({ data: [{ finished_at: expect.any(String), customers: 5, emails: 4 }] })
    const [{ id }] = after['data'] as [{ id: string }]
    const first = (await world.get(`/announcements/${id}/customers?limit=3`)).json
    const rest = (await world.get(`/announcements/${id}/customers?after=${String(first['next_cursor'])}`)).json
    const told = [...(first['data'] as JsonObject[]), ...(rest['data'] as JsonObject[])]
    expect(told.map(({ wallet_id }) => wallet_id)).toEqual(wallets.toSorted())
    expect(rest['next_cursor']).toBeNull()
    const customer = { kind: 'organization', id: organization.id, name: 'Named Here' }
    expect(told).toContainEqual(
      expect.objectContaining({ wallet_id: organization.walletId, customer, models: [model], emails: 0 }),
    )
    expect((await world.get(`/announcements/${newUuid(0)}/customers`)).status).toBe(404)
    expect((await world.get('/announcements/none/customers')).status).toBe(404)
    expect((await world.get(`/announcements/${id}/customers?after=none`)).status).toBe(400)
  })

  it('a worker tells everyone in its rounds, and writes how many it told', async () => {
    const model = named('one')
    await world.apply([{ id: model }])
    const ada = await world.gateway.createClient()
    await world.use(ada.walletId, model)
    await world.apply([{ id: model, usd: '0.000002' }])
    const lines: unknown[] = []
    const log = { info: (facts: unknown, text: unknown) => void lines.push([facts, text]) }
    const part = announcementPart({ rounds: world.rounds(), creditsUrl, log, nowMs: Date.now })
    const { signal } = new AbortController()
    expect([await part.run(signal), await part.run(signal)]).toEqual([true, false])
    expect(lines).toEqual([[{ customers: 1 }, 'announced catalogue changes']])
  })

  describe('of retirements', () => {
    const announced = 'Changed retirement dates of models that you use'
    const reminder = 'Models that you use retire soon'

    it('are sent when the date becomes known, and again 7 days before, once each', async () => {
      const { id } = await usedModel(dateIn(20))
      await world.workAt()
      await world.workAt(startMs + 12 * dayMs)
      expect(await subjects(id)).toEqual([announced])
      const due = startMs + 13 * dayMs
      await Promise.all([world.workAt(due), world.workAt(due)])
      await world.workAt(due + dayMs)
      expect(await subjects(id)).toEqual([announced, reminder])
      await world.workAt(startMs + 21 * dayMs)
      expect(await subjects(id)).toHaveLength(2)
    })

    it('remind once more of a date that moved', async () => {
      const { id } = await usedModel(dateIn(20))
      await world.workAt(startMs + 14 * dayMs)
      expect(await subjects(id)).toEqual([announced, reminder])
      await world.apply([{ id, retiresOn: dateIn(25) }])
      await world.workAt(startMs + 15 * dayMs)
      expect(await subjects(id)).toEqual([announced, reminder, announced])
      await world.workAt(startMs + 18 * dayMs)
      expect(await subjects(id)).toEqual([announced, reminder, announced, reminder])
    })

    it.each([
      [true, [announced]],
      [false, []],
    ])('are not repeated for a date within 7 days, with announce %s', async (announce, expected) => {
      const { id } = await usedModel(dateIn(6), { announce })
      await world.workAt()
      await world.workAt(startMs + dayMs)
      expect(await subjects(id)).toEqual(expected)
    })

    it('remind also of a date that was not announced', async () => {
      const { id } = await usedModel(dateIn(20), { announce: false })
      await world.workAt(startMs + 14 * dayMs)
      expect(await subjects(id)).toEqual([reminder])
    })

    it('make no announcement of a reminder that nobody needs', async () => {
      const id = named('unused')
      await world.apply([{ id }])
      await world.apply([{ id, retiresOn: dateIn(20) }], { announce: false })
      await world.workAt(startMs + 14 * dayMs)
      expect((await world.get('/announcements')).json).toEqual({ data: [] })
    })
  })
})
