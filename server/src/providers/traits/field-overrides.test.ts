import { describe, expect, it } from 'vitest'
import type { TraitOverrides } from '#domain/routing/trait-overrides.ts'
import type { JsonObject } from '#lib/json.ts'
import { overrideFields, withoutPaths } from './field-overrides.ts'

function apply(overrides: TraitOverrides, body: JsonObject, { asked = {}, ignored = [] as string[] } = {}) {
  const request = { body: JSON.stringify(body), ignored, path: '/chat' }
  const { body: text, ...rest } = overrideFields(request, overrides, asked)
  return { ...rest, body: JSON.parse(text) as unknown }
}

describe('a field that an operator leaves out', () => {
  it('is not in the request, and is named to the client', () => {
    const body = { seed: 1, top_k: 2, generationConfig: { topK: 3, topP: 0.5 } }
    expect(apply({ leaveOut: ['seed', 'generationConfig.topK', 'user'] }, body)).toEqual({
      body: { top_k: 2, generationConfig: { topP: 0.5 } },
      ignored: ['seed', 'generationConfig.topK'],
      path: '/chat',
    })
  })

  it.each(['seed.deeper', 'none.deeper', 'toString', 'constructor.name'])('is nothing at %s', (path) => {
    const body = { seed: 1 }
    expect(apply({ leaveOut: [path] }, body)).toMatchObject({ body, ignored: [] })
  })
})

describe('a field that an operator sends after all', () => {
  const asked = { top_k: 5, seed: 7 }

  it('is in the request as the client wrote it, and no longer ignored', () => {
    const sent = apply({ send: { top_k: 'top_k' } }, { model: 'm' }, { asked, ignored: ['top_k', 'seed'] })
    expect(sent).toMatchObject({ body: { model: 'm', top_k: 5 }, ignored: ['seed'] })
  })

  it('stands where the operator says, whether the tables refuse it or send it', () => {
    const send = { top_k: 'extra.top_k', seed: 'extra.random.seed' }
    const body = { model: 'm', seed: 7, extra: { min_p: 1 } }
    expect(apply({ send }, body, { asked, ignored: ['top_k'] })).toMatchObject({
      body: { model: 'm', extra: { min_p: 1, top_k: 5, random: { seed: 7 } } },
      ignored: [],
    })
  })

  it('does not replace what is said already, nor what is no object', () => {
    const send = { top_k: 'top_k', seed: 'extra.seed' }
    const body = { top_k: 1, extra: 'text' }
    expect(apply({ send }, body, { asked, ignored: ['top_k', 'seed'] })).toMatchObject({
      body,
      ignored: ['top_k', 'seed'],
    })
  })

  it('is not made up where the client did not send it', () => {
    expect(apply({ send: { top_k: 'top_k' } }, { model: 'm' }, { asked: {}, ignored: ['top_k'] })).toMatchObject({
      body: { model: 'm' },
      ignored: ['top_k'],
    })
  })
})

it('leaves a request alone that is not JSON, or that nothing is said about', () => {
  const form = { body: '--form', ignored: [] }
  expect(overrideFields(form, { leaveOut: ['seed'] }, {})).toBe(form)
  const request = { body: '{ "seed": 1 }', ignored: [] }
  expect(overrideFields(request, { thinking: 'budget' }, {})).toBe(request)
})

it('takes paths out of an object without changing it', () => {
  const members = { size: '1:1', input: { seed: 1, prompt: 'x' }, list: [1] }
  expect(JSON.parse(JSON.stringify(withoutPaths(members, ['size', 'input.seed', 'list.0', 'none'])))).toEqual({
    input: { prompt: 'x' },
    list: [1],
  })
  expect(members).toEqual({ size: '1:1', input: { seed: 1, prompt: 'x' }, list: [1] })
})
