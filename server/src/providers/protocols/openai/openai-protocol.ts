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

/** Chat Completions, as OpenAI and all who imitate it speak it. */
export const openAiProtocol: Protocol = {
  name: 'openai',
  buildRequest,
  isStream: (contentType) => contentType.trimStart().toLowerCase().startsWith('text/event-stream'),
  createStreamReader: (vendor) => createOpenAiStreamReader(openAi(vendor).openai),
  readDocument: (bytes, vendor) => readChatDocument(bytes, openAi(vendor).openai),
  readFailure,
}

function buildRequest(call: CanonicalCall, target: Target): ProtocolRequest {
  const host = openAiTarget(target)
  const { body, ignored } = canonicalBody(call, host)
  const request = buildChatRequest({ ...host, body, stream: call.stream, maxTokens: call.maxTokens })
  return { ...request, ignored: [...ignored, ...request.ignored] }
}

function openAi(vendor: VendorSpec): OpenAiVendor {
  assert(vendor.protocol === 'openai', `${vendor.slug} speaks ${vendor.protocol}, not OpenAI's protocol`)
  return vendor
}
