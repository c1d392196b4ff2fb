import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeModel } from './judge-model.ts'
import { resolveAllowedModels } from './resolve-allowed-models.ts'

const none = { organization: [], team: [], member: [] }

describe('[ALLOW-04] layers of allowed models', () => {
  it('allow everything where all of them are empty', () => {
    expect(resolveAllowedModels(none)).toBeNull()
    expect(judgeModel([], 'openai/gpt-5.2')).toEqual({ allowed: true })
  })

  it('leave an exact model within a wildcard, and a wildcard within its like', () => {
    const layers = { organization: ['openai/*', 'google/x'], team: ['openai/a', 'openai/*'], member: [] }
    expect(resolveAllowedModels(layers)).toEqual(['openai/*', 'openai/a'])
    expect(resolveAllowedModels({ ...layers, member: ['openai/a', 'google/x'] })).toEqual(['openai/a'])
  })

  it('allow nothing where they have nothing in common, which is not everything', () => {
    expect(resolveAllowedModels({ ...none, organization: ['openai/*'], member: ['google/*'] })).toEqual([])
  })

  it('allow together exactly what each of them allows', () => {
    const author = fc.constantFrom('a', 'ab', 'b')
    const model = fc.tuple(author, fc.constantFrom('x', 'y', 'x:free')).map(([left, right]) => `${left}/${right}`)
    const pattern = fc.oneof(
      model,
      author.map((name) => `${name}/*`),
    )
    const layer = fc.array(pattern, { maxLength: 4 })
    fc.assert(
      fc.property(layer, layer, layer, model, (organization, team, member, id) => {
        const resolved = resolveAllowedModels({ organization, team, member })
        const said = [organization, team, member].filter((patterns) => patterns.length > 0)
        const together = resolved === null || (resolved.length > 0 && judgeModel([resolved], id).allowed)
        expect(together).toBe(judgeModel(said, id).allowed)
      }),
    )
  })

  it('[ALLOW-05] a pattern is one model, or all of one provider and of no other that is named alike', () => {
    expect(judgeModel([['openai/gpt-5.2']], 'openai/gpt-5.2:free').allowed).toBe(false)
    expect(judgeModel([['openai/gpt-5.2']], 'openai/gpt-5.2-mini').allowed).toBe(false)
    expect(judgeModel([['openai/*']], 'openai/gpt-5.2:free').allowed).toBe(true)
    expect(judgeModel([['openai/*']], 'openai-community/gpt2').allowed).toBe(false)
  })
})
