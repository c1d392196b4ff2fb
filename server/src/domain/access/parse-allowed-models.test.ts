import { describe, expect, it } from 'vitest'
import { parseAllowedModels } from './parse-allowed-models.ts'

describe('a list of allowed models', () => {
  it('[ALLOW-05] has exact ids and wildcards of a provider, each of them once', () => {
    const patterns = ['openai/gpt-5.2', 'anthropic/*', 'google/gemma-3-27b-it:free', 'openai/gpt-5.2']
    expect(parseAllowedModels(patterns)).toEqual({ accepted: true, patterns: patterns.slice(0, 3) })
    expect(parseAllowedModels([])).toEqual({ accepted: true, patterns: [] })
  })

  it.each([
    '*',
    '*/*',
    '/*',
    'openai',
    'openai/',
    '/gpt',
    'openai/gpt/*',
    'openai/gpt*',
    'open*/gpt',
    'a/b/c',
    '',
    'OpenAI/gpt-5.2',
    'openai/GPT-5.2',
    'OPENAI/*',
    ' openai/*',
    'openai/*\n',
    'openai /x',
    'openai/x:',
    'ÄB/x',
    null,
    5,
    {},
    ['openai/*'],
  ])('[ALLOW-06] refuses %j and names it', (entry) => {
    const parsed = parseAllowedModels(['openai/*', entry])
    expect(parsed).toMatchObject({ accepted: false })
    expect(parsed).toHaveProperty('problem', expect.stringContaining(JSON.stringify(entry)))
  })

  it.each([undefined, null, 'openai/*', {}])('refuses %j in place of a list', (value) => {
    expect(parseAllowedModels(value)).toMatchObject({ accepted: false })
  })

  const neither = 'must be a model id such as "openai/gpt-5.2", or a provider wildcard such as "openai/*".'
  it.each<[unknown, string]>([
    ['openai/*', '`allowedModels` must be an array of strings.'],
    [Array.from({ length: 201 }, () => 'a/*'), '`allowedModels` can have at most 200 entries, not 201.'],
    [['a/*', 5], 'allowedModels[1], 5, is not a string.'],
    [[undefined], 'allowedModels[0], nothing, is not a string.'],
    [['OpenAI/x'], 'allowedModels[0], "OpenAI/x", must be lowercase.'],
    [['a/b', 'openai'], `allowedModels[1], "openai", ${neither}`],
    [[`a/${'x'.repeat(99)}`], `allowedModels[0], "a/${'x'.repeat(97)}…, has more than 100 characters.`],
    // With its quotes it has a hundred characters and is shown in full.
    [['x'.repeat(98)], `allowedModels[0], "${'x'.repeat(98)}", ${neither}`],
    [['x'.repeat(99)], `allowedModels[0], "${'x'.repeat(99)}…, ${neither}`],
    // A surrogate pair is not cut in two.
    [[`${'x'.repeat(98)}😀`], `allowedModels[0], "${'x'.repeat(98)}\ufffd…, ${neither}`],
  ])('[ALLOW-06] is refused with the place and the reason', (value, problem) => {
    expect(parseAllowedModels(value)).toEqual({ accepted: false, problem })
  })

  it('[ALLOW-07] has at most 200 entries', () => {
    const many = Array.from({ length: 201 }, (_, index) => `openai/model-${index}`)
    expect(parseAllowedModels(many.slice(1))).toMatchObject({ accepted: true, patterns: { length: 200 } })
    expect(parseAllowedModels(many)).toMatchObject({ accepted: false })
  })

  it('[ALLOW-08] has entries of at most 100 characters, of either form', () => {
    expect(parseAllowedModels([`openai/${'x'.repeat(93)}`, `${'x'.repeat(98)}/*`])).toMatchObject({ accepted: true })
    expect(parseAllowedModels([`openai/${'x'.repeat(94)}`])).toMatchObject({ accepted: false })
    expect(parseAllowedModels([`${'x'.repeat(99)}/*`])).toMatchObject({ accepted: false })
  })
})
