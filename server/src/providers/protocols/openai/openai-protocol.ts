import type { CanonicalCall } from '#domain/inference/call.ts'
import { assert } from '#lib/assert.ts'
import type { Protocol, ProtocolRequest, Target } from '#providers/protocol.ts'
import type { OpenAiVendor, VendorSpec } from '#providers/spec.ts'
import { openAiTarget } from './openai-target.ts'
import { buildChatRequest } from './request/build-request.ts'
import { canonicalBody } from './request/canonical-body.ts'
import { readChatDocument } from './answer/read-document.ts'
import { readFailure } from './failure/read-failure.ts'
import { createOpenAiStreamReader } from './answer/stream-reader.ts'

/** Chat Completions, as spoken by OpenAI and compatible servers. */
export const openAiProtocol: Protocol = {
  name: 'openai',
  learnableFields: {
    reasoning: { effort: 'low' },
    reasoning_effort: 'low',
    thinking: { type: 'disabled' },
    enable_thinking: false,
    thinking_budget: 1_024,
    chat_template_kwargs: { enable_thinking: false },
    user: 'weir',
    verbosity: 'medium',
  },
  buildRequest,
  isStream: (contentType) => contentType.trimStart().toLowerCase().startsWith('text/event-stream'),
  createStreamReader: (vendor, note) => createOpenAiStreamReader(openAi(vendor).openai, note),
  readDocument: (bytes, vendor, note) => readChatDocument(bytes, openAi(vendor).openai, note),
  readFailure,
}

function buildRequest(call: CanonicalCall, target: Target): ProtocolRequest {
  const host = openAiTarget(target)
  const { body, ignored } = canonicalBody(call, host)
  const request = buildChatRequest(host, { body, stream: call.stream, maxTokens: call.maxTokens })
  return { ...request, ignored: [...ignored, ...request.ignored] }
}

function openAi(vendor: VendorSpec): OpenAiVendor {
  assert(vendor.protocol === 'openai', `${vendor.slug} speaks ${vendor.protocol}, not OpenAI's protocol`)
  return vendor
}
