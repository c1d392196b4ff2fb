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
    [5, 400, '`input` must be a string or an array of items.'],
    [{}, 400, '`input` must be a string or an array of items.'],
    [[], 400, '`input` must contain at least one item.'],
  ])('may not be %j', (input, code, text) => {
    expect(() => checkInput(input)).toThrow(refusal(code, text))
  })

  it.each<[JsonValue, string | number, string]>([
    ['Hello', 400, 'input[1] must be an object.'],
    [null, 400, 'input[1] must be an object.'],
    [{ content: 'Hello' }, 400, 'input[1].role must be a string.'],
    [{ type: 'message', role: 5, content: 'Hello' }, 400, 'input[1].role must be a string.'],
    [{ role: 'usr', content: 'Hello' }, 400, 'input[1].role must be one of user, assistant, system, developer.'],
    [{ type: null, role: 'user' }, 400, 'input[1].content must be a string or an array of blocks.'],
    [{ role: 'user', content: {} }, 400, 'input[1].content must be a string or an array of blocks.'],
    [{ role: 'user', content: [null] }, 400, 'input[1].content[0] must be an object with a `type`.'],
    [{ role: 'user', content: [{ type: 'input_text' }, {}] }, 400, 'input[1].content[1] must be an object with'],
    [image('ftp://a.example/a.png'), 'invalid_image_url', 'input[1].content[0].image_url is not a URL'],
    // D6: if unknown input were dropped, the model would answer another prompt.
    [{ type: 'hologram' }, 400, 'input[1].type is "hologram", which is not supported. Supported types: message,'],
    [{ type: 5 }, 400, 'input[1].type must be a string.'],
    [{ role: 'user', content: [{ type: 'input_smell' }] }, 400, 'input[1].content[0].type is "input_smell", which'],
    [{ type: 'function_call', name: 'f' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'function_call', call_id: 'a' }, 'malformed_tool_messages', 'input[1].name is required.'],
    [{ type: 'function_call', call_id: 'a', name: '' }, 'malformed_tool_messages', 'input[1].name is required.'],
    [{ type: 'function_call', call_id: 5, name: 'f' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'function_call_output' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [{ type: 'function_call_output', call_id: '' }, 'malformed_tool_messages', 'input[1].call_id is required.'],
    [
      { type: 'item_reference', id: 'a' },
      'invalid_prompt',
      'input[1] refers to an item by its id, but this gateway keeps no items. Send the item itself. In the AI SDK, set `providerOptions: { openai: { store: false } }`.',
    ],
    [{ type: 'item_reference' }, 400, 'input[1].id must be the id of an item.'],
    [{ type: 'item_reference', id: '' }, 400, 'input[1].id must be the id of an item.'],
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
    [image('http://a.example/a.png')],
    [{ type: 'function_call', call_id: 'a', name: 'f' }],
    [{ type: 'function_call_output', call_id: 'a' }],
    [{ type: 'web_search_call', id: 'ws_1' }],
  ])('may be %j', (input) => {
    expect(() => checkInput(input)).not.toThrow()
  })
})

const told = (input: JsonValue): string => {
  try {
    checkInput(input)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

describe('every type that the API has', () => {
  // The types of the official SDK's unions, written by hand.
  const items = `reasoning custom_tool_call custom_tool_call_output tool_search_call tool_search_output additional_tools
    configuration_update compaction compaction_trigger local_shell_call local_shell_call_output shell_call shell_call_output
    apply_patch_call apply_patch_call_output computer_call computer_call_output web_search_call file_search_call
    code_interpreter_call image_generation_call mcp_list_tools mcp_approval_request mcp_approval_response mcp_call program
    program_output`.split(/\s+/)
  it.each(items)('of an item is taken: %s', (type) => {
    expect(() => checkInput([{ type }])).not.toThrow()
  })

  const blocks = 'input_text output_text text input_image image_url input_file input_audio input_video refusal'.split(
    ' ',
  )
  it.each(blocks)('of a block is taken: %s', (type) => {
    expect(() => checkInput([{ role: 'user', content: [{ type }] }])).not.toThrow()
  })

  it('is named where another is refused', () => {
    const known = ['message', ...items.filter((type) => type !== 'reasoning')]
    for (const type of known) expect(told([{ type: 'zzz' }])).toContain(type)
    for (const type of blocks) expect(told([{ role: 'user', content: [{ type: 'zzz' }] }])).toContain(type)
  })
})
