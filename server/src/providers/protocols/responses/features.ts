import { serviceTierIn } from '#domain/inference/service-tier.ts'
import type { FeatureTable, FieldRule } from '#providers/features/feature-table.ts'

/**
 * Responses features that can cost more than the tokens in the usage. The dialect has already removed tools that the
 * provider would run, files and everything stored.
 */
export const responsesFeatures: FeatureTable = {
  fields: new Map<string, FieldRule>([
    ['service_tier', (value) => (serviceTierIn(value) === 'priority' ? 'priority' : 'pass')],
    // Compaction runs the model again.
    ['context_management', 'remove'],
    ['container', 'remove'],
    ['mcp_servers', 'remove'],
    ['search_parameters', 'remove'],
  ]),
  otherFields: 'pass',
  toolTypes: [[/./, 'pass']],
}
