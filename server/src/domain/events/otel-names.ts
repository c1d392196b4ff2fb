/**
 * All names that we send to OpenTelemetry. Those under `gen_ai` are the semantic conventions for generative AI, which
 * are still in development: version 1.41 and later changes of its repository. If they change again, change them here.
 */
export const attributeNames = {
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  hostName: 'host.name',
  processId: 'process.pid',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  urlScheme: 'url.scheme',
  urlPath: 'url.path',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  outputType: 'gen_ai.output.type',
  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunkSeconds: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  // The names of version 1.41, which most backends still use.
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  audioInputTokens: 'gen_ai.usage.audio.input_tokens',
  audioOutputTokens: 'gen_ai.usage.audio.output_tokens',
  imageInputTokens: 'gen_ai.usage.image.input_tokens',
  imageOutputTokens: 'gen_ai.usage.image.output_tokens',
  webSearches: 'weir.web_searches',
  citationTokens: 'weir.citation_tokens',
  errorType: 'error.type',
  costUsd: 'weir.cost_usd',
  costNanoUsd: 'weir.cost_nano_usd',
  cacheDiscountUsd: 'weir.cache_discount_usd',
  refundReason: 'weir.refund_reason',
  walletId: 'weir.wallet.id',
  organizationId: 'weir.organization.id',
  memberId: 'weir.member.id',
  teamId: 'weir.team.id',
  userId: 'weir.user.id',
  keyId: 'weir.key.id',
  app: 'weir.app',
  endpoint: 'weir.endpoint',
  upstreamProvider: 'weir.provider',
  upstreamAccount: 'weir.provider.account',
  upstreamStatus: 'weir.upstream_status',
  isCancelled: 'weir.cancelled',
  isByok: 'weir.byok',
  isFailover: 'weir.failover',
  settledAt: 'weir.settled_at',
  requestId: 'weir.request.id',
  generationId: 'weir.generation.id',
  attemptNumber: 'weir.attempt',
  outcome: 'weir.outcome',
} as const

export type AttributeName = keyof typeof attributeNames

export const serviceName = 'weir'
export const scopeName = 'weir.generations'

const operations: Readonly<Record<string, string>> = {
  chat: 'chat',
  responses: 'chat',
  messages: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
}

/** The conventions' operation name of an endpoint. */
export function operationOf(endpoint: string): string {
  return operations[endpoint] ?? 'generate_content'
}

const outputTypes: Readonly<Record<string, string>> = {
  images: 'image',
  image_edits: 'image',
  speech: 'speech',
  transcriptions: 'text',
  translations: 'text',
  videos: 'video',
}

/** Null if the endpoint does not determine it. */
export function outputTypeOf(endpoint: string): string | null {
  return outputTypes[endpoint] ?? null
}

/** Vendors with a name in the conventions, which must be used. */
const providers: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  'google-ai-studio': 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  'moonshotai-cn': 'moonshot_ai',
  xai: 'x_ai',
}

/** The name is required. If no upstream responded, it is ours. */
export function providerNameOf(provider: string | null): string {
  return provider === null ? serviceName : (providers[provider] ?? provider)
}
