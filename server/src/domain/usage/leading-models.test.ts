import { expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { explainChange } from './explain-change.ts'
import { findLeadingModels } from './leading-models.ts'

const nothing = { requests: null, tokens: null, price: null, cache: null, newUse: null, endedUse: null, failed: null }

function sums([requests, spent]: readonly [number, number], failed = 0) {
  const rest = { saved: nanoUsd(0n), promptTokens: 0, completionTokens: 0 }
  return { requests, spent: nanoUsd(BigInt(spent)), failed, ...rest }
}

function model(name: string, before: readonly [number, number], now: readonly [number, number], failed = [0, 0]) {
  const [earlier, later] = [sums(before, failed[0]), sums(now, failed[1])]
  return { name, before: earlier, now: later, parts: explainChange(earlier, later) }
}

it.each([
  ['no model', [], {}],
  ['nothing that changed', [model('a', [1, 5], [1, 5])], {}],
  ['the largest rise', [model('a', [1, 5], [2, 10]), model('b', [1, 9], [2, 18])], { requests: 'b' }],
  ['the first of equal ones', [model('a', [1, 5], [2, 10]), model('b', [1, 5], [2, 10])], { requests: 'a' }],
  ['the largest fall', [model('a', [2, 10], [1, 5]), model('b', [2, 18], [1, 9])], { requests: 'b' }],
  ['a rise, where others fall by less', [model('a', [4, 40], [3, 30]), model('b', [1, 9], [3, 27])], { requests: 'b' }],
  ['no model, where rise and fall are equal', [model('a', [1, 5], [2, 10]), model('b', [2, 10], [1, 5])], {}],
  [
    'new, ended and dearer models',
    [model('a', [0, 0], [1, 3]), model('b', [1, 4], [0, 0]), model('c', [1, 1], [1, 2])],
    { newUse: 'a', endedUse: 'b', price: 'c' },
  ],
  ['failed requests', [model('a', [4, 4], [4, 4], [1, 2]), model('b', [4, 4], [4, 4], [0, 2])], { failed: 'b' }],
  ['fewer failed requests', [model('a', [4, 4], [4, 4], [2, 0]), model('b', [4, 4], [4, 4], [0, 1])], { failed: 'a' }],
])('names %s', (_title, models, expected) => {
  expect(findLeadingModels(models)).toEqual({ ...nothing, ...expected })
})
