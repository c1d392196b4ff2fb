import { assert } from '#lib/assert.ts'
import type { Target } from '#providers/protocol.ts'
import type { OpenAiVendor, ResponsesQuirks, ResponsesVendor, VendorSpec } from '#providers/spec.ts'

/** A vendor of chat completions, addressed by Responses: same base URL, same credential. */
export function responsesHost(vendor: OpenAiVendor, responses: ResponsesQuirks): ResponsesVendor {
  const { chatPath: _path, openai: _quirks, onResponses: _host, ...shared } = vendor
  return { ...shared, protocol: 'responses', responsesPath: '/responses', responses }
}

export function responsesVendor(vendor: VendorSpec): ResponsesVendor {
  assert(vendor.protocol === 'responses', `${vendor.slug} speaks ${vendor.protocol}, not Responses`)
  return vendor
}

/** The destination of a Responses request. */
export interface ResponsesTarget extends Target {
  readonly vendor: ResponsesVendor
}
