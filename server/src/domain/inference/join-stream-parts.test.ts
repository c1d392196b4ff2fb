import { expect, it } from 'vitest'
import { joinStreamParts } from './join-stream-parts.ts'

it('joins choices by their number, whatever number an upstream gives them', () => {
  const { choices } = joinStreamParts([
    { kind: 'text-added', choice: 4_294_967_296, text: 'far ' },
    { kind: 'text-added', choice: 1, text: 'near' },
    { kind: 'text-added', choice: 4_294_967_296, text: 'away' },
  ])
  expect(choices.map(({ parts }) => parts)).toEqual([
    [{ kind: 'text', text: 'near' }],
    [{ kind: 'text', text: 'far away' }],
  ])
})
