import { describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
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

  it('[RESP-07] [RESP-12] may hold whatever else: fields, tools, items and blocks that nobody here knows', () => {
    expect(
      codeOf({
        ...plain,
        input: [
          { type: 'hologram', rays: 9 },
          { role: 'user', content: [{ type: 'input_smell', smell: 'x' }] },
        ],
        tools: [
          { type: 'web_search' },
          { type: 'namespace', tools: [] },
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
