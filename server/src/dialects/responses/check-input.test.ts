import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { checkInput } from './check-input.ts'

const hello = { role: 'user', content: 'Hello' }
const image = (url: JsonValue): JsonValue => ({ role: 'user', content: [{ type: 'input_image', image_url: url }] })

describe('the input of a Responses request', () => {
  it.each<[JsonValue | undefined, string | number, string]>([
    [undefined, 'missing_required_field', 'The field `input` is required.'],
    [null, 'missing_required_field', 'The field `input` is required.'],
    ['', 400, '`input` must not be empty.'],
    [5, 400, '`input` must be a string or a list of items.'],
    [{}, 400, '`input` must be a string or a list of items.'],
    [[], 400, '`input` must hold at least one item.'],
  ])('may not be %j', (input, code, text) => {
    expect(() => checkInput(input)).toThrow(refusal(code, text))
  })

  it.each<[JsonValue, string | number, string]>([
    ['Hello', 400, 'input[1] must be an object.'],
    [null, 400, 'input[1] must be an object.'],
    [{ content: 'Hello' }, 400, 'input[1].role must be a string.'],
    [{ type: 'message', role: 5, content: 'Hello' }, 400, 'input[1].role must be a string.'],
    [{ role: 'usr', content: 'Hello' }, 400, 'input[1].role must be one of user, assistant, system, developer.'],
    [{ type: null, role: 'user' }, 400, 'input[1].content must be a string or a list of blocks.'],
    [{ role: 'user', content: {} }, 400, 'input[1].content must be a string or a list of blocks.'],
    [{ role: 'user', content: [null] }, 400, 'input[1].content[0] must be an object with a `type`.'],
    [{ role: 'user', content: [{ type: 'input_text' }, {}] }, 400, 'input[1].content[1] must be an object with'],
    [image('http://a.example/a.png'), 'invalid_image_url', 'input[1].content[0].image_url is an http:// URL'],
    [{ type: 'function_call', name: 'f' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'function_call', call_id: 'a' }, 'malformed_tool_messages', 'input[1].name is required.'],
    [{ type: 'function_call', call_id: 'a', name: '' }, 'malformed_tool_messages', 'input[1].name is required.'],
    [{ type: 'function_call', call_id: 5, name: 'f' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'function_call_output' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'function_call_output', call_id: '' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'item_reference', id: 'a' }, 'invalid_prompt', 'input[1] refers to a stored item'],
  ])('may not have the item %j', (item, code, text) => {
    expect(() => checkInput([hello, item])).toThrow(refusal(code, text))
  })

  it.each<JsonValue>([
    'Hello',
    [hello],
    [{ type: 'message', role: 'developer', content: [] }],
    [image('https://a.example/a.png')],
    [image('data:image/png;base64,iVBORw0KGgo=')],
    [image({ url: 'http://a.example/a.png' })],
    [{ role: 'user', content: [{ type: 'input_smell', image_url: 'http://a.example/a.png' }] }],
    [{ type: 'function_call', call_id: 'a', name: 'f' }],
    [{ type: 'function_call_output', call_id: 'a' }],
    [{ type: 'hologram' }],
  ])('may be %j', (input) => {
    expect(() => checkInput(input)).not.toThrow()
  })
})
