import { describe, expect, it } from 'vitest'
import { parseChat } from '#dialects/chat/parse-chat.ts'
import { chatBodyFromResponses } from './chat-body.ts'
import { codexRequest } from './fixtures/codex-request.ts'

describe('a Responses body on a chat path', () => {
  it('[IDE-01] [IDE-02] [IDE-03] [IDE-04] [IDE-05] becomes a chat body, without what only Responses knows', () => {
    const body = chatBodyFromResponses({
      model: 'm',
      instructions: 'Be brief.',
      input: 'Hello',
      max_output_tokens: 9,
      previous_response_id: 'resp_1',
      truncation: 'auto',
      background: true,
      store: true,
      temperature: 1,
      provider: { sort: 'price' },
      text: { format: { type: 'json_schema', name: 'n', schema: {}, strict: true }, verbosity: 'low' },
      tools: [
        { type: 'function', name: 'flat', parameters: { type: 'object' } },
        { type: 'function', function: { name: 'nested' } },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'auto' },
    })
    expect(body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 9,
      temperature: 1,
      provider: { sort: 'price' },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {}, strict: true } },
      verbosity: 'low',
      tools: [
        { type: 'function', function: { name: 'flat', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'nested' } },
      ],
      tool_choice: 'auto',
    })
    expect(parseChat(body).maxTokens).toBe(9)
  })

  it('[P16] keeps parallel calls in one message and each result in its own', () => {
    const body = chatBodyFromResponses(codexRequest)
    expect(body.messages).toMatchObject([
      { role: 'system', content: 'You are a coding agent.\n\n<permissions>read-only</permissions>' },
      { role: 'user' },
      { role: 'user', content: 'List the files.' },
      {
        role: 'assistant',
        content: null,
        reasoning_details: [{ type: 'reasoning.summary' }, { type: 'reasoning.encrypted', data: 'gAAAAABo+/secret==' }],
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'shell', arguments: '{"command":["ls"]}' } },
          { id: 'call_2', type: 'function', function: { name: 'shell', arguments: '{"command":["pwd"]}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1' },
      { role: 'tool', tool_call_id: 'call_2', content: '/home' },
    ])
    expect(() => parseChat(body)).not.toThrow()
  })

  it('keeps pictures and files, and names a chosen function as chat does', () => {
    const body = chatBodyFromResponses({
      model: 'm',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgoA', detail: 'low' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: { type: 'function', name: 'f' },
    })
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgoA', detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
        ],
      },
    ])
    expect(body.tool_choice).toEqual({ type: 'function', function: { name: 'f' } })
  })

  it('with only hosted tools has none, and nothing to choose', () => {
    const body = chatBodyFromResponses({ model: 'm', input: 'x', tools: [{ type: 'web_search' }], tool_choice: 'auto' })
    expect(Object.keys(body)).toEqual(['model', 'messages'])
  })
})
