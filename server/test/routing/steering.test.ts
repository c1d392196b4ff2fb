import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { loadTokenCounter } from '#lib/token-counter.ts'
import type { DialectPath } from '#test/dialects/dialect-world.ts'
import type { Reply } from '#test/setup/reply.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { type HostsWorld, second, shared, startHostsWorld } from './hosts-world.ts'

let world: HostsWorld
beforeAll(async () => {
  await loadTokenCounter()
  world = await startHostsWorld()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

interface Way {
  path: DialectPath
  /** A request body with these questions. All but the last have an answer. */
  say: (questions: readonly string[]) => JsonObject
}

const turns = (questions: readonly string[]): JsonObject[] =>
  questions.flatMap((content, index) =>
    index === 0
      ? [{ role: 'user', content }]
      : [
          { role: 'assistant', content: 'Yes.' },
          { role: 'user', content },
        ],
  )

const ways: Way[] = [
  { path: '/v1/chat/completions', say: (questions) => ({ messages: turns(questions) }) },
  { path: '/v1/responses', say: (questions) => ({ input: turns(questions) }) },
  { path: '/v1/messages', say: (questions) => ({ messages: turns(questions), max_tokens: 100 }) },
]

describe.each(ways.flatMap((way) => [false, true].map((stream) => ({ ...way, stream }))))(
  '$path with stream $stream',
  ({ path, say, stream }) => {
    async function post(body: JsonObject, questions: readonly string[] = ['What is a weir?']): Promise<Reply> {
      const caller = await world.gateway.createClient()
      return world.gateway.as(caller).post(path, { model: shared, stream, ...say(questions), ...body })
    }

    it('[RESP-11] [ROUTE-14] `models` are the fallbacks, and the one that answers is named', async () => {
      world.hosts.groq.playNext(faults.serverError(500))
      const reply = await post({ models: [shared, second], provider: { only: ['groq'] } })
      expect(reply.status, reply.text).toBe(200)
      expect(reply.text).toContain(`"model":"${second}"`)
      expect(reply.text).not.toContain(`"model":"${shared}"`)
      expect(world.asked()).toEqual({ groq: 2 })
    })

    it('[RESP-11] [ROUTE-19] [ROUTE-21] [ROUTE-22] `provider` says who is asked, and stays here', async () => {
      expect((await post({ provider: { order: ['fireworks'] } })).status).toBe(200)
      expect(world.asked()).toEqual({ fireworks: 1 })
      world.reset()
      expect((await post({ provider: { ignore: ['groq', 'together'], sort: 'price' } })).status).toBe(200)
      expect(world.asked()).toEqual({ deepinfra: 1 })
      for (const { body } of Object.values(world.hosts).flatMap(({ requests }) => requests)) {
        expect(body).not.toHaveProperty('provider')
      }
      world.reset(faults.serverError(500))
      expect((await post({ provider: { order: ['together'], allow_fallbacks: false } })).status).toBe(502)
      expect(Object.keys(world.asked())).toEqual(['together'])
    })

    it('[RESP-11] [ROUTE-20] nobody who may be asked is 503 in the words of the dialect', async () => {
      const reply = await post({ provider: { only: ['anthropic'] } })
      expect([reply.status, reply.isStream]).toEqual([503, false])
      expect(isJsonObject(reply.json.error) && reply.json.error.message).toContain('(excluded by: only)')
      expect(world.asked()).toEqual({})
    })

    it('[RESP-11] `transforms` trim the middle of what is too long, and refuse to where they are empty', async () => {
      const model = 'mistralai/mistral-7b-instruct-v0.1'
      const long = 'word '.repeat(4_000)
      const questions = ['the first', long, long, long, 'the last']
      const refused = await post({ model, transforms: [] }, questions)
      expect(refused.status, refused.text).toBe(400)
      expect(world.asked()).toEqual({})
      const trimmed = await post({ model, transforms: ['middle-out'] }, questions)
      expect(trimmed.status, trimmed.text).toBe(200)
      const [asked] = Object.values(world.hosts).flatMap(({ requests }) => requests)
      expect(asked?.body).not.toHaveProperty('transforms')
      expect(asked?.rawBody).toContain('the first')
      expect(asked?.rawBody).toContain('the last')
      expect(asked?.rawBody.length).toBeLessThan(long.length * 2)
    })

    it('[RESP-11] [ROUTE-15] the next turn stays with the host that answered the first', async () => {
      const caller = await world.gateway.createClient()
      const ask = async (questions: readonly string[]): Promise<number> => {
        const { status } = await world.gateway.as(caller).post(path, { model: shared, stream, ...say(questions) })
        return status
      }
      world.hosts.groq.playNext(faults.serverError(500))
      expect(await ask(['What is a lock?'])).toBe(200)
      expect(await ask(['What is a lock?', 'And a sluice?'])).toBe(200)
      expect(world.asked()).toEqual({ groq: 1, together: 2 })
    })
  },
)
