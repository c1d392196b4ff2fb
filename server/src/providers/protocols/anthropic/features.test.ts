import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import { applyBetas, messagesFeatures } from './features.ts'

const all = { priority: true, webSearch: true }
const none = { priority: false, webSearch: false }

function apply(body: JsonObject, prices: typeof all | undefined = all) {
  return applyFeatures(body, messagesFeatures, prices)
}

it.each([
  ['fast', none, ['speed']],
  ['fast', all, []],
  ['fast', undefined, []],
  ['standard', none, []],
])('the speed %s with the prices %j leaves out %j', (speed, prices, left) => {
  expect(applyFeatures({ speed, max_tokens: 5 }, messagesFeatures, prices)).toEqual({
    body: left.length === 0 ? { speed, max_tokens: 5 } : { max_tokens: 5 },
    left,
  })
})

describe('V1: a field of Messages that has no price', () => {
  it.each([
    'fallbacks',
    'fallback_credit_token',
    'container',
    'mcp_servers',
    'user_profile_id',
    'workspace_id',
    'of_2031',
  ])('%s is removed and named, but for an own key', (field) => {
    const body = { [field]: [{}], max_tokens: 5 }
    expect(apply(body)).toEqual({ body: { max_tokens: 5 }, left: [field] })
    expect(applyFeatures(body, messagesFeatures, undefined)).toEqual({ body, left: [] })
  })

  it.each<[string, JsonValue]>([
    ['inference_geo', 'us'],
    ['compaction', { type: 'summarize' }],
    ['thread', { type: 'continue', id: 't' }],
  ])('%s of %j is refused, because the request would mean something else without it', (field, value) => {
    expect(() => apply({ [field]: value })).toThrow(`\`${field}\``)
    expect(applyFeatures({ [field]: value }, messagesFeatures, undefined).left).toEqual([])
  })

  it('the usual place and a null pass', () => {
    expect(apply({ inference_geo: 'global' }).body).toEqual({ inference_geo: 'global' })
    expect(apply({ inference_geo: null, container: null })).toEqual({
      body: { inference_geo: null, container: null },
      left: [],
    })
  })

  const clearing = [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses_20250919' }]

  it.each<[string, JsonValue, JsonValue]>([
    ['of compaction', [...clearing, { type: 'compact_20260112' }], clearing],
    ['that is new to us', [{ type: 'of_tomorrow_20310101' }], []],
    ['without a type', [{}, 'x'], []],
  ])('an edit of the context %s is removed', (_what, edits, kept) => {
    expect(apply({ context_management: { edits } })).toEqual({
      body: { context_management: { edits: kept } },
      left: ['context_management'],
    })
  })

  it('edits that only clear pass', () => {
    const body = { context_management: { edits: clearing } }
    expect(apply(body)).toEqual({ body, left: [] })
    expect(apply({ context_management: {} })).toEqual({ body: { context_management: {} }, left: [] })
  })
})

describe('V1: a tool of Messages', () => {
  it.each<[string | undefined, boolean, boolean]>([
    // The tool type, and whether it passes if every feature has a price and if none has.
    [undefined, true, true],
    ['custom', true, true],
    ['bash_20250124', true, true],
    ['text_editor_20250728', true, true],
    ['computer_20251124', true, true],
    ['computer_toolset_20260801', true, true],
    ['browser_toolset_20260801', true, true],
    ['memory_20250818', true, true],
    ['web_fetch_20260318', true, true],
    ['tool_search_tool_bm25_20251119', true, true],
    ['tool_search_tool_regex_20251119', true, true],
    ['web_search_20260318', true, false],
    ['advisor_20260301', false, false],
    ['code_execution_20260521', false, false],
    ['mcp_toolset', false, false],
    ['of_tomorrow_20310101', false, false],
    ['bash_code_execution_20310101', false, false],
  ])('of the type %s passes with all prices: %s, with none: %s', (type, withAll, withNone) => {
    const tool = type === undefined ? { name: 't', input_schema: {} } : { type, name: 't' }
    const own = { name: 'own', input_schema: {} }
    for (const [prices, isKept] of [
      [all, withAll],
      [none, withNone],
    ] as const) {
      expect(apply({ tools: [own, tool] }, prices)).toEqual({
        body: { tools: isKept ? [own, tool] : [own] },
        left: isKept ? [] : [`tools.${type}`],
      })
    }
    expect(applyFeatures({ tools: [tool] }, messagesFeatures, undefined).body.tools).toEqual([tool])
  })

  it('that is removed takes its choice with it, and the last one the list', () => {
    const own = { name: 'own', input_schema: {} }
    const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' }
    const choice = { type: 'tool', name: 'advisor' }
    expect(apply({ tools: [own, advisor], tool_choice: choice })).toEqual({
      body: { tools: [own] },
      left: ['tools.advisor_20260301', 'tool_choice'],
    })
    expect(apply({ tools: [own, advisor], tool_choice: { type: 'tool', name: 'own' } }).body).toEqual({
      tools: [own],
      tool_choice: { type: 'tool', name: 'own' },
    })
    expect(apply({ tools: [own, advisor], tool_choice: { type: 'any' } }).body.tool_choice).toEqual({ type: 'any' })
    expect(apply({ tools: [advisor], tool_choice: { type: 'auto' } })).toEqual({
      body: {},
      left: ['tools.advisor_20260301', 'tool_choice'],
    })
  })
})

function inline(type: string): JsonObject {
  return { type: 'tool_addition', tool: { type: 'tool_definition', definition: { type, name: 'x' } } }
}

describe('V1: a block of Messages', () => {
  const file = { type: 'document', source: { type: 'file', file_id: 'file_1' } }
  it.each<[string, JsonObject, string]>([
    ['a file of the operator', file, '`file_id`'],
    ['one in a result', { type: 'tool_result', tool_use_id: 't', content: [file] }, '`file_id`'],
    ['one in a document', { type: 'document', source: { type: 'content', content: [file] } }, '`file_id`'],
    ['a file for a container', { type: 'container_upload', file_id: 'file_1' }, '`container_upload`'],
    ['a tool of the vendor', inline('advisor_20260301'), '`tool_addition`'],
  ])('%s is refused', (_what, block, name) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, block] }]
    expect(() => apply({ messages })).toThrow(name)
    expect(applyFeatures({ messages }, messagesFeatures, undefined).body).toEqual({ messages })
  })

  it.each([
    [inline('custom')],
    [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'x' } }],
    [{ type: 'new' }],
  ])('%j passes', (block) => {
    const messages = [{ role: 'user', content: [block] }]
    expect(apply({ messages })).toEqual({ body: { messages }, left: [] })
  })
})

it('V1: betas of features without a price are removed and named', () => {
  const betas = [
    'compact-2026-01-12',
    'context-management-2025-06-27',
    'advisor-tool-2026-03-01',
    'of-tomorrow-2031-01-01',
  ]
  expect(applyBetas(betas, all)).toEqual({ betas: [betas[1], betas[3]], left: ['anthropic-beta'] })
  expect(applyBetas(betas, undefined)).toEqual({ betas, left: [] })
  expect(applyBetas(['one-2025'], none)).toEqual({ betas: ['one-2025'], left: [] })
})
