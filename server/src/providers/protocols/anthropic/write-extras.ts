import type { CanonicalCall } from '#domain/inference/call.ts'
import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'

/** Who asks, in which form to answer, and the fields of this API that have no place in a canonical call. */
export function writeExtras(body: JsonObject, call: CanonicalCall, ignored: Set<string>): void {
  const { extras, endUser, responseFormat } = call
  for (const [key, value] of Object.entries(extras)) {
    if (value === null || value === undefined) continue
    if (passedOn.has(key)) body[key] = value
    else if (!heardElsewhere.has(key) && !isForGateway(key)) ignored.add(key)
  }
  const tier = extras.service_tier
  // Other vendors have tiers of other names under the same field.
  if (tier === 'auto' || tier === 'standard_only') body.service_tier = tier
  else if (typeof tier === 'string') ignored.add('service_tier')
  // Any other member of the metadata would be refused.
  const userId = endUser ?? (isJsonObject(extras.metadata) ? stringAt(extras.metadata, 'user_id') : undefined)
  if (userId !== undefined) body.metadata = { user_id: userId }
  if (responseFormat?.kind === 'json') ignored.add('response_format')
  if (responseFormat?.kind === 'schema') {
    const config = isJsonObject(extras.output_config) ? extras.output_config : {}
    body.output_config = { ...config, format: { type: 'json_schema', schema: responseFormat.schema } }
  }
}

/** They travel as sent. */
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

/** Taken by the headers, the plan for thinking, the list of tools or above. */
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
