import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { completionsPrompt, parseCompletions } from './parse-completions.ts'

const plain: JsonObject = { model: 'weir/maker/model', prompt: 'Once upon a time' }
const many = (length: number): string[] => Array.from({ length }, () => 'Once')

describe('[NEXT-140] a request for completions', () => {
  it('has one prompt, at most 16 tokens and no stream by default', () => {
    expect(parseCompletions(plain)).toEqual({
      modelName: 'maker/model',
      stream: false,
      maxTokens: 16,
      choiceCount: 1,
      hasTools: false,
      // 16 bytes, and four tokens around the prompt.
      promptTokensEstimate: 8,
      promptTokensHeld: 8,
      promptTokensMax: 20,
      body: plain,
    })
  })

  it('has its own output cap, and a completion for each prompt and each of `n`', () => {
    const body = { ...plain, prompt: ['a', 'b', 'c'], n: 2, max_tokens: 100, stream: true }
    expect(parseCompletions(body)).toMatchObject({ maxTokens: 100, choiceCount: 6, stream: true })
    expect(parseCompletions({ ...plain, n: 3 })).toMatchObject({ choiceCount: 3 })
    expect(parseCompletions({ ...plain, best_of: 1 })).toMatchObject({ choiceCount: 1 })
    expect(parseCompletions({ ...plain, best_of: 3, n: 3 })).toMatchObject({ choiceCount: 3 })
  })

  it('counts all prompts and the suffix', () => {
    expect(parseCompletions({ ...plain, suffix: 'abcd' })).toMatchObject({ promptTokensHeld: 9 })
    expect(parseCompletions({ ...plain, prompt: ['abcd', 'abcd'] })).toMatchObject({ promptTokensHeld: 10 })
  })

  it('may leave optional fields null or empty', () => {
    const unsaid = { n: null, stream: null, echo: null, logprobs: null, suffix: null, best_of: null, max_tokens: null }
    expect(parseCompletions({ ...plain, ...unsaid })).toMatchObject({ maxTokens: 16, choiceCount: 1, stream: false })
    expect(parseCompletions({ ...plain, suffix: '', logprobs: false, echo: false })).toMatchObject({ choiceCount: 1 })
    expect(parseCompletions({ ...plain, echo: true })).toMatchObject({ choiceCount: 1 })
    expect(parseCompletions({ ...plain, logprobs: 0 })).toMatchObject({ choiceCount: 1 })
  })

  it.each<[string, JsonValue | undefined, string | number, string?]>([
    ['model', undefined, 'missing_required_field'],
    ['model', 5, 400],
    ['prompt', undefined, 'missing_required_field'],
    ['prompt', null, 'missing_required_field'],
    ['prompt', 5, 400],
    ['prompt', [], 400],
    ['prompt', [1, 2, 3], 400, 'Token ids are not supported'],
    ['prompt', ['a', [1, 2]], 400, 'Token ids are not supported'],
    ['stream', 'yes', 400],
    ['echo', 'yes', 400],
    ['suffix', 5, 400],
    ['logprobs', true, 400],
    ['logprobs', 21, 400],
    ['logprobs', -1, 400],
    ['logprobs', 1.5, 400],
    ['best_of', 2, 'unsupported_param'],
    ['n', 0, 400],
    ['n', 129, 400],
    ['temperature', 3, 400],
    ['stop', 5, 400],
    ['max_tokens', 0, 'max_tokens_invalid'],
  ])('[NEXT-143] is refused with `%s` of %j', (name, value, code, words = `\`${name}\``) => {
    expect(() => parseCompletions({ ...plain, [name]: value })).toThrow(refusal(code, words))
  })

  it('[NEXT-143] has at most 128 completions, and no prompt in its log probabilities', () => {
    expect(parseCompletions({ ...plain, prompt: many(64), n: 2 })).toMatchObject({ choiceCount: 128 })
    expect(() => parseCompletions({ ...plain, prompt: many(65), n: 2 })).toThrow(refusal(400, '130 completions'))
    expect(() => parseCompletions({ ...plain, echo: true, logprobs: 1 })).toThrow(
      refusal('unsupported_param', '`echo`'),
    )
  })

  it('is no conversation whose middle could be left out', () => {
    expect(completionsPrompt.items(plain)).toEqual([])
    expect(completionsPrompt.withItems(plain, [])).toBe(plain)
    expect(completionsPrompt.measureItem('abcd').texts).toEqual(['abcd'])
    expect(completionsPrompt.bindings('abcd')).toMatchObject({ isInstruction: false })
  })
})
