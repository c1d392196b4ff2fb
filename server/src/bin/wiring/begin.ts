import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#config/config-schema.ts'
import { purposeOf } from '#dialects/purpose-of.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { charactersIn } from '#domain/media/characters-in.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { PricedKind } from '#domain/money/price-list.ts'
import { canCharge } from '#domain/catalogue/can-charge.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { objectAt } from '#lib/json.ts'
import { signingRegionOf, signRequest } from '#net/sign-request.ts'
import { createBegin } from '#pipeline/dispatch/begin.ts'
import { createBeginExchange } from '#pipeline/dispatch/begin-exchange.ts'
import { createBeginMedia } from '#pipeline/dispatch/begin-media.ts'
import type { DispatchDeps } from '#pipeline/dispatch/dispatch-deps.ts'
import { imageTaskOf } from '#pipeline/dispatch/image-task-of.ts'
import { prepareRequest } from '#pipeline/dispatch/prepare-request.ts'
import { createFinishMedia } from '#pipeline/dispatch/answer/finish-media.ts'
import { SpeechReader } from '#pipeline/dispatch/answer/speech-reader.ts'
import { chooseReader } from '#pipeline/dispatch/answer/choose-reader.ts'
import { type FreeTier } from '#pipeline/route/free-tier.ts'
import type { AnswerListener, Ticket } from '#pipeline/types.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import { protocolOf } from '#providers/protocols.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'
import type { VendorSpec } from '#providers/spec.ts'
import type { WiredMedia } from './media.ts'

export interface BeginNeeds {
  config: Config
  upstreams: Upstreams
  media: WiredMedia
  freeTier: FreeTier
  failFrames: DispatchDeps['failFrames']
  nowMs: () => number
}

/** How candidates are asked: one exchange for words and speech, a conversation for everything else. */
export function wireBegin(needs: BeginNeeds): DispatchDeps['begin'] {
  const { config, upstreams, media, freeTier, failFrames, nowMs } = needs
  const sign = signWith(nowMs)
  const finish = createFinishMedia(media.host)
  return createBegin({
    exchange: createBeginExchange({
      upstreams,
      prepare: (ticket, candidate) => prepareRequest(ticket, candidate, { vendorOf, timeouts: config.upstream, sign }),
      makeReader: (ticket, candidate, contentType, listener) => {
        const vendor = vendorOf(candidate)
        const { dialect } = ticket.arrival
        if (dialect.family === 'media') return speechReader(ticket, vendor, contentType, listener)
        const pair = { dialect, protocol: protocolOf(vendor), vendor }
        const wants = { stream: ticket.plan.call.stream, contentType }
        return chooseReader(readerContext(ticket, candidate, config), pair, wants, listener)
      },
      readFailure: (ticket, candidate) => {
        const vendor = vendorOf(candidate)
        const speech = ticket.plan.call.media === undefined ? undefined : vendor.media?.speech
        return speech?.readFailure ?? protocolOf(vendor).readFailure
      },
    }),
    media: createBeginMedia({
      upstreams,
      images: media.source,
      vendorOf,
      timeouts: config.upstream,
      answerBytesMax,
      imageTaskOf: ({ arrival: { dialect }, plan }, { model }) => {
        assert(dialect.family === 'conversation', 'only a conversation has its image guessed')
        return imageTaskOf(dialect, plan.call, model)
      },
      finish: (ticket, candidate, task, result, signal) => {
        const durationMs = nowMs() - ticket.arrival.receivedAtMs
        const context = { ...readerContext(ticket, candidate, config), task, durationMs }
        return finish(result, { ticket, context, signal })
      },
      failFrames,
      wait: async (ms, signal) => {
        await wait(ms, undefined, { signal })
      },
    }),
    count: (ticket, candidate) =>
      freeTier.isUncounted(ticket.plan, candidate) ? freeTier.countFallback(ticket, candidate) : undefined,
  })
}

function speechReader(ticket: Ticket, vendor: VendorSpec, contentType: string, listener: AnswerListener): SpeechReader {
  const task = ticket.plan.call.media?.task
  assert(task?.kind === 'speech', 'of media, speech alone is passed on as it comes')
  const statedType = vendor.media?.speech?.contentTypeFor?.(task)
  const speech = { sentType: contentType, statedType, format: task.format, characters: charactersIn(task.input) }
  return new SpeechReader(speech, listener)
}

/** Test models speak chat completions. */
const playedVendor: VendorSpec = openAiHost({
  slug: 'test',
  name: 'Test models',
  baseUrl: 'http://played.invalid',
  authentication: { kind: 'optional-bearer' },
  quirks: { streamUsage: 'always' },
})

function vendorOf(candidate: Candidate): VendorSpec {
  if (candidate.account.vendor === 'test') return playedVendor
  const vendor = findAnyVendor(candidate.account.vendor)
  assert(vendor !== undefined, `the vendor ${candidate.account.vendor} of a provider account is registered`)
  return vendor
}

function signWith(nowMs: () => number) {
  return async (
    request: UpstreamRequest,
    credential: string | null,
    { authentication }: VendorSpec,
  ): Promise<UpstreamRequest> => {
    if (credential === null || authentication.kind !== 'sigv4') return request
    const region = signingRegionOf(request.origin, credential)
    return signRequest(request, credential, { service: authentication.service, region, nowMs: nowMs() })
  }
}

/** What the provider bills the organization itself, by our list; null where the list has no price. */
function upstreamCostOf({ model, price }: Candidate, purpose: PricedKind): (usage: Usage) => NanoUsd | null {
  return (usage) => (canCharge(model, price, purpose) ? chargeFor(usage, price).cost : null)
}

const answerBytesMax = 64 * 1_024 * 1_024

export function readerContext(ticket: Ticket, candidate: Candidate, config: Config) {
  const purpose = purposeOf(ticket.plan.call, candidate.model, ticket.arrival.wantsEvents)
  return {
    id: publicGenerationId(ticket.arrival.generationId),
    createdS: Math.floor(ticket.arrival.receivedAtMs / 1_000),
    model: candidate.model.id,
    requestBody: ticket.plan.call.body,
    excludeReasoning: objectAt(ticket.plan.call.body, 'reasoning').exclude === true,
    frameBytesMax: config.stream.frameBytesMax,
    answerBytesMax,
    ...(candidate.billing === 'own_key' ? { upstreamCostOf: upstreamCostOf(candidate, purpose) } : {}),
  }
}
