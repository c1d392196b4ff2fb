import { afterAll, beforeAll, expect, it } from 'vitest'
import { isJsonObject } from '#lib/json.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'

let world: VideoWorld
beforeAll(async () => {
  world = await startVideoWorld('luma-agents')
  await world.addModels([plainModel])
})
afterAll(() => world.close())

async function send(fields: Readonly<Record<string, string | Blob>>, path = '/v1/videos') {
  const { key } = await world.createClient({ usd: '10' })
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const response = await fetch(world.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
  const json: unknown = await response.json()
  return { status: response.status, json: isJsonObject(json) ? json : {} }
}

it.each(['/v1/videos', '/v1/video/generations'])("takes the form of OpenAI's SDK at %s", async (path) => {
  const { status, json } = await send({ model: 'acme/film', prompt: 'a weir', seconds: '9' }, path)
  expect(status).toBe(202)
  const { rows } = await world.pool.query<{ model: string; state: string; held_nano: string }>(
    'SELECT model, state, held_nano FROM video_jobs ORDER BY created_at DESC LIMIT 1',
  )
  expect(json).toMatchObject({ status: 'pending', model: 'acme/film' })
  // The hold covers nine seconds, as with duration in JSON.
  const caller = await world.createClient({ usd: '10' })
  const same = await world.as(caller).post('/v1/videos', { model: 'acme/film', prompt: 'a weir', duration: 9 })
  expect(same.status).toBe(202)
  const { held } = await world.walletOf(caller.walletId)
  expect(Number(rows[0]?.held_nano)).toBe(Math.round(Number(held) * 1e9))
})

it.each([
  [{ prompt: 'a weir' }, 400],
  [{ model: 'acme/film', prompt: 'a weir', seconds: 'five' }, 400],
  [{ model: 'acme/film', prompt: 'a weir', 'input_reference[image_url]': 'http://127.0.0.1/a.png' }, 400],
  [{ model: 'acme/film', prompt: 'a weir', input_reference: new Blob(['x'], { type: 'image/png' }) }, 400],
])('refuses %j', async (fields, status) => {
  expect((await send(fields)).status).toBe(status)
})

it('takes no other type, and no form without a boundary', async () => {
  const { key } = await world.createClient()
  const post = async (type: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    return (await fetch(`${world.url}/v1/videos`, { method: 'POST', headers, body: '{}' })).status
  }
  expect(await post('text/plain')).toBe(415)
  expect(await post('multipart/form-data')).toBe(400)
})
