import { describe, expect, it } from 'vitest'
import { overridesFor } from './trait-overrides.ts'

describe('what is overridden for a model', () => {
  it('is nothing without a row that names it', () => {
    expect(overridesFor(undefined, ['gpt-5'])).toBeUndefined()
    expect(overridesFor([], ['gpt-5'])).toBeUndefined()
    expect(overridesFor([{ model: 'gpt-4', sampling: 'all' }], ['gpt-5', 'openai/gpt-5'])).toBeUndefined()
    expect(overridesFor([{ model: 'gpt', sampling: 'all' }], ['gpt-5'])).toBeUndefined()
  })

  it.each([undefined, 'gpt-5', 'openai/gpt-5', 'gpt*', 'openai/*'])('holds where its row names %s', (model) => {
    const row = { ...(model === undefined ? {} : { model }), outputCap: 'max_tokens' as const }
    expect(overridesFor([row], ['gpt-5', 'openai/gpt-5'])).toMatchObject({ outputCap: 'max_tokens' })
  })

  it('is that of the row with the longest name, and the fields of all', () => {
    const rows = [
      { model: 'claude-opus-5', thinking: 'adaptive', leaveOut: ['top_k'] },
      { thinking: 'budget', canRest: false, leaveOut: ['speed', 'top_k'], send: { seed: 'seed' } },
      { model: 'claude-*', thinking: 'level', sampling: 'one', send: { user: 'metadata.user_id' } },
    ] as const
    expect(overridesFor(rows, ['claude-opus-5'])).toEqual({
      thinking: 'adaptive',
      canRest: false,
      sampling: 'one',
      leaveOut: ['speed', 'top_k'],
      send: { seed: 'seed', user: 'metadata.user_id' },
    })
    expect(overridesFor(rows, ['claude-haiku-5'])).toMatchObject({ thinking: 'level', leaveOut: ['speed', 'top_k'] })
    expect(overridesFor(rows, ['other'])).toMatchObject({ thinking: 'budget', send: { seed: 'seed' } })
  })

  it('is that of a whole name before that of a beginning as long', () => {
    const rows = [{ model: 'gpt-5', sampling: 'one' } as const, { model: 'gpt-*', sampling: 'all' } as const]
    expect(overridesFor(rows, ['gpt-5'])).toMatchObject({ sampling: 'one' })
  })
})
