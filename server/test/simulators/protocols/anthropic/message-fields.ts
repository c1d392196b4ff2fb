import type { JsonObject } from '../../json-value.ts'
import type { AnthropicAnswer } from './anthropic-answer.ts'

export const messageHeaders = {
  'request-id': 'req_sim01',
  'anthropic-ratelimit-requests-limit': '4000',
  'anthropic-ratelimit-requests-remaining': '3999',
  'anthropic-ratelimit-requests-reset': '2026-11-15T00:00:00Z',
} as const

/** The first fields of every message. */
export function messageFields({ model }: AnthropicAnswer): JsonObject {
  return { id: 'msg_sim01', type: 'message', role: 'assistant', model: model ?? 'claude-sim-20260101' }
}
