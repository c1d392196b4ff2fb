import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type Client, createClient } from '#test/setup/client.ts'
import { startVideoWorld, type VideoWorld } from './video-world.ts'
import { eventually } from './webhook-deliveries.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

describe('what a signed-in person made', () => {
  let world: VideoWorld
  let receiver: WebhookReceiver
  let caller: TestClient
  let person: Client
  let ids: string[]
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents', { WEIR_WEBHOOKS_PAUSE_MS: '40' })
    receiver = await startWebhookReceiver()
    caller = await world.createClient({ usd: '1' })
    person = createClient(world.url, { cookie: await world.signIn(caller.userId) })
    await world.startWorker()
  })

  it('is ordered with a key', async () => {
    ids = []
    for (const prompt of ['one', 'two', 'three']) {
      const order = { model: 'test/video', prompt, callback_url: receiver.url }
      const id = await world.submit(caller, order)
      await world.ended(caller, id)
      ids.unshift(id)
    }
  })

  afterAll(async () => {
    await world.close()
    await receiver.close()
  })

  const stranger = async () => {
    const { userId } = await world.createClient()
    return createClient(world.url, { cookie: await world.signIn(userId) })
  }

  it('is listed page by page, the newest first, and by status and model', async () => {
    const first = await person.get('/v1/videos?limit=2')
    expect(idsIn(first.json)).toEqual(ids.slice(0, 2))
    const second = await person.get(`/v1/videos?limit=2&before=${String(first.json['next_cursor'])}`)
    expect([idsIn(second.json), second.json['next_cursor']]).toEqual([ids.slice(2), null])
    expect(idsIn((await person.get('/v1/videos?status=completed&model=test/video')).json)).toEqual(ids)
    expect(idsIn((await person.get('/v1/videos?status=failed')).json)).toEqual([])
    expect((await person.get('/v1/videos?status=odd')).status).toBe(400)
    expect((await person.get('/v1/videos?before=odd')).status).toBe(400)
  })

  it('can be looked at and fetched by the person, and by nobody else', async () => {
    const [id = ''] = ids
    expect((await person.get(`/v1/videos/${id}`)).json).toMatchObject({ id, status: 'completed' })
    const { headers } = await person.open('GET', `/v1/videos/${id}/content`)
    expect(headers.get('content-type')).toBe('video/mp4')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; media-src 'self'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const other = await stranger()
    expect(idsIn((await other.get('/v1/videos')).json)).toEqual([])
    expect((await other.get(`/v1/videos/${id}`)).status).toBe(404)
    expect((await other.get(`/v1/videos/${id}/content`)).status).toBe(404)
  })

  it('of an organization is seen by whoever asked for it, and by its administrator', async () => {
    const { id: organizationId } = await world.createOrganization({ usd: '1' })
    const [admin, member, other] = [
      await world.addMember(organizationId, { role: 'org_admin' }),
      await world.addMember(organizationId),
      await world.addMember(organizationId),
    ]
    const key = await world.addOrganizationKey(organizationId, { memberId: member.memberId })
    const id = await world.submit(key, { model: 'test/video', prompt: 'ours' })
    await world.ended(key, id)
    const seenBy = async (userId: string) => {
      const client = createClient(world.url, { cookie: await world.signIn(userId) })
      const { status } = await client.get(`/v1/videos/${id}?organization=${organizationId}`)
      return [idsIn((await client.get(`/v1/videos?organization=${organizationId}`)).json), status]
    }
    expect(await seenBy(admin.userId)).toEqual([[id], 200])
    expect(await seenBy(member.userId)).toEqual([[id], 200])
    expect(await seenBy(other.userId)).toEqual([[], 404])
  })

  it('has its webhooks listed, and called once more', async () => {
    const deliveries = async (query = '') => listOf((await person.get(`/v1/webhooks/deliveries${query}`)).json)
    await eventually(async () => (await deliveries('?state=delivered')).length, 3)
    const [latest] = await deliveries('?limit=1')
    expect(latest).toMatchObject({
      video_id: ids[0],
      url: receiver.url,
      state: 'delivered',
      last_status: 204,
      tries: 1,
    })
    expect((await deliveries(`?video_id=${ids[1]}`)).map(({ video_id }) => video_id)).toEqual([ids[1]])
    expect((await person.get('/v1/webhooks/deliveries?video_id=odd')).status).toBe(400)
    const before = receiver.calls.length
    const path = `/v1/videos/${ids[0]}/webhook`
    expect((await person.post(path)).json).toMatchObject({ data: { state: 'waiting', tries: 0 } })
    await eventually(() => receiver.calls.length, before + 1)
    const other = await stranger()
    expect((await other.post(path)).status).toBe(404)
    expect(listOf((await other.get('/v1/webhooks/deliveries')).json)).toEqual([])
    expect(listOf((await other.get(`/v1/webhooks/deliveries?video_id=${ids[0]}`)).json)).toEqual([])
    expect((await person.get('/v1/webhooks/deliveries?state=odd')).status).toBe(400)
    const quiet = await world.submit(caller, { model: 'test/video', prompt: 'no hook' })
    expect((await person.post(`/v1/videos/${quiet}/webhook`)).status).toBe(409)
  })
})

function listOf(json: JsonObject): JsonObject[] {
  return Array.isArray(json['data']) ? json['data'].filter(isJsonObject) : []
}

function idsIn(json: JsonObject): unknown[] {
  return listOf(json).map(({ id }) => id)
}
