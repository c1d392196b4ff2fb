import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { type DialectPath, type DialectWorld, modelOf, startDialectWorld } from '#test/dialects/dialect-world.ts'
import type { Reply } from '#test/setup/reply.ts'
import { leakedIn, leaks, longestPiece, longSentence, sentences } from './leaks.ts'
import { type Saying, sayings } from './says.ts'

const paths: readonly DialectPath[] = ['/v1/chat/completions', '/v1/responses', '/v1/messages']
const cells = sayings.flatMap((saying) => paths.map((path) => ({ ...saying, path })))

describe('what an upstream says beside its answer', () => {
  let world: DialectWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startDialectWorld()
    caller = await world.caller({ usd: '1000' })
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  function ask({ protocol, isStream, play }: Saying, path: DialectPath, sentence: string): Promise<Reply> {
    // A failing document is retried once.
    world.upstreams[protocol].playNext(play(sentence), play(sentence))
    const said = path === '/v1/responses' ? { input: 'Hi' } : { messages: [{ role: 'user', content: 'Hi' }] }
    const cap = path === '/v1/messages' ? { max_tokens: 50 } : {}
    const body = { model: modelOf[protocol], stream: isStream, ...said, ...cap }
    return world.post(path, body, { as: caller }).finally(() => world.forget())
  }

  it.each(cells)('[B8] holds no secret in $place of $protocol on $path', async ({ path, ...saying }) => {
    // The finish reason is a word of the vendor's list, and is not checked against the secrets of the account.
    const formed = leaks.filter(({ isFormless }) => isFormless === undefined)
    const said = saying.place === 'the end' ? formed.map(({ sentence }) => sentence) : sentences
    for (const sentence of said) expect(leakedIn((await ask(saying, path, sentence)).text)).toEqual([])
  })

  it.each(cells)('[B8] is bounded in $place of $protocol on $path', async ({ path, ...saying }) => {
    const { text } = await ask(saying, path, longSentence)
    expect(longestPiece(text)).toBeLessThanOrEqual(500)
  })

  it('[B8] still tells what the client can mend, also after the first words', async () => {
    for (const saying of sayings.filter(({ place }) => place === 'a refusal' || place === 'a later frame')) {
      const { text } = await ask(saying, '/v1/chat/completions', 'messages.0.name is longer than 64 characters')
      expect(text, saying.protocol).toContain('messages.0.name is longer than 64 characters')
    }
  })

  it('[B8] is not passed on with a choice that failed without saying so in its finish reason', async () => {
    for (const sentence of sentences) {
      const frame = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: null, error: { message: sentence } }] }
      const failing: Saying = {
        protocol: 'openai',
        place: 'a later frame',
        isStream: true,
        play: () => ({
          kind: 'steps',
          steps: [
            { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
            { do: 'write', text: `data: ${JSON.stringify(frame)}\n\n` },
            { do: 'end' },
          ],
        }),
      }
      const { text } = await ask(failing, '/v1/chat/completions', sentence)
      expect(leakedIn(text)).toEqual([])
    }
  })

  it('[B8] is nowhere on record', async () => {
    const { rows } = await world.gateway.pool.query('SELECT native_finish_reason, attempts, routing FROM generations')
    expect(rows.length).toBeGreaterThan(cells.length)
    for (const row of rows) expect(leakedIn(JSON.stringify(row)), JSON.stringify(row)).toEqual([])
  })

  it('[B8] is nowhere in the log either', () => {
    const log = world.gateway.logLines.join('\n')
    expect(log).toContain('upstreamUnavailable')
    expect(leakedIn(log)).toEqual([])
  })
})
