import { expect, it } from 'vitest'
import { relayBody } from './messages-dialect.ts'
import { sealReasoning } from './sealed-thought.ts'
import { toolUseId } from './tool-use-id.ts'

const own = { type: 'thinking', thinking: 'Hm', signature: 'EqQB' }
const foreign = { type: 'thinking', thinking: 'Hm', signature: sealReasoning({ format: 'google', signature: 'x' }) }
const redacted = { type: 'redacted_thinking', data: sealReasoning({ format: 'openai', encrypted: 'x' }) }

it('[P17] thoughts of Anthropic are relayed byte for byte, those of others not at all', () => {
  const text = { type: 'text', text: 'Hi' }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [own, text] },
    { role: 'assistant', content: [foreign, redacted, { ...own, signature: '' }, text] },
    { role: 'assistant', content: [foreign] },
  ]
  const body = { model: 'm', messages, context_management: {} }
  expect(relayBody(body)).toEqual({
    ...body,
    messages: [...messages.slice(0, 2), { role: 'assistant', content: [text] }],
  })
})

it('ids lose what other upstreams put into them, and results still find their calls', () => {
  const ids = ['toolu_1', toolUseId('call_1', 'sig'), toolUseId('functions.get:0')]
  const messages = [
    { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'get', input: {} })) },
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id })) },
  ]
  const relayed = JSON.stringify(relayBody({ messages }))
  const found = [...relayed.matchAll(/"(?:tool_use_id|id)":"([^"]*)"/g)].map(([, id]) => id)
  expect(found.slice(0, 2)).toEqual(['toolu_1', 'call_1'])
  expect(found[2]).toMatch(/^toolu_[0-9a-f]{24}$/)
  expect(found.slice(3)).toEqual(found.slice(0, 3))
})
