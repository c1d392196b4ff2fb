import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ByokHome, type ByokWorld, startByokWorld } from '#test/routing/byok-world.ts'

let world: ByokWorld
let home: ByokHome
beforeAll(async () => {
  world = await startByokWorld()
  home = await world.newByokHome()
  await home.addOwnKey()
})
afterAll(() => world.close())

const messages = [{ role: 'user', content: 'Hello' }]
const endpoints = [
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { input: 'Hello' }],
  ['/v1/messages', { messages, max_tokens: 20 }],
] as const

describe.each(endpoints)('%s with an own key', (path, body) => {
  it.each([false, true])('[NEXT-115] [NEXT-85] tells once what the provider bills, stream: %s', async (stream) => {
    const caller = world.as({ key: home.key.key })
    const asked = { model: 'openai/gpt-5.2', ...body, stream, cache: true }
    const [first, second] = [await caller.post(path, asked), await caller.post(path, asked)]
    expect([first.status, second.status], second.text).toEqual([200, 200])
    expect([first, second].map(({ headers }) => headers.get('x-weir-cache'))).toEqual(['miss', 'hit'])
    expect(first.text).toMatch(/"(weir_)?cost":0,"cost_details":\{"upstream_inference_cost":0\.\d+\}/)
    expect(second.text).toMatch(/"(weir_)?cost":0[,}]/)
    expect(second.text).not.toContain('cost_details')
  })
})
