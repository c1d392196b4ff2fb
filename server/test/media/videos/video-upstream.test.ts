import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { tinyMovie } from '#test/simulators/media/videos/serve-movie.ts'
import { spawnVideoUpstream } from '#test/simulators/media/videos/spawn-video-upstream.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'

describe.each([
  ['here', startVideoUpstream],
  ['in a process of its own', spawnVideoUpstream],
] as const)('an upstream of videos %s', (_, start) => {
  let upstream: VideoUpstream
  beforeAll(async () => {
    upstream = await start('runway', { key: 'k', movie: tinyMovie(100) })
  })
  afterAll(() => upstream.close())

  const headers = { authorization: 'Bearer k', 'x-runway-version': '2024-11-06', 'content-type': 'application/json' }
  const submit = () =>
    fetch(`${upstream.baseUrl}/v1/text_to_video`, { method: 'POST', headers, body: '{"promptText":"rain"}' })
  const order = async () => objectIn(await submit()).then((task) => stringAt(task, 'id') ?? '')
  const poll = async (id: string) => objectIn(await fetch(`${upstream.baseUrl}/v1/tasks/${id}`, { headers }))

  it('plays the timeline it was told, and serves what it was given', async () => {
    await upstream.playNext({ pendingPolls: 1, workingPolls: 1, end: { kind: 'made', count: 2 } })
    const ordered = upstream.waitForOrders(1)
    const id = await order()
    await ordered
    const heard = [await poll(id), await poll(id), await poll(id), await poll(id)]
    expect(heard.map(({ status }) => status)).toEqual(['THROTTLED', 'RUNNING', 'SUCCEEDED', 'SUCCEEDED'])
    const second = linksIn(heard[3])[1] ?? ''
    const whole = await fetch(second)
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(tinyMovie(100))
    const part = await fetch(second, { headers: { range: 'bytes=90-' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 90-99/100'])
    expect((await fetch(second, { headers: { range: 'bytes=100-' } })).status).toBe(416)
    expect(await upstream.orders()).toMatchObject([{ id, prompt: 'rain', body: { promptText: 'rain' }, downloads: 3 }])
  })

  it('loses an answer of what it took, and takes nothing where it drops the order', async () => {
    const before = (await upstream.orders()).length
    await upstream.playNext({ submit: 'lost' }, { submit: 'dropped' })
    await expect(submit()).rejects.toThrow()
    expect(await upstream.orders()).toHaveLength(before + 1)
    await expect(submit()).rejects.toThrow()
    expect(await upstream.orders()).toHaveLength(before + 1)
  })

  it('forgets, refuses and lets links expire', async () => {
    await upstream.play({ files: 'gone' })
    const id = await order()
    const [link = ''] = linksIn(await poll(id))
    expect((await fetch(link)).status).toBe(404)
    await upstream.play({ end: { kind: 'expired' } })
    const other = await order()
    expect((await fetch(`${upstream.baseUrl}/v1/tasks/${other}`, { headers })).status).toBe(404)
    await upstream.play({ submit: 'limited' })
    expect((await submit()).status).toBe(429)
    expect((await fetch(`${upstream.baseUrl}/v1/tasks/${id}`)).status).toBe(401)
    await upstream.play({})
  })
})

async function objectIn(response: Response): Promise<JsonObject> {
  return parseJsonObject(await response.text()) ?? {}
}

function linksIn({ output }: JsonObject = {}): string[] {
  return Array.isArray(output) ? output.filter((link) => typeof link === 'string') : []
}
