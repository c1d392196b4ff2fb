import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { parseChat } from './parse-chat.ts'
import { plainChatBody } from './plain-chat-body.ts'

const messages = [{ role: 'user', content: 'Hi' }]

function plain(fields: JsonObject): JsonObject {
  return plainChatBody({ model: 'maker/model', messages, ...fields })
}

describe('a body that editors send to the chat paths', () => {
  it('is left alone, and not even copied, where it is a chat body', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }]
    const body = { model: 'm', messages, tools, tool_choice: 'auto', future_field: 1 }
    expect(plainChatBody(body)).toBe(body)
  })

  it('[IDE-01] [IDE-02] has its input converted to messages', () => {
    const { body, maxTokens } = parseChat({
      model: 'maker/model',
      input: 'Hi',
      instructions: 'Be brief.',
      max_output_tokens: 9,
    })
    expect(body).toEqual({
      model: 'maker/model',
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
      max_tokens: 9,
    })
    expect(maxTokens).toBe(9)
  })

  it('[IDE-02] has its output cap under the name of chat, unless it has that already', () => {
    expect(plain({ max_output_tokens: 9 })).toEqual({ model: 'maker/model', messages, max_tokens: 9 })
    expect(plain({ max_output_tokens: 9, max_completion_tokens: 5 })).not.toHaveProperty('max_tokens')
    expect(() => parseChat({ model: 'm', messages, max_output_tokens: 0 })).toThrow('`max_tokens`')
  })

  it('[IDE-03] loses what only Responses knows', () => {
    const fields = { previous_response_id: 'resp_1', truncation: 'auto', background: true, store: true }
    expect(plain(fields)).toEqual({ model: 'maker/model', messages })
  })

  it('[IDE-04] has flat tools wrapped', () => {
    const parameters = { type: 'object', properties: {} }
    const nested = { type: 'function', function: { name: 'g' } }
    const flat = { type: 'function', name: 'f', description: 'd', parameters, strict: true }
    expect(plain({ tools: [flat, nested, { type: 'custom', name: 'c' }] }).tools).toEqual([
      { type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } },
      nested,
      { type: 'custom', name: 'c' },
    ])
  })

  it.each(['auto', 'none', 'required'])('[IDE-05] has the tool choice {type:"%s"} as a string', (type) => {
    expect(plain({ tool_choice: { type } }).tool_choice).toBe(type)
  })

  it('[IDE-05] has a flat choice of one tool wrapped, and other choices untouched', () => {
    const wrapped = { type: 'function', function: { name: 'f' } }
    expect(plain({ tool_choice: { type: 'function', name: 'f' } }).tool_choice).toEqual(wrapped)
    expect(plain({ tool_choice: wrapped }).tool_choice).toEqual(wrapped)
    expect(plain({ tool_choice: { type: 'allowed_tools' } }).tool_choice).toEqual({ type: 'allowed_tools' })
  })
})
