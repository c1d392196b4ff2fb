import { expect, it } from 'vitest'
import { parseJsonObject } from '#lib/json.ts'
import { buildChatRequest } from '#providers/protocols/openai/request/build-request.ts'
import { finishReasonOf } from '#providers/protocols/openai/answer/finish-reason.ts'
import { cohere } from './index.ts'

const messages = [{ role: 'user', content: 'Hi' }]

it('Cohere is asked on its compatible surface, without what that does not take', () => {
  const request = buildChatRequest(
    { vendor: cohere, baseUrl: null, credential: 'secret', upstreamModel: 'command-x', openAiFamily: false },
    {
      body: { model: 'cohere/command-x', messages, n: 2, max_completion_tokens: 9 },
      stream: true,
      maxTokens: 9,
    },
  )
  expect(request.origin + request.path).toBe('https://api.cohere.ai/compatibility/v1/chat/completions')
  expect(request.ignored).toEqual(['n'])
  expect(parseJsonObject(request.body)).toEqual({
    model: 'command-x',
    messages,
    max_tokens: 9,
    stream: true,
    stream_options: { include_usage: true },
  })
})

it.each([
  ['COMPLETE', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tool_calls'],
  ['ERROR', 'error'],
  ['TIMEOUT', 'error'],
])('[CHAT-42] Cohere says %s, clients read %s', (native, reason) => {
  expect(finishReasonOf(native, cohere.openai)).toBe(reason)
})
