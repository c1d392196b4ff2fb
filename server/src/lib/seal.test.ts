import { describe, expect, it } from 'vitest'
import { rewrap, seal, sealingKeyFrom, unseal } from './seal.ts'

const first = 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe'
const second = 'Zq8wSx5eDc2rFv9tGb4yHn7uJm1iKo3p'

describe('a sealed secret', () => {
  const sealed = seal(sealingKeyFrom(first), 'sk-canary', 'row 1')

  it('opens with its secret, for its row alone', () => {
    expect(unseal(sealingKeyFrom(first), sealed, 'row 1')).toBe('sk-canary')
    expect(() => unseal(sealingKeyFrom(first), sealed, 'row 2')).toThrow(sealed.keyId)
    expect(() => unseal(sealingKeyFrom(second), sealed, 'row 1')).toThrow(sealed.keyId)
    expect(JSON.stringify(sealed)).not.toContain('canary')
  })

  it('opens also when its secret is a previous one, and is found by the id of its key', () => {
    const both = sealingKeyFrom(second, [first])
    expect(unseal(both, sealed, 'row 1')).toBe('sk-canary')
    expect(seal(both, 'x', 'row 1').keyId).not.toBe(sealed.keyId)
    expect(sealingKeyFrom(second, [first]).id).toBe(sealingKeyFrom(second).id)
  })

  it('is wrapped anew without its text being touched, once', () => {
    const both = sealingKeyFrom(second, [first])
    const wrapped = rewrap(both, sealed, 'row 1')
    expect(wrapped).toMatchObject({ keyId: both.id, value: sealed.value })
    if (wrapped === null) throw new Error('not wrapped')
    expect(unseal(sealingKeyFrom(second), wrapped, 'row 1')).toBe('sk-canary')
    expect(rewrap(both, wrapped, 'row 1')).toBeNull()
    expect(() => rewrap(sealingKeyFrom(second), sealed, 'row 1')).toThrow(sealed.keyId)
  })

  it('opens where its key has the name that all keys once had', () => {
    // Sealed with the first secret when its key id was k1.
    const { opening } = sealingKeyFrom(first)
    const old = opening.find(({ id }) => id === 'k1')
    if (old === undefined) throw new Error('no such key')
    const early = seal({ ...old, opening: [old] }, 'sk-early', 'row 3')
    expect(early.keyId).toBe('k1')
    expect(unseal(sealingKeyFrom(second, [first]), early, 'row 3')).toBe('sk-early')
    expect(rewrap(sealingKeyFrom(second, [first]), early, 'row 3')?.keyId).toBe(sealingKeyFrom(second).id)
  })
})
