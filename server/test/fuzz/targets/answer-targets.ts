import { crc32 } from 'node:zlib'
import { protocolOf } from '#providers/protocols.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import type { ConversationVendor } from '#providers/spec.ts'
import { conversationNames } from '#test/matrix/axes.ts'
import { readAnswer } from '#test/matrix/read-answer.ts'
import { openAiOnResponses, xaiOnResponses } from '#test/matrix/responses-host.ts'
import { cutBytes } from '../engine/cut-bytes.ts'
import { ensure, ensureSame } from '../engine/expect.ts'
import { mutateJson } from '../engine/mutate-json.ts'
import { type MutateStructure, mutateEvents, mutateFrames } from '../engine/structures.ts'
import type { FuzzTarget } from '../target.ts'

type VendorFor = (hash: number) => ConversationVendor

const anyOpenAi: VendorFor = (hash) => openAiVendors[hash % openAiVendors.length] ?? vendors.openai

const anyOnResponses: VendorFor = (hash) => (hash % 2 === 0 ? openAiOnResponses : xaiOnResponses)

export const answerTargets: readonly FuzzTarget[] = [
  answer('openai', mutateEvents, anyOpenAi),
  answer('anthropic', mutateEvents, () => vendors.anthropic),
  answer('gemini', mutateEvents, () => vendors['google-ai-studio']),
  answer('bedrock', mutateFrames, () => vendors['amazon-bedrock']),
  answer('responses', mutateEvents, anyOnResponses),
  document('openai', anyOpenAi),
  document('anthropic', () => vendors.anthropic),
  document('gemini', () => vendors['google-ai-studio']),
  document('bedrock', () => vendors['amazon-bedrock']),
  document('responses', anyOnResponses),
]

/** The client's output for an upstream's stream, in every dialect and with any split. */
function answer(protocol: string, mutate: MutateStructure, vendorFor: VendorFor): FuzzTarget {
  const contentType = protocol === 'bedrock' ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  return {
    name: `answer-${protocol}`,
    runs: 6_000,
    corpus: `stream-${protocol}`,
    mutate,
    run: (input) => {
      const hash = crc32(input)
      const recording = { vendor: vendorFor(hash), contentType, bytes: input }
      const dialect = conversationNames[hash % conversationNames.length] ?? 'chat'
      const stream = hash % 7 !== 0
      const whole = readAnswer(recording, dialect, { stream, pieces: [input] })
      ensure(whole.text.length > 0, 'a caller is told something')
      if (input.length > 32_768) return
      const cut = readAnswer(recording, dialect, { stream, pieces: cutBytes(input) })
      ensureSame(cut, whole, 'cuts change nothing')
    },
  }
}

/** An upstream's JSON response, and the same bytes as an error response. */
function document(protocol: string, vendorFor: VendorFor): FuzzTarget {
  return {
    name: `document-${protocol}`,
    runs: 6_000,
    mutate: mutateJson,
    run: (input) => {
      const hash = crc32(input)
      const vendor = vendorFor(hash)
      const recording = { vendor, contentType: 'application/json', bytes: input }
      const dialect = conversationNames[hash % conversationNames.length] ?? 'chat'
      const { text } = readAnswer(recording, dialect, { stream: hash % 2 === 0, pieces: [input] })
      ensure(text.length > 0, 'a caller is told something')
      const status = [400, 401, 404, 413, 429, 500, 503][hash % 7] ?? 400
      const headers = { 'retry-after': input.toString('latin1', 0, 8) }
      const refusal = protocolOf(vendor).readFailure(status, headers, input.toString('utf8'))
      ensure(refusal.message.length > 0 && refusal.message.length < 2_000, 'a refusal has a short message')
      const waitMs = refusal.retryAfterMs ?? 0
      ensure(Number.isFinite(waitMs) && waitMs >= 0, 'a wait is a time')
    },
  }
}
