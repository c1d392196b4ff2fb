import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { checkResponseFormat, checkTools } from './parse-chat.ts'

const nested = (definition: JsonValue): JsonValue => ({ type: 'function', function: definition })

describe('the tools of a chat request', () => {
  it.each<[string, JsonValue | undefined]>([
    ['absent', undefined],
    ['null', null],
    ['none', []],
    ['nested', [nested({ name: 'get_Weather-9' })]],
    ['flat', [{ type: 'function', name: 'get', parameters: {} }]],
    ['of other kinds', [{ type: 'web_search' }, 'get', null, { function: { name: 'a b' } }]],
  ])('may be %s', (_what, tools) => {
    expect(() => checkTools({ tools })).not.toThrow()
  })

  const noName = 'must have a name made of letters, digits, underscores and dashes.'
  it.each<[string, JsonValue, string]>([
    ['without a name', nested({}), `tools[1] ${noName}`],
    ['with a name that is no text', nested({ name: 5 }), `tools[1] ${noName}`],
    ['with an empty name', nested({ name: '' }), `tools[1] ${noName}`],
    ['with a space in its name', nested({ name: 'a b' }), `tools[1] ${noName}`],
    ['with a strange beginning', nested({ name: '.a' }), `tools[1] ${noName}`],
    ['with a strange end', nested({ name: 'a.' }), `tools[1] ${noName}`],
    ['flat without a name', { type: 'function', function: 'get' }, `tools[1] ${noName}`],
    ['with null for parameters', nested({ name: 'a', parameters: null }), 'tools[1].parameters must be an object.'],
    ['with parameters in a list', nested({ name: 'a', parameters: [] }), 'tools[1].parameters must be an object.'],
  ])('[ERR-25] may not have one %s', (_what, tool, text) => {
    expect(() => checkTools({ tools: [{ type: 'web_search' }, tool] })).toThrow(
      refusal('invalid_tools_definition', text),
    )
  })
})

describe('the format of a chat answer', () => {
  it.each<JsonValue | undefined>([
    undefined,
    null,
    'json_schema',
    {},
    { type: 'json_object' },
    { type: 'text', json_schema: 5 },
    { type: 'json_schema', json_schema: { name: 'a', schema: {} } },
  ])('may be %j', (format) => {
    expect(() => checkResponseFormat({ response_format: format })).not.toThrow()
  })

  it.each<JsonValue | undefined>([
    undefined,
    null,
    'a',
    {},
    { name: 'a' },
    { schema: {} },
    { name: 5, schema: {} },
    { name: 'a', schema: [] },
  ])('[ERR-26] may not have %j for its schema', (definition) => {
    const format = { type: 'json_schema', json_schema: definition }
    expect(() => checkResponseFormat({ response_format: format })).toThrow(
      refusal(
        'invalid_response_format_schema',
        '`response_format.json_schema` must have a `name` and a `schema` object.',
      ),
    )
  })
})
