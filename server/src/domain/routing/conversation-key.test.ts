import { expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
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

const user = (content: JsonValue): JsonObject => ({ role: 'user', content })
const system = (content: JsonValue): JsonObject => ({ role: 'system', content })
const nested = (depth: number, text: string): JsonValue => (depth === 0 ? text : [nested(depth - 1, text)])

it.each<[string, JsonObject, JsonObject, boolean]>([
  ['the 500th letter of a text', { input: `${'x'.repeat(499)}a` }, { input: `${'x'.repeat(499)}b` }, false],
  ['the 501st letter of a text', { input: `${'x'.repeat(500)}a` }, { input: `${'x'.repeat(500)}b` }, true],
  ['the eighth turn before a question', { messages: turnsBefore(7, 'a') }, { messages: turnsBefore(7, 'b') }, false],
  ['the ninth turn before a question', { messages: turnsBefore(8, 'a') }, { messages: turnsBefore(8, 'b') }, true],
  [
    'the eighth part of a question',
    { input: [user(partsBefore(7, 'a'))] },
    { input: [user(partsBefore(7, 'b'))] },
    false,
  ],
  [
    'the ninth part of a question',
    { input: [user(partsBefore(8, 'a'))] },
    { input: [user(partsBefore(8, 'b'))] },
    true,
  ],
  ['a text six levels down', { system: nested(6, 'a') }, { system: nested(6, 'b') }, false],
  ['a text seven levels down', { system: nested(7, 'a') }, { system: nested(7, 'b') }, true],
  ['what is neither a text nor a list', { input: [user(5)] }, { input: [user(true)] }, true],
  ['turns after the first question', { messages: [user('a'), user('b')] }, { messages: [user('a'), user('c')] }, true],
  [
    'turns after what is no question',
    { messages: [system('a'), user('b')] },
    { messages: [system('a'), user('c')] },
    false,
  ],
  [
    'the order of system and instructions',
    { system: 'a', instructions: 'b' },
    { system: 'b', instructions: 'a' },
    false,
  ],
  ['where one text ends and the next begins', { system: ['ab', 'c'] }, { system: ['a', 'bc'] }, false],
  [
    'a ninth text, wherever it stands',
    { system: partsBefore(8, 'a'), input: 'a' },
    { system: partsBefore(8, 'a'), input: 'b' },
    true,
  ],
])('%s: two that differ in it share a name: %s', (_, one, other, expected) => {
  expect(keyOf(one) === keyOf(other)).toBe(expected)
})

function turnsBefore(count: number, last: string): JsonObject[] {
  return [...Array.from({ length: count }, () => system([])), system(last)]
}

function partsBefore(count: number, last: string): JsonValue[] {
  return [...Array.from({ length: count }, () => 'part'), last]
}

it('a name is told from payer and opening alone, the same in every process', () => {
  // The first 24 characters of the SHA-256 of the lines in base64url, computed with another program.
  expect(keyOf({ messages: opening })).toBe('GFu6Jh57AaYbG0fGFeOybOd_')
  expect(keyOf({ instructions: 'Be brief.', input: 'What?' })).toBe('qATPt8ynKrkwHJoMON6pWJjv')
})

it('long and deep bodies are looked at from the beginning only', () => {
  const long = 'x'.repeat(1_000)
  expect(keyOf({ input: `${long}a` })).toBe(keyOf({ input: `${long}b` }))
  let nested: JsonObject = { text: 'deep' }
  for (let depth = 0; depth < 1_000; depth += 1) nested = { content: [nested] }
  expect(keyOf({ messages: [nested] })).toBe(keyOf({ messages: [{ content: [] }] }))
  expect(keyOf({})).toHaveLength(24)
})
