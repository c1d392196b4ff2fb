import type { CanonicalCall } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { addressOf } from '#providers/address-of.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { credentialHeaders, jsonHeaders } from '#providers/request-headers.ts'
import { responsesVendor } from './responses-host.ts'
import { writeBody } from './write-body.ts'

/** The request for one candidate. The call is not modified: another candidate may need it. */
export function buildResponsesRequest(call: CanonicalCall, target: Target): ProtocolRequest {
  const { body, ignored } = writeBody(call, { ...target, vendor: responsesVendor(target.vendor) })
  return { ...wrapResponsesBody(body, target), ignored }
}

/** Wraps a Responses body, which may be the client's own, in a request. */
export function wrapResponsesBody(body: JsonObject, target: Target): Omit<ProtocolRequest, 'ignored'> {
  const { responsesPath, authentication } = responsesVendor(target.vendor)
  const { origin, prefix, search } = addressOf(target)
  return {
    origin,
    path: prefix + responsesPath + search,
    headers: { ...jsonHeaders(body.stream === true), ...credentialHeaders(authentication, target.credential) },
    body: JSON.stringify(body),
  }
}
