import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { conversationKey } from './conversation-key.ts'

const opening = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is a weir?' },
]
const keyOf = (body: JsonObject, wallet = 'wallet'): string => conversationKey(wallet, body)

it.each<[string, JsonObject, JsonObject]>([
  ['chat', { messages: opening }, { messages: opening, temperature: 1, model: 'acme/other', stream: true }],
  [
    'Messages',
    { system: 'Be brief.', messages: [opening[1] ?? {}] },
    { system: 'Be brief.', messages: [opening[1] ?? {}], max_tokens: 5 },
  ],
  [
    'Responses',
    { instructions: 'Be brief.', input: 'What?' },
    { instructions: 'Be brief.', input: 'What?', store: false },
  ],
])('%s: what does not belong to the conversation does not change its name', (_dialect, one, other) => {
  expect(keyOf(one)).toBe(keyOf(other))
})

it.each<[string, (turns: JsonObject[]) => JsonObject]>([
  ['chat', (turns) => ({ messages: turns })],
  ['Messages', (turns) => ({ system: 'Be brief.', messages: turns.slice(1) })],
  ['Responses', (turns) => ({ instructions: 'Be brief.', input: turns.slice(1) })],
])('%s: every turn has the name of the first', (_dialect, bodyOf) => {
  const second = [...opening, { role: 'assistant', content: 'A low dam.' }, { role: 'user', content: 'And a lock?' }]
  const third = [...second, { role: 'assistant', content: 'A lift for boats.' }, { role: 'user', content: 'Thanks' }]
  expect(keyOf(bodyOf(second))).toBe(keyOf(bodyOf(opening)))
  expect(keyOf(bodyOf(third))).toBe(keyOf(bodyOf(opening)))
})

it('a question is the same whether it is a text or a list of parts', () => {
  const parts = [{ role: 'user', content: [{ type: 'input_text', text: 'What?' }] }]
  expect(keyOf({ input: parts })).toBe(keyOf({ input: 'What?' }))
})

it('other beginnings, other instructions and other payers have other names', () => {
  const names = [
    keyOf({ messages: opening }),
    keyOf({ messages: [opening[0] ?? {}, { role: 'user', content: 'What is a lock?' }] }),
    keyOf({ messages: [opening[1] ?? {}] }),
    keyOf({ messages: opening }, 'another wallet'),
  ]
  expect(new Set(names).size).toBe(4)
})

it('long and deep bodies are looked at from the beginning only', () => {
  const long = 'x'.repeat(1_000)
  expect(keyOf({ input: `${long}a` })).toBe(keyOf({ input: `${long}b` }))
  let nested: JsonObject = { text: 'deep' }
  for (let depth = 0; depth < 1_000; depth += 1) nested = { content: [nested] }
  expect(keyOf({ messages: [nested] })).toBe(keyOf({ messages: [{ content: [] }] }))
  expect(keyOf({})).toHaveLength(24)
})
