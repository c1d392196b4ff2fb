import { isJsonObject, type JsonObject } from '#lib/json.ts'

/** What OpenRouter tells of a key and Weir doesn't count: use of own provider keys, regions and free requests. */
export function shapeKey({ data }: JsonObject): JsonObject {
  return {
    data: {
      ...(isJsonObject(data) ? data : {}),
      allowed_data_regions: ['global'],
      byok_usage: 0,
      byok_usage_daily: 0,
      byok_usage_weekly: 0,
      byok_usage_monthly: 0,
      include_byok_in_limit: false,
      free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
      creator_user_id: null,
      organization_id: null,
      workspace_id: null,
    },
  }
}

/** OpenRouter's `usage` is the cost, where ours has the counts. What Weir doesn't record is null. */
export function shapeGeneration({ data }: JsonObject): JsonObject {
  const generation = isJsonObject(data) ? data : {}
  const unknown = Object.fromEntries(unrecorded.map((name) => [name, null]))
  return {
    data: { ...unknown, ...generation, usage: generation.total_cost, usage_details: generation.usage, ...placeless },
  }
}

const unrecorded = [
  'api_type',
  'app_id',
  'external_user',
  'http_referer',
  'moderation_latency',
  'native_tokens_completion_images',
  'num_fetches',
  'num_input_audio_prompt',
  'num_media_completion',
  'num_media_prompt',
  'num_search_results',
  'preset_id',
  'provider_responses',
  'router',
  'service_tier',
  'upstream_id',
  'upstream_inference_cost',
  'user_agent',
  'web_search_engine',
  'workspace_id',
]

const placeless = { data_region: 'global', origin: '' }
