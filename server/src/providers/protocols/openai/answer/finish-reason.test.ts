import { describe, expect, it } from 'vitest'
import { vendors } from '#providers/registry.ts'
import { finishReasonOf } from './finish-reason.ts'
import { tidyFinish } from './tidy-finish.ts'

const quirks = vendors.openai.openai

describe('finish reasons', () => {
  it.each([
    ['stop', 'stop'],
    ['eos', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
    ['SAFETY', 'content_filter'],
    ['error', 'error'],
    ['never heard of', 'stop'],
    ['constructor', 'stop'],
    ['__proto__', 'stop'],
  ])('[CHAT-42] %s is %s', (native, reason) => {
    expect(finishReasonOf(native, quirks)).toBe(reason)
  })

  it('[CHAT-42] follows the words of the vendor first', () => {
    expect(finishReasonOf('insufficient_system_resource', vendors.deepseek.openai)).toBe('error')
    expect(finishReasonOf('network_error', vendors['z-ai'].openai)).toBe('error')
  })

  it.each([
    ['says nothing new', { finish_reason: 'stop' }, { finish_reason: 'stop' }],
    ['was another', { finish_reason: 'eos' }, { finish_reason: 'stop', native_finish_reason: 'eos' }],
    [
      'was stated by the upstream',
      { finish_reason: 'stop', native_finish_reason: 'end_turn' },
      { finish_reason: 'stop', native_finish_reason: 'end_turn' },
    ],
    ['is missing', {}, { finish_reason: null }],
    ['is empty', { finish_reason: '' }, { finish_reason: null }],
  ])('[CHAT-42] [CHAT-44] keeps the native word where it %s', (_case, choice, expected) => {
    tidyFinish(choice, false, quirks)
    expect(choice).toEqual(expected)
  })

  it('[TOOL-06] is tool_calls when tools were called, unless something cut the answer', () => {
    const stopped = { finish_reason: 'stop' }
    const cut = { finish_reason: 'length' }
    tidyFinish(stopped, true, quirks)
    tidyFinish(cut, true, quirks)
    expect(stopped).toEqual({ finish_reason: 'tool_calls', native_finish_reason: 'stop' })
    expect(cut).toEqual({ finish_reason: 'length' })
  })
})
