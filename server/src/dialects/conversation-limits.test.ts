import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { cpuGrowth } from '#test/setup/cpu-growth.ts'
import { chatDialect } from './chat/chat-dialect.ts'
import { chooseTrim } from './choose-trim.ts'
import { messagesDialect } from './messages/messages-dialect.ts'
import { responsesDialect } from './responses/responses-dialect.ts'

const said = { role: 'user', content: 'Hi' }
const chatCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
const bodies = [
  {
    dialect: chatDialect,
    field: 'messages',
    bodyOf: (items: JsonObject[]): JsonObject => ({ model: 'a/b', messages: items }),
    callsOf: (count: number): JsonObject[] => [{ role: 'assistant', tool_calls: listOf(count, chatCall) }],
  },
  {
    dialect: messagesDialect,
    field: 'messages',
    bodyOf: (items: JsonObject[]): JsonObject => ({ model: 'a/b', max_tokens: 1, messages: items }),
    callsOf: (count: number): JsonObject[] => [
      { role: 'assistant', content: listOf(count, { type: 'tool_use', id: 'a', name: 'f', input: {} }) },
    ],
  },
  {
    dialect: responsesDialect,
    field: 'input',
    bodyOf: (items: JsonObject[]): JsonObject => ({ model: 'a/b', input: items }),
    callsOf: (count: number): JsonObject[] =>
      listOf(count, { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }),
  },
]

describe.each(bodies)('[B12] a conversation of the dialect $dialect.name', ({ dialect, field, bodyOf, callsOf }) => {
  const parse = (items: JsonObject[]) => dialect.parse(bodyOf(items))

  it('has at most 10,000 messages', () => {
    expect(() => parse(listOf(10_000, said))).not.toThrow()
    expect(() => parse(listOf(10_001, said))).toThrow(`\`${field}\` has 10001 entries; send at most 10000`)
  })

  it('has at most 4,000 tool calls', () => {
    expect(() => parse([said, ...callsOf(4_000)])).not.toThrow()
    expect(() => parse([said, ...callsOf(4_001)])).toThrow('too many tool calls. Send at most 4000.')
  })

  it('is shortened in a time that grows with its length alone', () => {
    const growth = cpuGrowth({
      inputOf: (size) => parse([said, ...listOf(size, { ...said, content: 'some words '.repeat(20) })]),
      run: (call) => chooseTrim(dialect, call, 1_000),
      small: 1_200,
      large: 9_600,
    })
    expect(growth).toMatchObject({ isWithin: true })
  })
})

function listOf(count: number, item: JsonObject): JsonObject[] {
  return Array.from({ length: count }, () => item)
}
