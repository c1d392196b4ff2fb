import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { itemReferences } from './item-references.ts'

const reference = (id: JsonValue): JsonObject => ({ type: 'item_reference', id })
const hello = { role: 'user', content: 'Hello' }

describe('references to items', () => {
  it.each<[about: string, input: JsonValue, found: readonly (readonly [place: string, id: string])[]]>([
    ['a string', 'Hello', []],
    ['no list', { type: 'item_reference', id: 'a' }, []],
    ['items', [hello, { type: 'message', id: 'msg_1' }, 'item_reference', null], []],
    [
      'references among items',
      [reference('rs_1'), hello, reference('msg_1')],
      [
        ['input[0]', 'rs_1'],
        ['input[2]', 'msg_1'],
      ],
    ],
    [
      'the same one twice',
      [reference('a'), reference('a')],
      [
        ['input[0]', 'a'],
        ['input[1]', 'a'],
      ],
    ],
    ['references without an id', [reference(''), reference(5), { type: 'item_reference' }], []],
  ])('[V3] are found in %s', (_about, input, found) => {
    expect(itemReferences.find({ input }).map(({ place, id }) => [place, id])).toEqual(found)
  })

  it('[V3] are replaced in order, and nothing else changes', () => {
    const items = [
      { type: 'reasoning', id: 'rs_1' },
      { type: 'message', id: 'msg_1' },
    ]
    const body = { model: 'm', input: [reference('rs_1'), hello, reference(''), reference('msg_1')] }
    expect(itemReferences.replace(body, items)).toEqual({
      model: 'm',
      input: [items[0], hello, reference(''), items[1]],
    })
    expect(body.input[0]).toEqual(reference('rs_1'))
    expect(itemReferences.replace({ input: 'Hello' }, [])).toEqual({ input: 'Hello' })
  })
})
