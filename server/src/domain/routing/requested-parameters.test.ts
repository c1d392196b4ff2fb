import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { requestedParameters } from './requested-parameters.ts'

const ownNames = `tools tool_choice parallel_tool_calls response_format structured_outputs temperature top_p top_k top_a min_p seed
  stop max_tokens frequency_penalty presence_penalty repetition_penalty logit_bias logprobs top_logprobs reasoning`

it.each(ownNames.split(/\s+/))('[ROUTE-24] %s is asked for by its own name', (name) => {
  expect(requestedParameters({ [name]: 1 })).toEqual([name])
})

it.each([
  ['text', 'response_format'],
  ['stop_sequences', 'stop'],
  ['max_completion_tokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['reasoning_effort', 'reasoning'],
  ['thinking', 'reasoning'],
  ['enable_thinking', 'reasoning'],
])('[ROUTE-24] %s asks for %s', (field, name) => {
  expect(requestedParameters({ [field]: false })).toEqual([name])
})

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
