import { isOpenAiFamily } from '#domain/catalogue/model.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { buildChatRequest } from '#providers/protocols/openai/build-request.ts'
import { findVendor } from '#providers/registry.ts'
import type { Ticket } from '../types.ts'
import type { PreparedRequest } from './dispatch-deps.ts'

export interface UpstreamTimeouts {
  connectTimeoutMs: number
  /** Until the first byte of a stream. */
  firstByteTimeoutMs: number
  /** Until the head of a document, which is only sent when the whole answer is made. */
  answerTimeoutMs: number
  /** Between two pieces of an answer. */
  idleTimeoutMs: number
}

/** The call in the upstream's own words. */
export function prepareRequest(ticket: Ticket, candidate: Candidate, timeouts: UpstreamTimeouts): PreparedRequest {
  const { call, model } = ticket.plan
  const limits = {
    connectTimeoutMs: timeouts.connectTimeoutMs,
    headersTimeoutMs: call.stream ? timeouts.firstByteTimeoutMs : timeouts.answerTimeoutMs,
    bodyTimeoutMs: timeouts.idleTimeoutMs,
  }
  if (candidate.account.vendor === 'test') {
    const body = JSON.stringify(call.body)
    return { request: { origin: 'played://test', path: model.id, headers: {}, body, ...limits }, ignored: [] }
  }
  const vendor = findVendor(candidate.account.vendor)
  assert(vendor !== undefined, `the vendor ${candidate.account.vendor} of a provider account is registered`)
  const { ignored, ...request } = buildChatRequest({
    vendor,
    baseUrl: candidate.account.baseUrl,
    credential: candidate.account.credential,
    upstreamModel: candidate.upstreamModel,
    body: call.body,
    openAiFamily: isOpenAiFamily(model),
    stream: call.stream,
    maxTokens: call.maxTokens,
  })
  return { request: { ...request, ...limits }, ignored }
}
