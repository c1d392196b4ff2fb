import { describe, expect, it } from 'vitest'
import { leaks } from '#test/upstream-words/leaks.ts'
import { publicText } from './public-text.ts'

describe('the words of an upstream', () => {
  it.each(leaks.filter(({ isFormless }) => isFormless === undefined))('[B8] lose $name', ({ sentence, secret }) => {
    const shown = publicText(sentence)
    expect(shown).not.toContain(secret)
    expect(shown).toContain('[redacted]')
    expect(shown).toMatch(/^The field is wrong see .* for more$/)
  })

  it('[B8] lose what is known to be secret, whatever its form and letter case', () => {
    expect(publicText('Not HUNTER.two today', ['hunter.two'])).toBe('Not [redacted] today')
    expect(publicText('a word', ['', 'a'])).toBe('a word')
  })

  it.each([
    'messages.0.content: Input should be a valid string',
    "This model's maximum context length is 128000 tokens. Your messages resulted in 200000 tokens.",
    "Unsupported value: 'temperature' does not support 0.2 with meta-llama/Llama-3.3-70B-Instruct-Turbo.",
    'No tool output found for function call call_9pw1qnScqvGrCH58HWCvFH6T.',
    'See https://platform.openai.com/docs/guides/error-codes/api-errors, section 12:30:45.',
    'max_tokens:4096 is more than claude-sonnet-4-5-20250929 writes; ResponsibleAIPolicyViolation',
    'Could not fetch https://images.example.com/cats/tabby.png (404)',
    'tools[0].function.parameters.properties.first_frame_image: std::vector is no type',
  ])('[B8] that are about the request stay as they are: %s', (sentence) => {
    expect(publicText(sentence)).toBe(sentence)
  })

  it('[B8] are one line of at most 500 characters', () => {
    expect(publicText('a\r\nb\u0000\u200bc')).toBe('a b c')
    const shown = publicText('word '.repeat(5_000))
    expect(shown.length).toBeLessThanOrEqual(500)
    expect(shown.endsWith('…')).toBe(true)
    expect(publicText(`${'x'.repeat(498)}😀😀`)).toHaveLength(500)
  })

  it('[B8] hold no half of a secret that was cut off where reading ends', () => {
    const key = 'f3b1c2d4e5a697887766554433221100aabbccdd'
    for (let before = 3_960; before <= 4_000; before += 1) {
      const long = `${'Bearer x '.repeat(1_000).slice(0, before - 1)} ${key}`
      expect(publicText(long)).not.toContain(key.slice(0, 8))
    }
  })

  it('[B8] are shown where a known secret is longer than any pattern', () => {
    expect(publicText('The model is busy.', ['k'.repeat(40_000), 'busy'])).toBe('The model is [redacted].')
  })

  it('[B8] do not change when they are scrubbed once more', () => {
    for (const { sentence } of leaks) expect(publicText(publicText(sentence))).toBe(publicText(sentence))
  })
})
