import { describe, expect, it } from 'vitest'
import { refusedFieldOf } from './refused-field.ts'

const refused = (message: string, { code, param }: { code?: string; param?: string } = {}) =>
  refusedFieldOf({ message, words: code === undefined ? [] : [code], param })

describe('the field that a refusal names', () => {
  it.each([
    ['unknown_parameter', 'reasoning', 'reasoning'],
    ['unsupported_parameter', 'reasoning.effort', 'reasoning'],
    ['extra_forbidden', 'reasoning_effort', 'reasoning_effort'],
  ])('stands in its member, under %s at %s', (code, param, name) => {
    expect(refused('Whatever it says.', { code, param })).toEqual({ name, source: 'member' })
  })

  it.each([
    ['unsupported_value', 'reasoning.effort'],
    ['invalid_value', 'reasoning'],
    ['unknown_parameter', 'tools[0].reasoning'],
    ['unknown_parameter', 'tools.0.reasoning'],
    ['unknown_parameter', ''],
    ['unknown_parameter', 'a.b.c.d.e'],
  ])('is none under %s at %s: a value is wrong, or a list that the client wrote', (code, param) => {
    expect(refused('Whatever it says.', { code, param })).toBeUndefined()
  })

  it.each([
    ["Unknown parameter: 'reasoning'.", 'reasoning'],
    ["Unknown parameter: 'reasoning.summary'.", 'reasoning'],
    ['Unrecognized request argument supplied: thinking', 'thinking'],
    ["Unsupported parameter: 'top_p' is not supported with this model.", 'top_p'],
    ["property 'enable_thinking' is unsupported", 'enable_thinking'],
    ["Extra inputs are not permitted, field: 'min_p', value: 0.1", 'min_p'],
    ['prompt_cache_key: Extra inputs are not permitted', 'prompt_cache_key'],
    ['Value error, current model does not support parameter enable_thinking', 'enable_thinking'],
    ['"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".', 'thinking'],
  ])('may be said by a message that is nothing else: %s', (message, name) => {
    expect(refused(message)).toEqual({ name, source: 'sentence' })
    expect(refused(message, { param: `${name}.part` })).toEqual({ name, source: 'sentence' })
    expect(refused(message, { param: 'another' })).toBeUndefined()
  })

  it.each([
    "Invalid value: 'Unknown parameter: 'instructions''.",
    "Invalid value: 'x'. Unknown parameter: 'reasoning'.",
    "Unknown parameter: 'reasoning'. And more.",
    "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.",
    'Invalid JSON payload received. Unknown name "systemInstruction" at \'safety_settings[0]\': Cannot find field.',
    "property 'messages[1].reasoning' is unsupported",
    'x: property "reasoning" is unsupported',
    '',
  ])('is none where a message only repeats such a sentence: %s', (message) => {
    expect(refused(message)).toBeUndefined()
  })
})
