import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { bedrockFeatures } from '#providers/protocols/bedrock/features.ts'
import { geminiFeatures } from '#providers/protocols/gemini/features.ts'
import { responsesFeatures } from '#providers/protocols/responses/features.ts'
import { applyFeatures } from './apply-features.ts'
import type { FeatureTable } from './feature-table.ts'

const prices = { priority: true, webSearch: true }

it.each<[string, FeatureTable, JsonObject, JsonObject, string[]]>([
  [
    'Responses',
    responsesFeatures,
    { context_management: [{ type: 'compaction' }], top_p: 1 },
    { top_p: 1 },
    ['context_management'],
  ],
  ['Responses', responsesFeatures, { container: 'c', mcp_servers: [] }, {}, ['container', 'mcp_servers']],
  [
    'Responses',
    responsesFeatures,
    { tools: [{ type: 'custom', name: 'x' }] },
    { tools: [{ type: 'custom', name: 'x' }] },
    [],
  ],
  [
    'Bedrock',
    bedrockFeatures,
    { guardrailConfig: {}, requestMetadata: {} },
    { requestMetadata: {} },
    ['guardrailConfig'],
  ],
  [
    'Bedrock',
    bedrockFeatures,
    { additionalModelRequestFields: { max_tokens: 9, context_management: {}, top_k: 5 } },
    { additionalModelRequestFields: { top_k: 5 } },
    ['additionalModelRequestFields'],
  ],
  [
    'Gemini',
    geminiFeatures,
    { safetySettings: [], tools: [{ type: 'x' }] },
    { safetySettings: [], tools: [{ type: 'x' }] },
    [],
  ],
])('V1: of fields for %s, only those without a bill of their own pass', (_protocol, table, body, sent, left) => {
  expect(applyFeatures(body, table, prices)).toEqual({ body: sent, left })
  expect(applyFeatures(body, table, undefined)).toEqual({ body, left: [] })
})

it.each(['cachedContent', 'cached_content'])('V1: %s of Gemini is refused, because no hold covers it', (field) => {
  expect(() => applyFeatures({ [field]: 'c' }, geminiFeatures, prices)).toThrow(`\`${field}\``)
})

it('gives the same body back where nothing is removed', () => {
  const body = { top_p: 1, user: null }
  expect(applyFeatures(body, responsesFeatures, prices).body).toBe(body)
})
