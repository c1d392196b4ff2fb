import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { FeatureRule, FeatureTable, FieldRule } from '#providers/features/feature-table.ts'

/** Fields of the Converse API that can cost more than the tokens in the answer's usage. */
export const bedrockFeatures: FeatureTable = {
  fields: new Map<string, FieldRule>([
    // Bedrock bills for guardrails by the amount of text.
    ['guardrailConfig', 'remove'],
    ['additionalModelRequestFields', (value) => withoutUnpricedFields(value)],
  ]),
  otherFields: 'pass',
  toolTypes: [[/^/, 'pass']],
}

/** Fields that pass to the model unchanged must not raise the held cap or enable a feature without a price. */
function withoutUnpricedFields(value: JsonValue): FeatureRule | { instead: JsonValue } {
  if (!isJsonObject(value)) return 'pass'
  const kept = Object.entries(value).filter(([field]) => !unpricedFields.has(field))
  return kept.length === Object.keys(value).length ? 'pass' : { instead: Object.fromEntries(kept) }
}

const unpricedFields: ReadonlySet<string> = new Set([
  'compaction',
  'container',
  'context_management',
  'fallbacks',
  'inferenceConfig',
  'inference_geo',
  'maxTokenCount',
  'max_completion_tokens',
  'max_gen_len',
  'max_new_tokens',
  'max_tokens',
  'max_tokens_to_sample',
  'mcp_servers',
  'messages',
  'service_tier',
  'speed',
  'tools',
])
