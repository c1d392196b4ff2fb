import { crc32 } from 'node:zlib'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { completionsDialect } from '#dialects/completions/completions-dialect.ts'
import type { ConversationDialect, Dialect, DialectCall, MediaDialect } from '#dialects/dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imageEditsDialect, imagesDialect } from '#dialects/images/images-dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { rerankDialect } from '#dialects/rerank/rerank-dialect.ts'
import { moderationsDialect } from '#dialects/moderations/moderations-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import { transcriptionsDialect } from '#dialects/transcriptions/transcriptions-dialect.ts'
import { translationsDialect } from '#dialects/translations/translations-dialect.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import { parseJsonBody } from '#http/parse-json-body.ts'
import { protocolOf } from '#providers/protocols.ts'
import { openAiVendors, vendors } from '#providers/registry.ts'
import type { ConversationVendor } from '#providers/spec.ts'
import { ensure, ensureSame, unlessRefused } from '../engine/expect.ts'
import { mutateJson } from '../engine/mutate-json.ts'
import type { FuzzTarget } from '../target.ts'

export const dialectTargets: readonly FuzzTarget[] = [
  conversation(chatDialect),
  conversation(messagesDialect),
  conversation(responsesDialect),
  conversation(completionsDialect),
  media(embeddingsDialect),
  media(rerankDialect),
  media(moderationsDialect),
  media(imagesDialect),
  media(imageEditsDialect),
  media(speechDialect),
  media(transcriptionsDialect),
  media(translationsDialect),
  media(videosDialect),
]

/** A body becomes a call, and the call a request to any vendor, or it is rejected. */
function conversation(dialect: ConversationDialect): FuzzTarget {
  return {
    name: `dialect-${dialect.name}`,
    runs: 10_000,
    mutate: mutateJson,
    run: (input) => {
      const call = parse(input, dialect)
      if (call === undefined) return
      const hash = crc32(input)
      unlessRefused(() => dialect.checkFor?.(call, { isOpenAiFamily: hash % 2 === 0 }))
      const items = dialect.prompt.items(call.body)
      ensureSame(dialect.prompt.items(dialect.prompt.withItems(call.body, items)), items, 'the same items stay')
      for (const item of items.slice(0, 20)) {
        dialect.prompt.measureItem(item)
        dialect.prompt.bindings(item)
      }
      dialect.relayBody?.(structuredClone(call.body), 'openai')
      const canonical = unlessRefused(() => dialect.toCanonical(call))
      if (canonical === undefined) return
      dialect.withoutOpenAiFields?.(canonical)
      const vendor = vendorsOf[hash % vendorsOf.length] ?? vendors.openai
      const target = {
        vendor,
        baseUrl: vendor.baseUrl ?? 'https://upstream.example/v1',
        credential: null,
        upstreamModel: 'model-x',
        openAiFamily: hash % 3 === 0,
      }
      const request = unlessRefused(() => protocolOf(vendor).buildRequest(canonical, target))
      if (request !== undefined) ensure(typeof JSON.parse(request.body) === 'object', 'a request is JSON')
    },
  }
}

const vendorsOf: readonly ConversationVendor[] = [
  ...openAiVendors,
  ...Array.from({ length: openAiVendors.length }, (_, at) =>
    [vendors.anthropic, vendors['google-ai-studio'], vendors['amazon-bedrock']].at(at % 3),
  ).filter((vendor) => vendor !== undefined),
]

function media(dialect: MediaDialect): FuzzTarget {
  return {
    name: `dialect-${dialect.name}`,
    runs: 10_000,
    mutate: mutateJson,
    run: (input) => {
      const call = parse(input, dialect)
      if (call === undefined) return
      const { worst } = call.media ?? {}
      for (const count of Object.values(worst ?? {})) {
        if (typeof count === 'number') ensure(Number.isFinite(count) && count >= 0, 'the worst usage is a count')
      }
      dialect.unreadableFor?.(call)
    },
  }
}

function parse(input: Buffer, dialect: Dialect): DialectCall | undefined {
  const body = unlessRefused(() => parseJsonBody(input))
  const call = body === undefined ? undefined : unlessRefused(() => dialect.parse(body, []))
  if (call === undefined) return undefined
  const { promptTokensEstimate, promptTokensHeld, maxTokens, choiceCount } = call
  for (const count of [promptTokensEstimate, promptTokensHeld, maxTokens ?? 0, choiceCount]) {
    ensure(Number.isSafeInteger(count) && count >= 0, 'a call is measured in whole numbers')
  }
  const texts = dialect.texts(call.body)
  ensure(dialect.withTexts(call.body, texts) === call.body, 'the same texts change nothing')
  const marked = dialect.withTexts(
    call.body,
    texts.map((text) => `${text}!`),
  )
  ensureSame(
    dialect.texts(marked),
    texts.map((text) => `${text}!`),
    'texts stay where they were put',
  )
  return call
}
