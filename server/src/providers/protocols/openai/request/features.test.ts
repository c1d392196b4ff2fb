import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import { findVendor } from '#providers/registry.ts'
import { chatFeaturesOf } from './features.ts'

const all = { priority: true, webSearch: true }
const none = { priority: false, webSearch: false }

function apply(slug: string, body: JsonObject, prices: typeof all | undefined = all) {
  const vendor = findVendor(slug)
  assert(vendor?.protocol === 'openai', `${slug} speaks chat completions`)
  return applyFeatures(body, chatFeaturesOf(vendor), prices)
}

describe('V1: a field of chat completions', () => {
  it.each([
    'api_base',
    'api_key',
    'base_url',
    'best_of',
    'connectors',
    'container',
    'conversation',
    'enable_enhancement',
    'enable_search',
    'fallbacks',
    'forced_search',
    'mcp_servers',
    'retrieval',
    'search_options',
    'search_parameters',
    'web_search',
  ])('%s is removed and named at every host, but for an own key', (field) => {
    for (const slug of ['openai', 'alibaba', 'vllm', 'openrouter']) {
      expect(apply(slug, { [field]: true, seed: 1 })).toEqual({ body: { seed: 1 }, left: [field] })
    }
    const body = { [field]: true }
    expect(applyFeatures(body, chatFeaturesOf(openRouter()), undefined)).toEqual({ body, left: [] })
  })

  it.each<[string, boolean, boolean]>([
    // Whether web_search_options pass with and without a price for searches.
    ['openai', true, false],
    ['perplexity', true, false],
    ['openrouter', true, false],
    ['groq', false, false],
  ])('web_search_options at %s pass with a price: %s, without: %s', (slug, withAll, withNone) => {
    const body = { web_search_options: {} }
    expect(apply(slug, body).left).toEqual(withAll ? [] : ['web_search_options'])
    expect(apply(slug, body, none).left).toEqual(withNone ? [] : ['web_search_options'])
  })

  it.each<[JsonValue, JsonValue, string[]]>([
    [{ enable_web_search: 'on', character_slug: 'c' }, { character_slug: 'c' }, ['venice_parameters']],
    [{ enable_web_scraping: true }, {}, ['venice_parameters']],
    [{ character_slug: 'c' }, { character_slug: 'c' }, []],
    ['x', 'x', []],
  ])('parameters of Venice %j are sent as %j', (value, sent, left) => {
    expect(apply('venice', { venice_parameters: value })).toEqual({ body: { venice_parameters: sent }, left })
  })

  it.each([
    ['priority', none, ['service_tier']],
    ['fast', none, ['service_tier']],
    ['priority', all, []],
    ['flex', none, []],
    ['auto', none, []],
  ])('the tier %s with the prices %j leaves out %j', (tier, prices, left) => {
    expect(apply('openai', { service_tier: tier }, prices).left).toEqual(left)
  })
})

describe('V1: a tool of chat completions', () => {
  it.each<[string, string, boolean]>([
    ['openai', 'function', true],
    ['openai', 'custom', true],
    ['moonshotai', 'builtin_function', false],
    ['z-ai', 'web_search', false],
    ['groq', 'browser_search', false],
    ['groq', 'code_interpreter', false],
    ['groq', 'mcp', false],
    ['openrouter', 'openrouter:web_search', true],
    ['openrouter', 'openrouter:of_tomorrow', false],
    ['together', 'openrouter:web_search', false],
  ])('at %s of the type %s passes: %s', (slug, type, isKept) => {
    const own = { type: 'function', function: { name: 'own', parameters: {} } }
    const { body, left } = apply(slug, { tools: [own, { type }] })
    expect(body).toEqual({ tools: isKept ? [own, { type }] : [own] })
    expect(left).toEqual(isKept ? [] : [`tools.${type.replace(':', '_')}`])
  })

  it('that searches passes only where searches have a price', () => {
    expect(apply('openrouter', { tools: [{ type: 'openrouter:web_search' }] }, none)).toEqual({
      body: {},
      left: ['tools.openrouter_web_search'],
    })
  })

  it('that is removed takes the choice of it along, and leaves others', () => {
    const own = { type: 'function', function: { name: 'own' } }
    const tools = [own, { type: 'web_search', name: 'w' }]
    expect(apply('z-ai', { tools, tool_choice: choose('own') }).body.tool_choice).toEqual(choose('own'))
    expect(apply('z-ai', { tools, tool_choice: choose('w') }).body).not.toHaveProperty('tool_choice')
    expect(apply('z-ai', { tools, tool_choice: 'required' }).body.tool_choice).toBe('required')
  })
})

describe('V1: a message of chat completions', () => {
  it.each<[JsonObject, string]>([
    [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }, '`file_id`'],
    [{ role: 'assistant', audio: { id: 'audio_1' } }, '`audio.id`'],
  ])('%j is refused, because it names something of the operator', (message, name) => {
    expect(() => apply('openai', { messages: [message] })).toThrow(name)
    expect(applyFeatures({ messages: [message] }, chatFeaturesOf(openRouter()), undefined).left).toEqual([])
  })

  it('with a file or a sound of its own passes', () => {
    const parts = [
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    ]
    expect(apply('openai', { messages: [{ role: 'user', content: parts }] }).left).toEqual([])
  })
})

function choose(name: string): JsonObject {
  return { type: 'function', function: { name } }
}

function openRouter() {
  const vendor = findVendor('openrouter')
  assert(vendor?.protocol === 'openai', 'OpenRouter speaks chat completions')
  return vendor
}
