/** Why a request cost nothing, in a few words and in a sentence. */
const refunds: Readonly<Record<string, readonly [string, string]>> = {
  upstream_failed: ['provider failed', 'No provider answered with anything to use.'],
  upstream_rejected: ['provider rejected it', 'A provider rejected the request itself.'],
  unusable_answer: ['result lost', 'Something was made, but it could not be fetched or kept for you.'],
  stream_interrupted: ['stream broke off', 'The stream broke off before its usage arrived.'],
  no_usage: ['no usage', 'The provider did not say what it counted.'],
  zero_usage: ['nothing counted', 'The provider counted nothing.'],
  client_cancelled: ['cancelled', 'The client left before the usage had arrived.'],
  credit_exhausted: ['out of credit', 'The money ran out in the middle of the stream.'],
  lease_lapsed: ['gateway lost', 'The gateway that served it died; nothing more is known.'],
  gateway_fault: ['our fault', 'The gateway made a mistake.'],
  not_billed: ['test model', 'Test models are never charged.'],
  free_tier: ['free', 'It was within the quota of a free model.'],
  own_key: ['own key', "The provider bills your organization's own key."],
}

export function refundInShort(reason: string): string {
  return refunds[reason]?.[0] ?? reason
}

export function refundInWords(reason: string): string {
  return refunds[reason]?.[1] ?? reason
}

const items: Readonly<Record<string, string>> = {
  uncachedInput: 'Input tokens',
  cacheRead: 'Input tokens from the cache',
  cacheWrite5m: 'Input tokens cached for 5 minutes',
  cacheWrite1h: 'Input tokens cached for an hour',
  textOutput: 'Output tokens',
  reasoningOutput: 'Reasoning tokens',
  imageOutput: 'Tokens of images made',
  image_input_token: 'Tokens of images given',
  audioInput: 'Tokens of sound given',
  audioOutput: 'Tokens of sound made',
  per_image_output: 'Images made',
  per_image_input: 'Images given',
  per_megapixel_output: 'Megapixels made',
  per_megapixel_input: 'Megapixels given',
  per_pixel_output: 'Pixels made',
  per_character: 'Characters spoken',
  per_second_input: 'Seconds heard',
  per_second_output: 'Seconds of video made',
  per_second_output_1080p: 'Seconds of video made, 1080p',
  per_second_video_input: 'Seconds of video given',
  video_output_token: 'Tokens of video made',
  web_search: 'Searches',
  per_search: 'Searches',
  citation_token: 'Tokens of quoted sources',
  per_request_minimum: 'Least charge, in place of the sum',
  request: 'Fee of the request',
  stated_by_upstream: 'What the provider said it cost',
}

export function itemInWords(item: string): string {
  return items[item] ?? item
}

const rules: Readonly<Record<string, string>> = {
  retired: 'the model is no longer served',
  not_allowed: "not in the organization's allowed models",
  unfit: 'it cannot take this call',
  no_price: 'it has no price, so it could not be charged',
  only: 'not in your preference "only"',
  ignore: 'in your preference "ignore"',
  require_parameters: 'it does not take a parameter you required',
  data_collection: 'your preference "data_collection"',
  quantizations: 'your preference "quantizations"',
  max_price: 'dearer than your preference "max_price"',
  allow_fallbacks: 'you allow no fallbacks',
  isolated: 'its circuit breaker was open after failures',
  throttled: 'it asked for fewer requests',
  strict_key: "the organization's own key may not fall back",
  free_quota: 'the free quota was used up',
  no_credit: 'it costs, and there was no credit',
}

export function ruleInWords(rule: string): string {
  return rules[rule] ?? rule
}

const outcomes: Readonly<Record<string, string>> = {
  answered: 'answered',
  upstreamUnavailable: 'did not answer',
  upstreamTimeout: 'took too long',
  upstreamRateLimited: 'asked for fewer requests',
  rateLimited: 'asked for fewer requests',
  cancelled: 'cancelled',
}

/** How an attempt ended; a name that has no words here is split into its own. */
export function outcomeInWords(outcome: string): string {
  return outcomes[outcome] ?? outcome.replaceAll(/([A-Z])/g, ' $1').toLowerCase()
}

const kinds: Readonly<Record<string, string>> = {
  chat: 'Chat',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
  images: 'Image',
  imageEdits: 'Image edit',
  speech: 'Speech',
  transcriptions: 'Transcription',
  videos: 'Video',
}

export function kindInWords(endpoint: string): string {
  return kinds[endpoint] ?? endpoint
}

/** `0.41 s`, `12.3 s`, `820 ms` as a person reads them. */
export function durationInWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`
}
