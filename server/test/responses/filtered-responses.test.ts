import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { bodySeenBy } from '#test/dialects/dialect-world.ts'
import { type FilteredHome, type FilterWorld, models, startFilterWorld } from '#test/filters/filter-world.ts'
import type { Reply } from '#test/setup/reply.ts'

let world: FilterWorld
let home: FilteredHome
beforeAll(async () => {
  world = await startFilterWorld({ WEIR_RESPONSES_RETENTION_MS: '3600000' })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.forget()
  home = await world.newHome()
})

const secret = { kind: 'keyword', keyword: 'secret' }
const respond = (body: JsonObject): Promise<Reply> =>
  world.as({ key: home.key }).post('/v1/responses', { model: models.openai, max_output_tokens: 16, ...body })

describe('content filters', () => {
  it('[NEXT-162] reject a request for the conversation that it continues', async () => {
    const first = await respond({ store: true, input: 'a secret' })
    await home.addRule('block', secret)
    world.forget()
    const next = await respond({ input: 'More', previous_response_id: first.json.id ?? null })
    expect([next.status, next.error.code]).toEqual([403, 'content_filter'])
    expect(world.upstreams.openai.requests).toHaveLength(0)
  })

  it('[NEXT-161] [NEXT-162] decide what is stored of the input', async () => {
    const id = await home.addRule('redact', secret)
    const { json } = await respond({ store: true, input: 'a secret' })
    const { list } = await world.as({ key: home.key }).get(`/v1/responses/${String(json.id)}/input_items`)
    expect(list).toMatchObject([{ content: [{ text: 'a [REDACTED]' }] }])
    await home.admin.delete(`${home.filters}/${id}`)
    await respond({ input: 'More', previous_response_id: json.id ?? null })
    expect(JSON.stringify(bodySeenBy(world.upstreams.openai))).not.toContain('secret')
  })
})
