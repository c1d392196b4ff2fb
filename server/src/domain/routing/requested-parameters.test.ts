import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { requestedParameters } from './requested-parameters.ts'

it.each<[string, JsonObject, string[]]>([
  [
    'chat',
    { model: 'm', messages: [], temperature: 0, tools: [], max_completion_tokens: 5 },
    ['temperature', 'tools', 'max_tokens'],
  ],
  [
    'Messages',
    { max_tokens: 5, stop_sequences: ['x'], thinking: { type: 'enabled' } },
    ['max_tokens', 'stop', 'reasoning'],
  ],
  [
    'Responses',
    { max_output_tokens: 5, text: { format: { type: 'json_object' } }, reasoning: {} },
    ['max_tokens', 'response_format', 'reasoning'],
  ],
  ['two spellings of one', { max_tokens: 5, max_completion_tokens: 5 }, ['max_tokens']],
  ['null, which asks for nothing', { temperature: null, seed: null }, []],
  ['what every host knows, and what stays here', { stream: true, user: 'u', provider: {}, models: [] }, []],
  ['a name that objects have by themselves', { constructor: 'x', toString: 'y' }, []],
])('[ROUTE-24] %s', (_what, body, parameters) => {
  expect(requestedParameters(body)).toEqual(parameters)
})
