/** Why a request was free, as a short label and as a sentence. */
const refunds: Readonly<Record<string, readonly [string, string]>> = {
  upstream_failed: ['Provider failed', 'No provider returned a usable response.'],
  upstream_rejected: ['Rejected by provider', 'The provider rejected the request.'],
  unusable_answer: ['Result lost', "The provider generated a result, but it couldn't be downloaded or stored."],
  stream_interrupted: ['Stream interrupted', 'The stream ended before usage was reported.'],
  no_usage: ['No usage reported', 'The provider reported no usage.'],
  zero_usage: ['Zero usage', 'The provider reported zero usage.'],
  client_cancelled: ['Client disconnected', 'The client disconnected before usage was reported.'],
  credit_exhausted: ['Out of credit', 'Credit ran out during the stream.'],
  lease_lapsed: ['Gateway stopped', 'The gateway process stopped before it recorded the result.'],
  gateway_fault: ['Gateway error', 'An internal gateway error occurred.'],
  not_billed: ['Test model', "This test model isn't charged."],
  free_tier: ['Free', 'Covered by the free model quota.'],
  own_key: ['Own provider key', "Billed by the provider to your organization's own key."],
  cache_hit: ['From cache', 'Answered from the response cache.'],
}

/** The results that the list is filtered by. All others are the reason why a request was free. */
export function statusInWords(status: string): string {
  if (status === 'charged') return 'Charged'
  if (status === 'failed') return 'Failed (any reason)'
  if (status === 'refused') return 'Refused'
  return status === 'refunded' ? 'Not charged (any reason)' : refundInShort(status)
}

export function refundInShort(reason: string): string {
  return refunds[reason]?.[0] ?? reason
}

/** The tone of a request that was not charged. Success that is simply not charged has no color. */
export function refundTone(reason: string): 'neutral' | 'bad' {
  return freeReasons.has(reason) ? 'neutral' : 'bad'
}

const freeReasons = new Set([
  'client_cancelled',
  'not_billed',
  'free_tier',
  'own_key',
  'cache_hit',
  'zero_usage',
  'no_usage',
])

export function refundInWords(reason: string): string {
  return refunds[reason]?.[1] ?? reason
}

const items: Readonly<Record<string, string>> = {
  uncachedInput: 'Input tokens',
  cacheRead: 'Cache read tokens',
  cacheWrite5m: 'Cache write tokens (5 minutes)',
  cacheWrite1h: 'Cache write tokens (1 hour)',
  textOutput: 'Output tokens',
  reasoningOutput: 'Reasoning tokens',
  imageOutput: 'Image output tokens',
  image_input_token: 'Image input tokens',
  audioInput: 'Audio input tokens',
  audioOutput: 'Audio output tokens',
  per_image_output: 'Output images',
  per_image_input: 'Input images',
  per_megapixel_output: 'Output megapixels',
  per_megapixel_input: 'Input megapixels',
  per_pixel_output: 'Output pixels',
  per_character: 'Speech characters',
  per_second_input: 'Audio input seconds',
  per_second_output: 'Video output seconds',
  per_second_output_1080p: 'Video output seconds (1080p)',
  per_second_video_input: 'Video input seconds',
  video_output_token: 'Video output tokens',
  web_search: 'Web searches',
  per_search: 'Searches',
  citation_token: 'Citation tokens',
  per_request_minimum: 'Minimum charge (replaces the total)',
  request: 'Request fee',
  stated_by_upstream: 'Cost reported by the provider',
}

export function itemInWords(item: string): string {
  return items[item] ?? item
}

const rules: Readonly<Record<string, string>> = {
  retired: 'model retired',
  not_allowed: "not in the organization's allowed models",
  unfit: "doesn't support this request",
  no_price: 'no price set',
  only: 'not in your "only" list',
  ignore: 'in your "ignore" list',
  require_parameters: "doesn't support a required parameter",
  data_collection: 'excluded by your "data_collection" preference',
  quantizations: 'excluded by your "quantizations" preference',
  max_price: 'above your "max_price"',
  max_cost: 'above the maximum cost of the request',
  allow_fallbacks: 'fallbacks are turned off',
  circuit_open: 'temporarily unavailable after failures',
  throttled: 'rate limited by the provider',
  strict_key: "fallback from your organization's own key is turned off",
  free_quota: 'free quota used up',
  no_credit: 'paid, and no credit was available',
}

export function ruleInWords(rule: string): string {
  return rules[rule] ?? rule
}

const outcomes: Readonly<Record<string, string>> = {
  answered: 'succeeded',
  upstreamUnavailable: 'unavailable',
  upstreamTimeout: 'timed out',
  upstreamRateLimited: 'rate limited',
  rateLimited: 'rate limited',
  cancelled: 'canceled',
  hedge_lost: 'canceled, another provider was faster',
}

/** The label of an attempt's outcome. An unknown outcome is split into words. */
export function outcomeInWords(outcome: string): string {
  return outcomes[outcome] ?? outcome.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
}

const kinds: Readonly<Record<string, string>> = {
  chat: 'Chat',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
  completions: 'Completion',
  rerank: 'Rerank',
  moderations: 'Moderation',
  images: 'Image',
  imageEdits: 'Image edit',
  speech: 'Speech',
  transcriptions: 'Transcription',
  translations: 'Translation',
  videos: 'Video',
}

export function kindInWords(endpoint: string): string {
  return kinds[endpoint] ?? endpoint
}

/** Formats a duration: `0.41 s`, `12.3 s`, `820 ms`. */
export function durationInWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`
}

const bounds: Readonly<Record<string, string>> = {
  wallet: 'Balance',
  invoice: 'Overdue invoice',
  key_disabled: 'Disabled API key',
  key_expired: 'Expired API key',
  key_networks: 'Allowed networks',
  key_type: 'API key type',
  account: 'Suspended account',
}
const owners: Readonly<Record<string, string>> = {
  key: 'API key',
  user: 'Personal',
  session: 'Session',
  person: 'Person',
  member: 'Member',
  team: 'Team',
  organization: 'Organization',
}
const windows: Readonly<Record<string, string>> = {
  life: 'limit',
  minute: 'spend breaker per minute',
  hour: 'spend breaker per hour',
  day: 'limit per day',
  week: 'limit per week',
  month: 'limit per month',
  year: 'limit per year',
}

/** The limit that bound a refused request. A spend limit is named by its owner and its window. */
export function boundInWords(limit: string): string {
  const [owner = '', window = ''] = limit.split('_')
  const [ofOwner, inWindow] = [owners[owner], windows[window]]
  return bounds[limit] ?? (ofOwner === undefined || inWindow === undefined ? limit : `${ofOwner} ${inWindow}`)
}
