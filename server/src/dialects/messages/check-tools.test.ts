import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { checkTools, isCustomTool } from './check-tools.ts'

describe('the tools of a Messages request', () => {
  it.each<[string, JsonValue | undefined]>([
    ['absent', undefined],
    ['null', null],
    ['none', []],
    ['custom without saying so', [{ name: 'get_Weather-9', input_schema: {} }]],
    ['custom by their type', [{ type: 'custom', name: 'get', input_schema: { type: 'object' } }]],
    ['of the upstream', [{ type: 'web_search_20260209' }, { type: 'bash', name: 'a b' }]],
  ])('may be %s', (_what, tools) => {
    expect(() => checkTools(tools)).not.toThrow()
  })

  const noName = 'tools[1] must have a name made of letters, digits, underscores and dashes.'
  const noSchema = 'tools[1].input_schema must be an object.'
  it.each<[string, JsonValue, string]>([
    ['that is no object', 'get', 'tools[1] must be an object.'],
    ['that is null', null, 'tools[1] must be an object.'],
    ['without a name', { input_schema: {} }, noName],
    ['with a name that is no text', { name: 5, input_schema: {} }, noName],
    ['with an empty name', { name: '', input_schema: {} }, noName],
    ['with a space in its name', { name: 'a b', input_schema: {} }, noName],
    ['with a strange beginning', { name: '.a', input_schema: {} }, noName],
    ['with a strange end', { name: 'a.', input_schema: {} }, noName],
    ['without a schema', { name: 'a' }, noSchema],
    ['with a schema in a list', { type: 'custom', name: 'a', input_schema: [] }, noSchema],
    ['with null for its type and no schema', { type: null, name: 'a' }, noSchema],
  ])('may not have one %s', (_what, tool, text) => {
    expect(() => checkTools([{ name: 'first', input_schema: {} }, tool])).toThrow(
      expect.objectContaining({
        row: expect.objectContaining({ status: 400, code: 'invalid_tools_definition' }),
        message: text,
      }),
    )
  })

  it('must be a list', () => {
    expect(() => checkTools({ name: 'get' })).toThrow(
      expect.objectContaining({
        row: expect.objectContaining({ code: 'invalid_tools_definition' }),
        message: '`tools` must be an array.',
      }),
    )
  })

  it('are run by the client where their type is absent, null or custom', () => {
    expect([{}, { type: null }, { type: 'custom' }, { type: 'bash_20250124' }].map(isCustomTool)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})
