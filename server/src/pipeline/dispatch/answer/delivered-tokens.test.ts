import { expect, it } from 'vitest'
import { deliveredTokens } from './delivered-tokens.ts'

const text = 'word '.repeat(80)

it.each([
  [
    'chat',
    {
      id: 'x'.repeat(99),
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    },
  ],
  [
    'chat with thoughts',
    {
      choices: [
        { message: { content: text.slice(200), reasoning: text.slice(0, 200), reasoning_details: [{ text }] } },
      ],
    },
  ],
  [
    'a call of a tool',
    {
      choices: [
        { message: { tool_calls: [{ id: 'call_1', type: 'function', function: { name: '', arguments: text } }] } },
      ],
    },
  ],
  [
    'messages',
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'thinking', thinking: '', signature: text },
      ],
    },
  ],
  [
    'a call of a tool in messages',
    { content: [{ type: 'tool_use', id: 'toolu_1', name: '', input: { query: [text] } }] },
  ],
  [
    'responses',
    {
      output: [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text }],
        },
      ],
    },
  ],
])('C3: counts the texts of %s, and not what surrounds them', (_name, document) => {
  expect(deliveredTokens(JSON.stringify(document))).toBe(100)
})

it.each(['', 'no JSON', '{}', '{"choices":[]}'])('finds nothing in %j', (document) => {
  expect(deliveredTokens(document)).toBe(0)
})
