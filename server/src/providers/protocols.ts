import { assert } from '#lib/assert.ts'
import type { Protocol } from './protocol.ts'
import { anthropicProtocol } from './protocols/anthropic/anthropic-protocol.ts'
import { bedrockProtocol } from './protocols/bedrock/bedrock-protocol.ts'
import { geminiProtocol } from './protocols/gemini/gemini-protocol.ts'
import { openAiProtocol } from './protocols/openai/openai-protocol.ts'
import { responsesProtocol } from './protocols/responses/responses-protocol.ts'
import type { ProtocolName, VendorSpec } from './spec.ts'

const protocols = {
  openai: openAiProtocol,
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
  bedrock: bedrockProtocol,
  responses: responsesProtocol,
} as const satisfies Record<ProtocolName, Protocol>

export function protocolOf(vendor: VendorSpec): Protocol {
  assert(vendor.protocol !== 'none', `${vendor.slug} holds conversations`)
  return protocols[vendor.protocol]
}
