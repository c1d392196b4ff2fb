import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '#test/setup/reply.ts'
import { type DialectWorld, modelOf, protocols, startDialectWorld } from '#test/dialects/dialect-world.ts'
import { answerOf, cut, hello, thoughtful, twoCalls } from '#test/dialects/upstream-answers.ts'

let world: DialectWorld
beforeAll(async () => {
  world = await startDialectWorld()
})
afterAll(() => world.close())

const messages = [{ role: 'user', content: 'Hello there' }]
const bodies = {
  '/v1/chat/completions': { messages, max_tokens: 100 },
  '/v1/responses': { input: 'Hello there', max_output_tokens: 100 },
  '/v1/messages': { messages, max_tokens: 100 },
} as const
const paths = ['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const
const said = { hello, cut, thoughtful, twoCalls }

/** Without what belongs to one request: its ids, its time and its cost. */
function contentOf({ text }: Reply): string {
  return text
    .replaceAll(/"(?:id|item_id|response_id)":"(?:gen|resp|msg|rs|fc)[-_][^"]+"/g, '"id"')
    .replaceAll(/"(?:created|created_at|completed_at)":\d+/g, '"at"')
    .replaceAll(/"(?:weir_)?cost":[\d.e-]+/g, '"cost"')
}

const cases = paths.flatMap((path) =>
  [false, true].flatMap((stream) => protocols.map((name) => ({ path, stream, name }))),
)

describe.each(cases)('$path of $name, stream: $stream', ({ path, stream, name }) => {
  it.each(Object.keys(said) as (keyof typeof said)[])('[NEXT-83] says %s again', async (what) => {
    const caller = await world.caller({ usd: '25' })
    const upstream = world.upstreams[name]
    upstream.forget()
    upstream.play(answerOf(name, said[what], stream))
    const body = { model: modelOf[name], stream, ...bodies[path], cache: true }
    const first = await world.post(path, body, { as: caller })
    upstream.play(answerOf(name, { kind: 'text', pieces: ['another'] }, stream))
    const second = await world.post(path, body, { as: caller })
    expect([first.status, second.status], first.text).toEqual([200, 200])
    expect(second.headers.get('x-weir-cache')).toBe('hit')
    expect(contentOf(second)).toBe(contentOf(first))
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(second.headers.get('x-params-ignored')).toBe(first.headers.get('x-params-ignored'))
    expect(upstream.requests).toHaveLength(1)
  })
})
