import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { functionOf } from './client-tools.ts'
import { readToolChoice, readTools } from './read-tools.ts'

const nothing = { type: 'object', properties: {} }
const cache_control = { type: 'ephemeral' }
const one = [{ name: 'one', parameters: {} }]

describe('the tools of a Responses request', () => {
  it.each<[JsonValue, unknown[]]>([
    [{ type: 'function', name: 'a' }, [{ name: 'a', parameters: nothing }]],
    [
      { type: 'function', name: 'a', description: 'D', parameters: { type: 'object' }, strict: false, cache_control },
      [{ name: 'a', description: 'D', parameters: { type: 'object' }, strict: false, cache: cache_control }],
    ],
    [
      { type: 'function', function: { name: 'a', parameters: [], strict: 'yes' }, cache_control },
      [{ name: 'a', parameters: nothing, cache: cache_control }],
    ],
    [{ type: 'function' }, []],
    [{ type: 'function', name: 5 }, []],
    [{ type: 'web_search', name: 'a' }, []],
    ['a', []],
    [null, []],
  ])('%j is read as %j', (tool, tools) => {
    expect(readTools({ tools: [tool] })).toStrictEqual(tools)
  })

  it('are none where they are no list', () => {
    expect(readTools({})).toEqual([])
    expect(readTools({ tools: { type: 'function', name: 'a' } })).toEqual([])
  })

  it.each<[JsonValue | undefined, string[]]>([
    [undefined, ['a', 'b']],
    ['allowed_tools', ['a', 'b']],
    [{ type: 'function', tools: [] }, ['a', 'b']],
    [{ type: 'allowed_tools' }, ['a', 'b']],
    [{ type: 'allowed_tools', tools: [] }, []],
    [{ type: 'allowed_tools', tools: [{ type: 'function', name: 'b' }] }, ['b']],
    [{ type: 'allowed_tools', tools: [null, 'a', {}, { name: 'a' }] }, ['a']],
  ])('are kept, with the choice %j, as %j', (tool_choice, names) => {
    const tools = [
      { type: 'function', name: 'a' },
      { type: 'function', function: { name: 'b' } },
    ]
    expect(readTools({ tools, tool_choice }).map(({ name }) => name)).toEqual(names)
  })

  it('are functions by their type alone, flat or nested', () => {
    const nested: JsonObject = { type: 'function', function: { name: 'a' } }
    const flat: JsonObject = { type: 'function', name: 'a', function: 'a' }
    expect(functionOf(nested)).toEqual({ name: 'a' })
    expect(functionOf(flat)).toBe(flat)
    expect(functionOf({ type: 'custom', name: 'a' })).toBeNull()
    expect(functionOf(null)).toBeNull()
  })
})

describe('the choice of a tool', () => {
  it.each<[JsonValue | undefined, unknown]>([
    ['auto', { kind: 'auto' }],
    ['none', { kind: 'none' }],
    ['required', { kind: 'required' }],
    ['any', { kind: 'required' }],
    ['one', null],
    [undefined, null],
    [null, null],
    [5, null],
    [{ type: 'auto' }, { kind: 'auto' }],
    [{ type: 'none' }, { kind: 'none' }],
    [{ type: 'any' }, { kind: 'required' }],
    [{ type: 'web_search' }, null],
    [{}, null],
    [{ type: 'allowed_tools', mode: 'required' }, { kind: 'required' }],
    [{ type: 'allowed_tools' }, { kind: 'auto' }],
    [
      { type: 'function', name: 'one' },
      { kind: 'tool', name: 'one' },
    ],
    [
      { type: 'tool', name: 'one' },
      { kind: 'tool', name: 'one' },
    ],
    [
      { type: 'function', function: { name: 'one' } },
      { kind: 'tool', name: 'one' },
    ],
    [{ type: 'function', name: 'two' }, null],
    [{ type: 'function' }, null],
  ])('%j is read as %j', (choice, read) => {
    expect(readToolChoice(choice, one)).toEqual(read)
  })

  it('is none where there is no tool', () => {
    expect(readToolChoice('auto', [])).toBeNull()
  })

  it('is the tool that was named, among others', () => {
    const tools = [...one, { name: 'two', parameters: {} }]
    expect(readToolChoice({ type: 'function', name: 'two' }, tools)).toEqual({ kind: 'tool', name: 'two' })
  })
})
