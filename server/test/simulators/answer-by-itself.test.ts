import { afterAll, beforeAll, expect, test } from 'vitest'
import { piecesOf, promptTokensOf } from './answer-by-itself.ts'
import type { JsonObject } from './json-value.ts'
import { rawPost } from './raw-client.ts'
import type { Simulator } from './start-simulator.ts'
import { startSimulator } from './start-simulator.ts'

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'one two three' }] },
]

let simulator: Simulator

beforeAll(async () => {
  simulator = await startSimulator()
})

afterAll(() => simulator.close())

async function json(body: JsonObject, path?: string): Promise<unknown> {
  return JSON.parse((await rawPost(simulator.url, body, path)).body)
}

test('it echoes the last user message with usage that can be computed', async () => {
  expect(promptTokensOf(messages)).toBe(6)
  expect(await json({ model: 'm', messages })).toMatchObject({
    model: 'm',
    choices: [{ message: { content: 'one two three' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 6, completion_tokens: 3, total_tokens: 9 },
  })
})

test('it streams usage only when asked, as OpenAI does', async () => {
  const without = await rawPost(simulator.url, { model: 'm', messages, stream: true })
  expect(without.body).toContain('"content":"two "')
  expect(without.body).not.toContain('usage')
  const options = { include_usage: true }
  const asked = await rawPost(simulator.url, { model: 'm', messages, stream: true, stream_options: options })
  expect(asked.body).toContain('"choices":[],"usage":{"prompt_tokens":6,"completion_tokens":3')
})

test('it minds n and the limits of tokens', async () => {
  expect(await json({ messages, max_tokens: 2 })).toMatchObject({
    choices: [{ message: { content: 'one two ' }, finish_reason: 'length' }],
    usage: { completion_tokens: 2 },
  })
  expect(await json({ messages, n: 2 })).toMatchObject({
    choices: [{ index: 0 }, { index: 1, message: { content: 'one two three' } }],
    usage: { completion_tokens: 6 },
  })
})

test('it speaks in the form of another vendor when told so', async () => {
  simulator.playNext({ kind: 'echo', vendor: 'groq' })
  const { body } = await rawPost(simulator.url, { messages, stream: true })
  expect(body).toContain('"x_groq":{"id"')
})

test('it answers embeddings and model lists too', async () => {
  const embeddings = await json({ model: 'e', input: ['abcd', 'abcdefgh'] }, '/v1/embeddings')
  expect(embeddings).toMatchObject({ data: [{ index: 0 }, { index: 1 }], usage: { prompt_tokens: 3 } })
  expect(await json({}, '/v1/models')).toMatchObject({ object: 'list' })
})

test('long texts are echoed whole in at most 64 pieces', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' ')
  expect(piecesOf(text).length).toBeLessThanOrEqual(64)
  expect(piecesOf(text).join('')).toBe(text)
  expect(piecesOf('   ')).toEqual(['ok'])
})
