import { describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import { codexRequest } from './fixtures/codex-request.ts'
import { responsesDialect } from './responses-dialect.ts'

const plain: JsonObject = { model: 'openai/gpt-5', input: 'Hello' }

function codeOf(body: JsonObject): string | number {
  try {
    responsesDialect.parse(body)
  } catch (error) {
    if (error instanceof GatewayError) return error.row.code
    throw error
  }
  return 'accepted'
}

describe('a Responses request', () => {
  it('tells the pipeline what it must know', () => {
    const call = responsesDialect.parse({ ...plain, model: 'weir/openai/gpt-5', stream: true, max_output_tokens: 64 })
    expect(call).toMatchObject({ modelName: 'openai/gpt-5', stream: true, maxTokens: 64, choiceCount: 1 })
    expect(call.promptTokensEstimate).toBeGreaterThan(0)
  })

  it('[ERR-27] [RESP-12] [RESP-13] is refused with invalid_prompt when it counts on stored state', () => {
    expect(codeOf({ ...plain, previous_response_id: 'resp_1' })).toBe('invalid_prompt')
    expect(codeOf({ ...plain, store: true })).toBe('invalid_prompt')
    expect(codeOf({ ...plain, input: [{ type: 'item_reference', id: 'fc_1' }] })).toBe('invalid_prompt')
    expect(codeOf({ ...plain, previous_response_id: null, store: false, background: true })).toBe('accepted')
  })

  it.each([
    [{ input: 'x' }, 'missing_required_field'],
    [{ model: 'm' }, 'missing_required_field'],
    [{ model: 1, input: 'x' }, 400],
    [{ model: 'm', input: '' }, 400],
    [{ model: 'm', input: [] }, 400],
    [{ model: 'm', input: {} }, 400],
    [{ model: 'm', input: ['x'] }, 400],
    [{ model: 'm', input: [{ role: 'user' }] }, 400],
    [{ model: 'm', input: [{ role: 'user', content: ['x'] }] }, 400],
    [{ ...plain, stream: 'yes' }, 400],
    [{ ...plain, temperature: 2.1 }, 400],
    [{ ...plain, max_output_tokens: 0 }, 'max_tokens_invalid'],
    [{ ...plain, max_output_tokens: '9' }, 'max_tokens_invalid'],
    [{ ...plain, tools: [{ type: 'function', name: 'a b' }] }, 'invalid_tools_definition'],
    [{ ...plain, text: { format: { type: 'json_schema', name: 'x' } } }, 'invalid_response_format_schema'],
    [{ ...plain, input: [{ type: 'function_call_output', output: 'x' }] }, 'malformed_tool_messages'],
    [{ ...plain, input: [{ type: 'function_call', call_id: 'c' }] }, 'malformed_tool_messages'],
  ])('[RESP-02] [RESP-05] %j is refused with %s', (body, code) => {
    expect(codeOf(body)).toBe(code)
  })

  it('[RESP-07] [RESP-12] may hold whatever else: fields and tools that nobody here knows', () => {
    expect(
      codeOf({
        ...plain,
        tools: [
          { type: 'web_search' },
          { type: 'namespace', name: 'n', tools: [] },
          { type: 'function', name: 'f', parameters: null },
        ],
        include: ['reasoning.encrypted_content'],
        truncation: 'auto',
        metadata: { a: 'b' },
        text: { verbosity: 'low' },
        reasoning: { effort: 'minimal' },
        reasoningEffort: 'minimal',
      }),
    ).toBe('accepted')
    expect(codeOf(codexRequest)).toBe('accepted')
  })

  it('is not estimated by the base64 of its pictures', () => {
    const image_url = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(4_000_000)}`
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }]
    expect(responsesDialect.parse({ ...plain, input }).promptTokensEstimate).toBeLessThan(5_000)
  })
})

describe('a Responses request, field by field,', () => {
  it('tells the pipeline nothing that it does not say', () => {
    // Five bytes are two tokens, and an item adds four.
    expect(responsesDialect.parse(plain)).toEqual({
      modelName: 'openai/gpt-5',
      stream: false,
      maxTokens: null,
      choiceCount: 1,
      hasTools: false,
      promptTokensEstimate: 6,
      promptTokensHeld: 6,
      promptTokensMax: 9,
      body: plain,
    })
  })

  it.each<[JsonObject, JsonObject]>([
    [{ model: 'maker/weir/' }, { modelName: 'maker/weir/' }],
    [{ stream: null }, { stream: false }],
    [{ max_output_tokens: null }, { maxTokens: null }],
    [{ max_output_tokens: 1 }, { maxTokens: 1 }],
    [{ max_output_tokens: 2 ** 40 }, { maxTokens: 2_147_483_647 }],
    [{ temperature: 0 }, { stream: false }],
    [{ temperature: 2 }, { stream: false }],
    [{ temperature: null }, { stream: false }],
    [{ tools: null }, { hasTools: false }],
    [{ tools: [{ type: 'web_search' }] }, { hasTools: false }],
    [{ tools: [{ type: 'web_search' }, { type: 'function', name: 'get_Weather-9' }] }, { hasTools: true }],
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] }, { hasTools: true }],
    [{ text: { format: { type: 'json_schema', name: 'n', schema: {} } } }, { stream: false }],
    [{ response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } }, { stream: false }],
    [{ response_format: { type: 'json_object', json_schema: {} } }, { stream: false }],
    [{ response_format: 'json_schema' }, { stream: false }],
  ])('with %j is read as %j', (fields, read) => {
    expect(responsesDialect.parse({ ...plain, ...fields })).toMatchObject(read)
  })

  const noName = 'tools[0] must have a name made of letters, digits, underscores and dashes.'
  const noSchema = 'A format of type `json_schema` must have a `name` and a `schema` object.'
  it.each<[JsonObject, string | number, string]>([
    [{ model: undefined }, 'missing_required_field', 'The field `model` is required.'],
    [{ model: null }, 'missing_required_field', 'The field `model` is required.'],
    [{ model: 7 }, 400, '`model` must be a string.'],
    [{ input: null }, 'missing_required_field', 'The field `input` is required.'],
    [{ stream: 'yes' }, 400, '`stream` must be true or false.'],
    [{ previous_response_id: 'resp_1' }, 'invalid_prompt', '`previous_response_id` is not supported'],
    [{ store: true }, 'invalid_prompt', '`store: true` is not supported'],
    [{ max_output_tokens: -1 }, 'max_tokens_invalid', '`max_output_tokens` must be a positive integer.'],
    [{ max_output_tokens: 1.5 }, 'max_tokens_invalid', '`max_output_tokens` must be a positive integer.'],
    [{ max_output_tokens: 2 ** 53 }, 'max_tokens_invalid', '`max_output_tokens` must be a positive integer.'],
    [{ temperature: -0.1 }, 400, '`temperature` must be a number from 0 to 2.'],
    [{ temperature: 2.1 }, 400, '`temperature` must be a number from 0 to 2.'],
    [{ temperature: '1' }, 400, '`temperature` must be a number from 0 to 2.'],
    [{ tools: {} }, 'invalid_tools_definition', '`tools` must be an array.'],
    ...[undefined, 5, '', 'a b', '.a', 'a.'].map((name): [JsonObject, string, string] => [
      { tools: [{ type: 'function', name }] },
      'invalid_tools_definition',
      noName,
    ]),
    [
      { tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] },
      'invalid_tools_definition',
      'tools[0].parameters must be an object.',
    ],
    ...[{}, { name: 'n' }, { schema: {} }, { name: 5, schema: {} }, { name: 'n', schema: [] }].flatMap(
      (definition): [JsonObject, string, string][] => [
        [{ text: { format: { type: 'json_schema', ...definition } } }, 'invalid_response_format_schema', noSchema],
        [
          { text: {}, response_format: { type: 'json_schema', json_schema: definition } },
          'invalid_response_format_schema',
          noSchema,
        ],
      ],
    ),
  ])('is refused with %j', (fields, code, text) => {
    expect(() => responsesDialect.parse({ ...plain, ...fields })).toThrow(refusal(code, text))
  })
})
