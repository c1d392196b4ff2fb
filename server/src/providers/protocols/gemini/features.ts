import type { FeatureTable, FieldRule } from '#providers/features/feature-table.ts'

const inCache: FieldRule = {
  refuse: "is not supported: it names a cache in the operator's account. Send the cached content in the request.",
}

/** Fields of Gemini's own API that can cost more than the hold. The gateway never sends Gemini's built-in tools. */
export const geminiFeatures: FeatureTable = {
  fields: new Map<string, FieldRule>([
    ['cachedContent', inCache],
    ['cached_content', inCache],
  ]),
  otherFields: 'pass',
  toolTypes: [[/^/, 'pass']],
}
