import { describe, expect, it } from 'vitest'
import { modelAskedFor } from './model-asked-for.ts'

describe('the model of a refused request', () => {
  it.each([
    'gpt-4.1-mini',
    'acme/Large',
    'acme/large:free',
    'models/acme/large-2.5',
    'accounts/fireworks/models/llama-v3p1-8b',
    'anthropic/claude-sonnet-4@20250514',
    'a',
    `acme/${'a-'.repeat(47)}a`,
  ])('is kept: %s', (model) => {
    expect(modelAskedFor(model)).toBe(model)
  })

  it.each([
    undefined,
    null,
    7,
    {},
    '',
    'Write me a poem',
    'gpt\n4',
    'gpt\u00004',
    'modèle',
    '/acme',
    'acme/',
    'acme//large',
    'a/b/c/d/e',
    ':free',
    'acme:',
    '<script>',
    'someone@example.com is my address',
    'sk-weir-0123',
    'SK-proj-0123',
    'edu-sess-0123',
    'a'.repeat(33),
    `acme/${'a-'.repeat(47)}aa`,
  ])('is left out where it may be something else: %j', (text) => {
    expect(modelAskedFor(text)).toBeNull()
  })

  it('is judged in linear time', () => {
    expect(modelAskedFor('a.'.repeat(50))).not.toBeNull()
    expect(modelAskedFor(`${'a/'.repeat(3)}${'a.'.repeat(47)}`)).not.toBeNull()
    expect(modelAskedFor(`${'a.'.repeat(49)}!`)).toBeNull()
  })
})
