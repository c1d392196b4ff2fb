import type { CanonicalCall } from '#domain/inference/call.ts'
import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'

/** The end user, the output format, and fields of this API without a place in a canonical call. */
export function writeExtras(body: JsonObject, call: CanonicalCall, ignored: Set<string>): void {
  const { extras, endUser, responseFormat } = call
  for (const [key, value] of Object.entries(extras)) {
    if (value === null || value === undefined) continue
    if (passedOn.has(key)) body[key] = value
    else if (!heardElsewhere.has(key) && !isForGateway(key)) ignored.add(key)
  }
  const tier = extras.service_tier
  // Other vendors use other tier names in the same field.
  if (tier === 'auto' || tier === 'standard_only') body.service_tier = tier
  else if (typeof tier === 'string') ignored.add('service_tier')
  // Any other metadata member would be rejected.
  const userId = endUser ?? (isJsonObject(extras.metadata) ? stringAt(extras.metadata, 'user_id') : undefined)
  if (userId !== undefined) body.metadata = { user_id: userId }
  if (responseFormat?.kind === 'json') ignored.add('response_format')
  if (responseFormat?.kind === 'schema') {
    const config = isJsonObject(extras.output_config) ? extras.output_config : {}
    body.output_config = { ...config, format: { type: 'json_schema', schema: responseFormat.schema } }
  }
}

/** Sent unchanged. */
const passedOn = new Set([
  'cache_control',
  'container',
  'context_management',
  'inference_geo',
  'mcp_servers',
  'output_config',
  'output_format',
  'speed',
])

/** Handled elsewhere: by the headers, the thinking plan, the tools or the code above. */
const heardElsewhere = new Set([
  'betas',
  'metadata',
  'service_tier',
  'tools',
  'server_tools',
  'thinking',
  'thinking_budget',
  'reasoning',
  'reasoning_effort',
  'enable_thinking',
  'include_reasoning',
])
