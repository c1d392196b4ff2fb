import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { closeToolCalls, createToolCalls, tidyToolDeltas } from './tidy-tool-deltas.ts'

/** Assembles the calls as a client would, and checks that identity comes first and only once. */
function assemble(arrivals: readonly JsonValue[][]) {
  const state = createToolCalls()
  const tidied = [...arrivals.flatMap((deltas) => tidyToolDeltas(deltas, state)), ...closeToolCalls(state)]
  const calls = new Map<unknown, { id: unknown; name: unknown; text: string }>()
  for (const delta of tidied.filter(isJsonObject)) {
    const called = objectAt(delta, 'function')
    const known = calls.get(delta.index)
    if (known === undefined) {
      expect(delta).toMatchObject({ type: 'function', function: { arguments: '' } })
      calls.set(delta.index, { id: delta.id, name: called.name, text: '' })
    } else {
      expect(Object.keys(delta).sort()).toEqual(['function', 'index'])
      expect(Object.keys(called)).toEqual(['arguments'])
      known.text += stringAt(called, 'arguments')
    }
  }
  return [...calls].map(([index, { id, name, text }]) => ({ index, id, name, arguments: parseJsonObject(text) }))
}

const oslo = { index: 0, id: 'call_a', name: 'get_weather', arguments: { city: 'Oslo' } }
const utc = { index: 1, id: 'call_b', name: 'get_time', arguments: { zone: 'UTC' } }

function delta(members: JsonObject, name?: string, text?: JsonValue): JsonObject {
  return {
    ...members,
    function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
  }
}

describe('tool deltas', () => {
  it.each<[string, JsonValue[][]]>([
    [
      'in the form of OpenAI',
      [
        [delta({ index: 0, id: 'call_a', type: 'function' }, 'get_weather', '')],
        [delta({ index: 0 }, undefined, '{"city":')],
        [delta({ index: 0 }, undefined, '"Oslo"}')],
        [delta({ index: 1, id: 'call_b', type: 'function' }, 'get_time', '')],
        [delta({ index: 1 }, undefined, '{"zone":"UTC"}')],
      ],
    ],
    [
      'interleaved',
      [
        [delta({ index: 0, id: 'call_a' }, 'get_weather', ''), delta({ index: 1, id: 'call_b' }, 'get_time', '')],
        [delta({ index: 1 }, undefined, '{"zone"')],
        [delta({ index: 0 }, undefined, '{"city":"Os'), delta({ index: 1 }, undefined, ':"UTC"}')],
        [delta({ index: 0 }, undefined, 'lo"}')],
      ],
    ],
    [
      'whole and without index or type',
      [
        [
          delta({ id: 'call_a' }, 'get_weather', '{"city":"Oslo"}'),
          delta({ id: 'call_b' }, 'get_time', '{"zone":"UTC"}'),
        ],
      ],
    ],
    [
      'whole, without index, one a chunk',
      [
        [delta({ id: 'call_a' }, 'get_weather', '{"city":"Oslo"}')],
        [delta({ id: 'call_b' }, 'get_time', { zone: 'UTC' })],
      ],
    ],
    [
      'all at index 0',
      [
        [delta({ index: 0, id: 'call_a' }, 'get_weather', '{"city":')],
        [delta({ index: 0 }, undefined, '"Oslo"}')],
        [delta({ index: 0, id: 'call_b' }, 'get_time', '{"zone":')],
        [delta({ index: 0, id: '' }, '', '"UTC"}')],
      ],
    ],
    [
      'with empty ids and names, missing indexes and arguments as objects',
      [
        [delta({ id: 'call_a', type: 'function' }, 'get_weather', '')],
        [delta({ index: 0, id: '' }, '', '{"city":')],
        [delta({ id: '' }, '', '"Oslo"}')],
        [delta({ index: 1, id: 'call_b', type: 'function' }, 'get_time', { zone: 'UTC' })],
      ],
    ],
    [
      'with a fresh id on every delta and the identity repeated',
      [
        [delta({ index: 0, id: 'call_a' }, 'get_weather', '{"city":')],
        [delta({ index: 0, id: 'call_zzz' }, undefined, '"Oslo"}')],
        [delta({ index: 1, id: 'call_b' }, 'get_time', '{"zone":')],
        [delta({ index: 1, id: 'call_b' }, 'get_time', '"UTC"}')],
      ],
    ],
    [
      'with the name after the arguments began',
      [
        [delta({ index: 0, id: 'call_a' }, undefined, '{"city":')],
        [delta({ index: 0 }, 'get_weather', '"Oslo"}')],
        [delta({ index: 1, id: 'call_b' }, 'get_time', '{"zone":"UTC"}')],
      ],
    ],
  ])('[P16] [TOOL-07] [TOOL-08] %s are two calls with valid arguments', (_form, arrivals) => {
    expect(assemble(arrivals)).toEqual([oslo, utc])
  })

  it('[P16] twenty interleaved calls keep their own arguments', () => {
    const indexes = Array.from({ length: 20 }, (_, index) => index)
    const opened = indexes.map((index) => [delta({ index, id: `c${index}` }, `f${index}`, '')])
    const begun = indexes.toReversed().map((index) => [delta({ index }, undefined, `{"n":`)])
    const ended = indexes.map((index) => [delta({ index }, undefined, `${index}}`)])
    const calls = assemble([...opened, ...begun, ...ended])
    expect(calls).toEqual(
      indexes.map((index) => ({ index, id: `c${index}`, name: `f${index}`, arguments: { n: index } })),
    )
  })

  it('[TOOL-05] a call without id or arguments gets both', () => {
    expect(assemble([[delta({ index: 0 }, 'now')]])).toEqual([{ index: 0, id: 'call_0', name: 'now', arguments: {} }])
  })

  it('custom tools keep their form', () => {
    const custom = { index: 0, id: 'c', type: 'custom', custom: { name: 'f', input: 'x' } }
    expect(tidyToolDeltas([custom, null, 'odd'], createToolCalls())).toEqual([custom])
  })
})
