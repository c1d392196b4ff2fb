import { describe, expect, it } from 'vitest'
import { authorOf, baseOf, isModelId, nameOf } from './model-id.ts'

describe('the id of a model', () => {
  it.each([
    'openai/gpt-5.2',
    'a/b',
    '0/1',
    'a.b_c-d/e.f_g-h',
    'acme/heron:free',
    'acme/heron:free-2',
    `acme/${'x'.repeat(195)}`,
  ])('may be %s', (text) => {
    expect(isModelId(text)).toBe(true)
  })

  it.each([
    '',
    'heron',
    '/heron',
    'acme/',
    'acme//heron',
    'acme/heron/x',
    '.acme/heron',
    'acme/-heron',
    'Acme/heron',
    'acme/heron:',
    'acme/heron:free:x',
    'acme/heron:Free',
    ' acme/heron',
    'acme/heron ',
    'ac me/heron',
    `acme/${'x'.repeat(196)}`,
  ])('is never %j', (text) => {
    expect(isModelId(text)).toBe(false)
  })

  it.each([
    ['acme/heron:free', 'acme', 'heron:free', 'acme/heron'],
    ['acme/heron', 'acme', 'heron', 'acme/heron'],
  ])('%s is of %s, called %s, and without its suffix %s', (id, author, name, base) => {
    expect([authorOf(id), nameOf(id), baseOf(id)]).toEqual([author, name, base])
  })
})
