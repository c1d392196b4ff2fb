import { expect, it } from 'vitest'
import { namedFieldIn } from './named-field.ts'

it.each([
  ["Unknown parameter: 'reasoning'.", 'reasoning'],
  ["Unknown parameter: 'reasoning.summary'.", 'reasoning'],
  ["Unknown parameter: 'messages[0].name'.", 'messages'],
  ["Unknown parameter: 'tools[1]'.", 'tools'],
  ['Unrecognized request argument supplied: thinking', 'thinking'],
  ["Unsupported parameter: 'top_p' is not supported with this model.", 'top_p'],
  ["property 'enable_thinking' is unsupported", 'enable_thinking'],
  ["Extra inputs are not permitted, field: 'min_p', value: 0.1", 'min_p'],
  ['prompt_cache_key: Extra inputs are not permitted', 'prompt_cache_key'],
  ['Value error, current model does not support parameter enable_thinking', 'enable_thinking'],
  ['Invalid JSON payload received. Unknown name "topA" at \'generation_config\'', 'topA'],
  ['`temperature` is deprecated for this model.', 'temperature'],
  ['"thinking.type.enabled" is not supported for this model.', 'thinking'],
])('%s names %s', (words, field) => {
  expect(namedFieldIn(words)).toBe(field)
})

it.each(['The prompt is too long.', ''])('%s names nothing', (words) => {
  expect(namedFieldIn(words)).toBeUndefined()
})
