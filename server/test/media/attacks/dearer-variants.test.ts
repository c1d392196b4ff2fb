import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { imageModel } from '../images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { pngOf } from '../proxy/sample-images.ts'

const bySize = 'maker/dall-e-3'
const byResolution = 'maker/seedream-4'
const byQuality = 'maker/flux'

const wide = { unit: 'output_image', usd: '0.08', size: '1792x1024' }
const large = { unit: 'output_image', usd: '0.12', resolution: '4K' }
const draft = { unit: 'output_image', usd: '0.01', quality: 'low' }

function making(width: number, height: number): MediaHandler {
  return () => ({ body: { data: [{ b64_json: pngOf({ width, height }).toString('base64') }] } })
}

describe('the price of an image', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, making(8, 4))
    const others = { url: `${world.upstream.url}/v1`, priority: -1 }
    await world.addProvider({ ...others, vendor: 'together', pattern: byQuality })
    await world.addModels([
      { ...imageModel(bySize, 'openai'), pricing_rules: [wide] },
      { ...imageModel(byResolution, 'openai'), pricing_rules: [large] },
      { ...imageModel(byQuality, 'together'), pricing_rules: [draft] },
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
  })
  afterAll(async () => {
    await world.close()
  })

  async function costOf(body: object): Promise<unknown> {
    const { json } = await world.post(caller, '/v1/images/generations', { prompt: 'A fox', ...body })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0' })
    return objectAt(json, 'usage').cost
  }

  it('[MONEY-01] is that of the size which was made, also where almost that size was asked for', async () => {
    world.upstream.play(making(1_792, 1_024))
    expect(await costOf({ model: bySize, size: '1792x1024' })).toBe(0.08)
    expect(await costOf({ model: bySize, size: '1791x1024' })).toBe(0.08)
    expect(await costOf({ model: bySize, aspect_ratio: '16:9' })).toBe(0.08)
    world.upstream.play(making(1_024, 1_024))
    expect(await costOf({ model: bySize, size: '1792x1024' })).toBe(0.04)
  })

  it('is that of the resolution which was made, whatever the request calls it', async () => {
    world.upstream.play(making(4_096, 4_096))
    for (const resolution of ['4K', '1K', 'nonsense', undefined]) {
      expect(await costOf({ model: byResolution, size: '4096x4096', resolution })).toBe(0.12)
    }
    world.upstream.play(making(1_024, 1_024))
    expect(await costOf({ model: byResolution, resolution: '1K' })).toBe(0.04)
  })

  it('is not that of a quality which the host was not told of', async () => {
    expect(await costOf({ model: byQuality, quality: 'low' })).toBe(0.04)
    expect(world.upstream.calls.at(-1)?.json).not.toHaveProperty('quality')
  })
})
