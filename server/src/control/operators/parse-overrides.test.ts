import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { parseOverrides } from './parse-overrides.ts'

const parse = (value: JsonValue, ...protocols: string[]) => parseOverrides(value, { slug: 'acme', protocols })

describe('overrides', () => {
  it('are read as an operator wrote them', () => {
    const rows = [
      {
        leaveOut: ['top_k', 'generationConfig.topK'],
        send: { seed: 'seed', min_p: 'additionalModelRequestFields.min_p' },
        thinking: 'reasoning',
        efforts: ['low', 'high'],
        outputCap: 'max_tokens',
        thoughts: 'content-always',
      },
      { model: 'gpt-5*', thinking: 'enable_thinking' },
    ]
    expect(parse(rows, 'openai')).toEqual(rows)
    const claude = [{ model: 'claude-opus-5', thinking: 'budget', sampling: 'none', canRest: false, canBeForced: true }]
    expect(parse(claude, 'anthropic')).toEqual(claude)
    expect(parse(claude, 'bedrock')).toEqual(claude)
    expect(parse([{ thinking: 'level' }], 'gemini')).toEqual([{ thinking: 'level' }])
    expect(parse([{ leaveOut: ['seed'] }], 'none')).toEqual([{ leaveOut: ['seed'] }])
    const forms = [{ model: 'veo*', aspectRatios: ['16:9', '1.91:1'], sizes: ['1280x720'], durations: [4, 8] }]
    expect(parse(forms, 'none')).toEqual(forms)
    expect(parse([{ durations: [8, 4] }], 'none')).toEqual([{ durations: [4, 8] }])
    expect(parse([], 'none')).toEqual([])
  })

  it.each<[JsonValue, string]>([
    [{}, 'overrides must be an array'],
    [[null], 'An override must be an object'],
    [[{}], 'at least one trait: leaveOut, send'],
    [[{ model: 'x' }], 'at least one trait'],
    [[{ leaveout: ['seed'] }], 'Unknown trait leaveout. Traits: leaveOut'],
    [
      [{ sampling: 'all' }],
      'sampling has no effect for acme; it only applies to providers that use anthropic or bedrock',
    ],
    [[{ thinking: 'level' }], 'acme supports the thinking forms reasoning_effort'],
    [[{ thinking: 'loud' }], 'thinking must be one of'],
    [[{ outputCap: 'max_output_tokens' }], 'outputCap must be one of max_tokens, max_completion_tokens.'],
    [[{ thoughts: 'all' }], 'thoughts must be one of none'],
    [[{ efforts: [] }], 'efforts must be strings such as low'],
    [[{ aspectRatios: ['wide'] }], 'aspectRatios must be 1 to 50 strings such as 16:9'],
    [[{ aspectRatios: [] }], 'aspectRatios must be'],
    [[{ sizes: ['1280'] }], 'sizes must be 1 to 50 strings such as 1280x720'],
    [[{ durations: [] }], 'durations must be integers from 1 to 600 (seconds)'],
    [[{ durations: ['4'] }], 'durations must be integers from 1 to 600 (seconds)'],
    [[{ durations: [0.5] }], 'durations must be integers from 1 to 600 (seconds)'],
    [[{ durations: [601] }], 'durations must be integers from 1 to 600 (seconds)'],
    [[{ efforts: ['Very High'] }], 'efforts must be strings such as low'],
    [[{ leaveOut: 'seed' }], 'leaveOut must be an array of strings'],
    [[{ leaveOut: ['top k'] }], "leaveOut: 'top k' is not a field name"],
    [[{ leaveOut: ['__proto__'] }], "'__proto__' is not a field name"],
    [[{ leaveOut: ['a.__proto__.b'] }], 'is not a field name'],
    [[{ leaveOut: ['messages'] }], "messages can't be overridden, because the request or its price depends on it"],
    [[{ leaveOut: ['stream_options.include_usage'] }], "stream_options.include_usage can't be overridden, because"],
    [[{ send: { top_k: 'generationConfig.maxOutputTokens' } }], "generationConfig.maxOutputTokens can't be overridden"],
    [[{ leaveOut: Array.from({ length: 51 }, (_, place) => `f${place}`) }], 'at most 50 fields'],
    [[{ send: ['seed'] }], 'send must be an object that maps 1 to 50 client fields'],
    [[{ send: {} }], 'send must be an object that maps 1 to 50 client fields'],
    [[{ send: { seed: 1 } }], "send: '' is not a field name"],
    [[{ send: { seed: 'model' } }], "model can't be overridden, because the request or its price depends on it"],
    [[{ model: '', leaveOut: ['seed'] }], 'model must be'],
    [[{ model: '*', leaveOut: ['seed'] }], 'model must be'],
    [[{ model: 'a*b', leaveOut: ['seed'] }], 'model must be'],
    [[{ model: 5, leaveOut: ['seed'] }], 'model must be'],
    [[{ leaveOut: ['seed'] }, { leaveOut: ['user'] }], 'Two overrides apply to all models'],
    [Array.from({ length: 101 }, (_, place) => ({ model: `m${place}`, leaveOut: ['seed'] })), 'at most 100 overrides'],
  ])('are refused with a word of what is wrong: %j', (value, words) => {
    expect(() => parse(value, 'openai')).toThrow(words)
  })

  it.each([
    ['openai', 'max_completion_tokens'],
    ['responses', 'instructions'],
    ['responses', 'max_output_tokens'],
    ['anthropic', 'system'],
    ['gemini', 'systemInstruction'],
    ['gemini', 'generationConfig'],
    ['gemini', 'generationConfig.maxOutputTokens'],
    ['bedrock', 'inferenceConfig'],
    ['bedrock', 'inferenceConfig.maxTokens'],
    ['bedrock', 'toolConfig'],
  ])('C1: of %s are refused for %s', (protocol, path) => {
    expect(() => parse([{ leaveOut: [path] }], protocol)).toThrow(
      `${path} can't be overridden, because the request or its price depends on it`,
    )
  })

  it('of Claude are refused for a flag that is none', () => {
    expect(() => parse([{ canRest: 'no' }], 'anthropic')).toThrow('canRest must be true or false')
    expect(() => parse([{ canBeForced: 1 }], 'bedrock')).toThrow('canBeForced must be true or false')
  })

  it('may be of any protocol that a vendor speaks', () => {
    const rows = [{ thinking: 'adaptive', sampling: 'all', outputCap: 'max_tokens' }]
    expect(parse(rows, 'openai', 'anthropic', 'gemini')).toEqual(rows)
  })
})
