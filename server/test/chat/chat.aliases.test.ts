import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { type ChatWorld, startChatWorld } from './chat-world.ts'

const paths = [
  '/v1/chat/completions',
  '/api/v1/chat/completions',
  '/v1/cursor/chat/completions',
  '/api/v1/cursor/chat/completions',
]

describe('the paths of chat completions', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  /** The outcome of one request by a new client, without the variable parts. */
  async function outcomeOf(path: string, body: JsonObject, usd = '25'): Promise<unknown> {
    world.forget()
    const caller = await world.caller({ usd })
    const reply = await world.chat(body, { as: caller, path })
    const wallet = await world.gateway.walletOf(caller.walletId)
    const seen = world.openai.requests.map((request) => ({ path: request.path, body: request.body }))
    return { ...plain(reply), wallet, seen }
  }

  const bodies = [
    ['a document', {}, '25'],
    ['a stream', { stream: true }, '25'],
    ['a refused field', { temperature: 3 }, '25'],
    ['an unknown model', { model: 'openai/gpt-0' }, '25'],
    ['a missing field', { messages: undefined }, '25'],
    ['an empty wallet', {}, '0'],
  ] satisfies [string, JsonObject, string][]

  it.each(bodies)('[CHAT-27] [VER-01] [P13] are the same in every respect for %s', async (_name, body, usd) => {
    const first = await outcomeOf(paths[0] ?? '', body, usd)
    for (const path of paths.slice(1)) expect(await outcomeOf(path, body, usd), path).toEqual(first)
  })

  it('[CHAT-27] are the same when the upstream refuses', async () => {
    const outcomes = []
    for (const path of paths) {
      world.openai.play(jsonAnswer(422, { error: { message: 'No.', type: 'invalid_request_error' } }))
      outcomes.push(await outcomeOf(path, {}))
    }
    world.openai.play({ kind: 'echo' })
    expect(outcomes[0]).toMatchObject({ status: 400 })
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
  })
})

function plain({ status, headers, text }: Pick<Reply, 'status' | 'headers' | 'text'>) {
  const own = /gen-[0-9a-f]{32}|req_\w+|"created":\d+|in \d+ seconds/g
  const names = [...headers.keys()].filter((name) => !['date', 'content-length', 'keep-alive'].includes(name)).sort()
  return { status, names, text: text.replaceAll(own, '…') }
}
