import { describe, expect, it } from 'vitest'
import { egressPolicy } from '#domain/egress/egress-policy.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { createEgressGuard } from '#net/egress-guard.ts'
import { createLookIntoOrder } from './look-into-order.ts'

function start() {
  const lookups: string[] = []
  const fetched: string[] = []
  const egress = createEgressGuard({
    policy: egressPolicy([]),
    resolve: async (host, account) => {
      lookups.push(`${host} for ${account}`)
      if (host === 'busy.example') throw new GatewayError('rateLimited', { message: 'too many' })
      return ['93.184.216.34']
    },
    connectTimeoutMs: 1_000,
  })
  const probe = { durationOf: async (url: string) => (fetched.push(url), 5_000) }
  const look = createLookIntoOrder({ egress, probe })
  return { lookups, fetched, look: (body: JsonObject) => look(body, { account: 'acme', ownUrl: 'https://weir.test' }) }
}

const many = Array.from({ length: 20_000 }, (_, index) => `https://x${index}.example/a.png`)
const image = 'https://pictures.example/a.png'

describe('[B4] an order for a video', () => {
  it.each([
    ['20,000 frames', { frame_images: many }],
    ['20,000 references', { input_references: many }],
    ['20,000 videos', { input_video: many }],
    ['lists within a list', { frame_images: [many, many] }],
    ['one reference too many', { input_references: many.slice(0, 10) }],
    ['a URL that is too long', { frame_images: [image], input_video: `${image}${'x'.repeat(2_048)}` }],
    ['one literal that is private', { input_references: [image, 'https://10.0.0.1/a.png'] }],
    ['one address of ours', { frame_images: [image, 'https://weir.test/v1/videos/vjob_0/content'] }],
    ['a callback that is private', { frame_images: [image], callback_url: 'https://10.0.0.1/in' }],
    ['a callback that is no text', { frame_images: [image], callback_url: many }],
  ])('with %s is refused before anything is looked up', async (_name, body) => {
    const { lookups, fetched, look } = start()
    await expect(look(body)).rejects.toMatchObject({ errorName: 'malformedRequest' })
    expect({ lookups, fetched }).toEqual({ lookups: [], fetched: [] })
  })

  it('with as much as may be is looked up in the turn of its account, and its video measured', async () => {
    const { lookups, fetched, look } = start()
    const hosts = Array.from({ length: 13 }, (_, index) => `x${index}.example`)
    const [first = '', last = '', video = '', callback = '', ...references] = hosts.map((host) => `https://${host}/`)
    const body = { frame_images: [first, { url: last }], input_references: references, input_video: video }
    expect(await look({ ...body, callback_url: callback })).toMatchObject({
      input_video: { url: video, source_duration_ms: 5_000 },
    })
    expect(lookups.toSorted()).toEqual(hosts.map((host) => `${host} for acme`).toSorted())
    expect(fetched).toEqual([video])
  })

  it('is refused with 429 where its account has too many lookups waiting', async () => {
    const { look } = start()
    await expect(look({ frame_images: ['https://busy.example/a.png'] })).rejects.toMatchObject({
      errorName: 'rateLimited',
    })
  })
})
