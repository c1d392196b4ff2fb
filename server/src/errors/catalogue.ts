/**
 * Every error of the gateway, one row each. `code` is for clients: a string if a specific remedy exists, else the
 * status. `owner` says whose mistake it is, for logs and alerts.
 */
export interface ErrorRow {
  status: number
  code: string | number
  type: string
  owner: 'client' | 'account' | 'upstream' | 'gateway'
  /** Sent as `x-should-retry: false`, because common SDKs would otherwise retry in vain. */
  tellNotToRetry?: true
}

export const errorCatalogue = {
  // Request format
  malformedRequest: { status: 400, code: 400, type: 'invalid_request_error', owner: 'client' },
  missingRequiredField: { status: 400, code: 'missing_required_field', type: 'invalid_request_error', owner: 'client' },
  unsupportedParam: { status: 400, code: 'unsupported_param', type: 'invalid_request_error', owner: 'client' },
  maxTokensInvalid: { status: 400, code: 'max_tokens_invalid', type: 'invalid_request_error', owner: 'client' },
  contextTooLong: { status: 400, code: 'context_too_long', type: 'invalid_request_error', owner: 'client' },
  malformedToolMessages: {
    status: 400,
    code: 'malformed_tool_messages',
    type: 'invalid_request_error',
    owner: 'client',
  },
  invalidToolsDefinition: {
    status: 400,
    code: 'invalid_tools_definition',
    type: 'invalid_request_error',
    owner: 'client',
  },
  toolUseUnsupported: { status: 400, code: 'tool_use_unsupported', type: 'invalid_request_error', owner: 'client' },
  invalidResponseFormatSchema: {
    status: 400,
    code: 'invalid_response_format_schema',
    type: 'invalid_request_error',
    owner: 'client',
  },
  invalidPrompt: { status: 400, code: 'invalid_prompt', type: 'invalid_request_error', owner: 'client' },
  previousResponseNotFound: {
    status: 400,
    code: 'previous_response_not_found',
    type: 'invalid_request_error',
    owner: 'client',
  },
  unknownUpstream4xx: { status: 400, code: 'unknown_4xx', type: 'invalid_request_error', owner: 'client' },
  notFound: { status: 404, code: 404, type: 'invalid_request_error', owner: 'client' },
  runConflict: {
    status: 409,
    code: 'run_conflict',
    type: 'invalid_request_error',
    owner: 'client',
    tellNotToRetry: true,
  },
  conflict: { status: 409, code: 409, type: 'invalid_request_error', owner: 'client', tellNotToRetry: true },
  idempotencyKeyReused: {
    status: 409,
    code: 'idempotency_key_reused',
    type: 'invalid_request_error',
    owner: 'client',
    tellNotToRetry: true,
  },
  answerNotStored: {
    status: 409,
    code: 'answer_not_stored',
    type: 'invalid_request_error',
    owner: 'gateway',
    tellNotToRetry: true,
  },
  methodNotAllowed: { status: 405, code: 405, type: 'invalid_request_error', owner: 'client' },
  notFinished: { status: 409, code: 409, type: 'invalid_request_error', owner: 'client', tellNotToRetry: true },
  gone: { status: 410, code: 410, type: 'invalid_request_error', owner: 'client' },
  upgradeRequired: { status: 426, code: 426, type: 'invalid_request_error', owner: 'client' },
  sessionExpired: { status: 410, code: 'session_expired', type: 'invalid_request_error', owner: 'client' },
  responseInProgress: {
    status: 409,
    code: 'conversation_already_has_active_response',
    type: 'invalid_request_error',
    owner: 'client',
    tellNotToRetry: true,
  },
  rangeNotSatisfiable: { status: 416, code: 416, type: 'invalid_request_error', owner: 'client' },
  bodyTooSlow: { status: 408, code: 408, type: 'invalid_request_error', owner: 'client' },
  bodyTooLarge: { status: 413, code: 413, type: 'invalid_request_error', owner: 'client' },
  unsupportedMediaType: { status: 415, code: 415, type: 'invalid_request_error', owner: 'client' },
  codeNotRedeemable: { status: 400, code: 'code_not_redeemable', type: 'invalid_request_error', owner: 'client' },
  // Model
  unknownModel: { status: 400, code: 'unknown_model', type: 'invalid_request_error', owner: 'client' },
  invalidModelId: { status: 400, code: 'invalid_model_id', type: 'invalid_request_error', owner: 'client' },
  modelNotFound: { status: 404, code: 'model_not_found', type: 'invalid_request_error', owner: 'client' },
  modelRetired: { status: 410, code: 'model_retired', type: 'model_not_available', owner: 'client' },
  modelEndpointMismatch: {
    status: 400,
    code: 'model_endpoint_mismatch',
    type: 'invalid_request_error',
    owner: 'client',
  },
  embeddingOnChatEndpoint: {
    status: 400,
    code: 'embedding_on_chat_endpoint',
    type: 'invalid_request_error',
    owner: 'client',
  },
  wrongEndpointForVideo: {
    status: 400,
    code: 'wrong_endpoint_for_video',
    type: 'invalid_request_error',
    owner: 'client',
  },
  maxCostTooLow: { status: 400, code: 'max_cost_too_low', type: 'invalid_request_error', owner: 'client' },
  modelNotPriced: { status: 400, code: 'model_not_priced', type: 'invalid_request_error', owner: 'gateway' },
  // Images
  invalidModalityForModel: {
    status: 400,
    code: 'invalid_modality_for_model',
    type: 'invalid_request_error',
    owner: 'client',
  },
  invalidImageUrl: { status: 400, code: 'invalid_image_url', type: 'invalid_request_error', owner: 'client' },
  inputImagesNotSupported: {
    status: 400,
    code: 'input_images_not_supported',
    type: 'invalid_request_error',
    owner: 'client',
  },
  invalidContentType: { status: 400, code: 'invalid_content_type', type: 'invalid_request_error', owner: 'client' },
  maskNotSupported: { status: 400, code: 'mask_not_supported', type: 'invalid_request_error', owner: 'client' },
  unsupportedResponseFormat: {
    status: 400,
    code: 'unsupported_response_format',
    type: 'invalid_request_error',
    owner: 'client',
  },
  missingPrompt: { status: 400, code: 'missing_prompt', type: 'invalid_request_error', owner: 'client' },
  missingImage: { status: 400, code: 'missing_image', type: 'invalid_request_error', owner: 'client' },
  tooManyImages: { status: 400, code: 'too_many_images', type: 'invalid_request_error', owner: 'client' },
  invalidImageType: { status: 400, code: 'invalid_image_type', type: 'invalid_request_error', owner: 'client' },
  imageTooLarge: { status: 400, code: 'image_too_large', type: 'invalid_request_error', owner: 'client' },
  invalidN: { status: 400, code: 'invalid_n', type: 'invalid_request_error', owner: 'client' },
  // Authentication
  unauthenticated: { status: 401, code: 401, type: 'authentication_error', owner: 'client' },
  modelNotAllowed: { status: 403, code: 'model_not_allowed', type: 'permission_error', owner: 'account' },
  forbidden: { status: 403, code: 403, type: 'permission_error', owner: 'account' },
  accountSuspended: { status: 403, code: 403, type: 'permission_error', owner: 'account' },
  customerSuspended: { status: 403, code: 'customer_suspended', type: 'permission_error', owner: 'account' },
  tooManyTags: { status: 403, code: 'too_many_tags', type: 'permission_error', owner: 'account' },
  tooManyRuns: { status: 403, code: 'too_many_runs', type: 'permission_error', owner: 'account' },
  tooManyFiles: { status: 403, code: 'too_many_files', type: 'permission_error', owner: 'account' },
  tooManyBatches: { status: 403, code: 'too_many_batches', type: 'permission_error', owner: 'account' },
  tooManyCustomers: { status: 403, code: 'too_many_customers', type: 'permission_error', owner: 'account' },
  secondFactorRequired: { status: 403, code: 'second_factor_required', type: 'permission_error', owner: 'client' },
  staleSession: { status: 403, code: 'step_up_required', type: 'permission_error', owner: 'client' },
  viewReadOnly: { status: 403, code: 'view_read_only', type: 'permission_error', owner: 'client' },
  viewEnded: { status: 403, code: 'view_ended', type: 'permission_error', owner: 'client' },
  foreignOrigin: { status: 403, code: 403, type: 'permission_error', owner: 'client' },
  // Money
  insufficientCredits: { status: 402, code: 'insufficient_credits', type: 'billing_error', owner: 'account' },
  spendLimitExceeded: { status: 402, code: 'spend_limit_exceeded', type: 'billing_error', owner: 'account' },
  budgetCapReached: { status: 402, code: 'budget_cap_reached', type: 'billing_error', owner: 'account' },
  runBudgetReached: { status: 402, code: 'run_budget_reached', type: 'billing_error', owner: 'account' },
  runStopped: { status: 402, code: 'run_stopped', type: 'billing_error', owner: 'account' },
  customerLimitReached: { status: 402, code: 'customer_limit_reached', type: 'billing_error', owner: 'account' },
  customerBalanceTooLow: { status: 402, code: 'customer_balance_too_low', type: 'billing_error', owner: 'account' },
  creditLimitExceeded: { status: 402, code: 'credit_limit_exceeded', type: 'billing_error', owner: 'account' },
  spendBreakerTripped: { status: 429, code: 429, type: 'rate_limit_error', owner: 'account', tellNotToRetry: true },
  topUpLimitReached: { status: 403, code: 'top_up_limit_reached', type: 'permission_error', owner: 'account' },
  paymentsOff: {
    status: 409,
    code: 'payments_off',
    type: 'invalid_request_error',
    owner: 'gateway',
    tellNotToRetry: true,
  },
  invalidSignature: { status: 400, code: 'invalid_signature', type: 'invalid_request_error', owner: 'client' },
  paymentsUnavailable: { status: 503, code: 'payments_unavailable', type: 'service_unavailable', owner: 'gateway' },
  // Rate limits
  rateLimited: { status: 429, code: 429, type: 'rate_limit_error', owner: 'client' },
  penaltyBlocked: { status: 429, code: 429, type: 'rate_limit_error', owner: 'client' },
  freeQuotaUsed: { status: 429, code: 429, type: 'rate_limit_error', owner: 'client' },
  sessionQuotaUsed: { status: 429, code: 429, type: 'rate_limit_error', owner: 'account', tellNotToRetry: true },
  brakeEngaged: { status: 503, code: 503, type: 'service_unavailable', owner: 'gateway' },
  draining: { status: 503, code: 503, type: 'service_unavailable', owner: 'gateway' },
  overloaded: { status: 503, code: 503, type: 'service_unavailable', owner: 'gateway' },
  moderationUnavailable: { status: 503, code: 503, type: 'service_unavailable', owner: 'gateway' },
  notReady: { status: 503, code: 503, type: 'service_unavailable', owner: 'gateway' },
  storeUnavailable: { status: 503, code: 503, type: 'service_unavailable', owner: 'gateway' },
  // Institution codes; their bodies are the code alone
  codeInvalid: { status: 400, code: 'invalid', type: 'invalid_request_error', owner: 'client' },
  codeAttemptsUsed: { status: 429, code: 'too_many_attempts', type: 'rate_limit_error', owner: 'client' },
  codeCooldown: { status: 429, code: 'cooldown', type: 'rate_limit_error', owner: 'client' },
  mailNotConfigured: {
    status: 503,
    code: 'mail_not_configured',
    type: 'service_unavailable',
    owner: 'gateway',
    tellNotToRetry: true,
  },
  codeRateLimited: { status: 429, code: 'rate_limited', type: 'rate_limit_error', owner: 'client' },
  // Upstreams
  contentFilter: { status: 403, code: 'content_filter', type: 'invalid_request_error', owner: 'client' },
  promptInjection: { status: 400, code: 'invalid_prompt', type: 'invalid_request_error', owner: 'client' },
  contentModeration: { status: 403, code: 'content_moderation', type: 'invalid_request_error', owner: 'client' },
  upstreamUnreachable: { status: 502, code: 'upstream_unreachable', type: 'upstream_error', owner: 'upstream' },
  upstreamAuthFailed: { status: 502, code: 'upstream_auth_failed', type: 'upstream_error', owner: 'upstream' },
  upstreamRateLimited: { status: 429, code: 'upstream_rate_limited', type: 'upstream_error', owner: 'upstream' },
  upstreamUnavailable: { status: 502, code: 'upstream_unavailable', type: 'upstream_error', owner: 'upstream' },
  noUpstream: { status: 503, code: 'upstream_unavailable', type: 'upstream_error', owner: 'gateway' },
  // Only the operator can fix it, or the client with other preferences.
  modelNotServed: {
    status: 503,
    code: 'upstream_unavailable',
    type: 'upstream_error',
    owner: 'gateway',
    tellNotToRetry: true,
  },
  pipelineError: { status: 502, code: 'pipeline_error', type: 'upstream_error', owner: 'gateway' },
  noImages: { status: 502, code: 'no_images', type: 'upstream_error', owner: 'upstream' },
  upstreamStalled: { status: 504, code: 504, type: 'upstream_error', owner: 'upstream' },
  // Gateway
  internal: { status: 500, code: 500, type: 'server_error', owner: 'gateway' },
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof errorCatalogue
