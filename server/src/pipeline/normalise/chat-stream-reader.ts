import { chatUsage } from '#dialects/chat/usage-json.ts'
import { dataFrame, doneFrame } from '#dialects/chat/frames.ts'
import type { UsageClasses } from '#domain/inference/usage.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { chunkFailure } from '#providers/protocols/openai/chunk-failure.ts'
import { readUsage } from '#providers/protocols/openai/read-usage.ts'
import { createChunkState, tidyChunk } from '#providers/protocols/openai/tidy-chunk.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { Answer, AnswerListener, AnswerReader } from '../types.ts'
import { hasSubstance } from './has-substance.ts'
import { createHeadSwap } from './head-swap.ts'
import { nativeFinishReason } from './native-finish-reason.ts'
import type { ReaderContext } from './reader-context.ts'

/**
 * Relays an OpenAI-compatible event stream as a chat stream. Most frames differ from what the caller should see only in
 * their head (id, created, model), so those are passed on as bytes behind a new head; only frames with something to
 * normalise, to bill or to hold back are parsed.
 *
 * The frame with the finish reason is kept until the end: usage and cost go out with it, after they are settled.
 */
export function createChatStreamReader(
  context: ReaderContext,
  quirks: OpenAiQuirks,
  listener: AnswerListener,
): AnswerReader {
  const chunkState = createChunkState()
  const heads = createHeadSwap(context)
  let isOpen = false
  let ended = false
  let usage: UsageClasses | null = null
  let usageIsFinal = false
  let finish: JsonObject | null = null
  let answerSoFar: Answer = { usage: null, finishReason: null, nativeFinishReason: null }
  let frames = 0
  let outputBytes = 0
  // What one push of bytes gives is written at once: coalescing what came together, never delaying it.
  let out: (Buffer | string)[] = []

  const splitter = createSseSplitter({
    onEvent: takeEvent,
    eventBytesMax: context.frameBytesMax,
    onOversize: () => fail('oversize', 'The upstream sent an event that is too large.'),
  })

  function data(bytes: Buffer): void {
    if (ended) return
    splitter.push(bytes)
    flush()
  }

  function takeEvent(payload: Buffer): void {
    // Hosts keep connections alive with events that hold nothing.
    if (ended || payload.length === 0) return
    frames += 1
    outputBytes += payload.length
    // Until the first substance is seen every frame is looked at, for nothing has been promised yet.
    const swapped = isOpen && quirks.thinkTags !== true ? heads.swap(payload) : null
    if (swapped !== null) {
      outputBytes -= heads.headBytes
      out.push(...swapped)
      return
    }
    const text = payload.toString('utf8')
    if (text.trimEnd() === '[DONE]') return complete(true)
    const chunk = parseJsonObject(text)
    if (chunk === undefined) return fail('broken', 'The upstream sent a frame that is not JSON.')
    heads.learn(payload, chunk)
    takeChunk(chunk)
  }

  function takeChunk(chunk: JsonObject): void {
    const failure = chunkFailure(chunk, quirks)
    if (failure !== undefined) return fail('error', failure.message)
    const seen = readUsage(chunk, quirks)
    if (seen !== undefined) {
      usage = seen
      // A running count may still grow; one that comes with or after the finish, or without choices, is the last.
      usageIsFinal = finish !== null || choicesOf(chunk).length === 0 || finishOf(chunk) !== null
    }
    tidyChunk(chunk, chunkState, quirks)
    if (context.excludeReasoning) dropReasoning(chunk)
    const reason = finishOf(chunk)
    if (reason !== null) {
      answerSoFar = { usage, finishReason: reason, nativeFinishReason: nativeFinishReason(choicesOf(chunk)) }
      if (finish !== null) sendChunk(finish)
      finish = chunk
      if (usage !== null) usageIsFinal = true
      open()
      return
    }
    if (choicesOf(chunk).length === 0) return
    if (hasSubstance(chunk) || out.length >= keptBackMax) open()
    sendChunk(chunk)
  }

  function sendChunk(chunk: JsonObject): void {
    out.push(dataFrame(JSON.stringify(heads.dress(chunk))))
  }

  function open(): void {
    if (isOpen) return
    isOpen = true
    listener.opened()
  }

  function flush(): void {
    if (out.length === 0 || !isOpen) return
    const pieces = out
    out = []
    if (!ended || pieces.length > 0) listener.bytes(joined(pieces))
  }

  function end(): void {
    if (ended) return
    splitter.end()
    if (!ended) complete(false)
  }

  // A stream that just stops, without a finish reason and without [DONE], was cut off, however cleanly it was closed.
  function complete(sawDone: boolean): void {
    if (finish === null && !sawDone && !usageIsFinal) {
      const nothing = frames === 0
      return fail(
        nothing ? 'empty' : 'broken',
        nothing ? 'The upstream sent an empty answer.' : 'The upstream ended its stream early.',
      )
    }
    if (!isOpen && finish === null && usage === null) return fail('empty', 'The upstream sent an empty answer.')
    open()
    flush()
    ended = true
    const last = finish
    listener.done({ ...answerSoFar, usage }, (cost) => closing(last, usage, cost))
  }

  function closing(last: JsonObject | null, counted: UsageClasses | null, cost: NanoUsd): string {
    const chunk = heads.dress(last ?? { choices: [] })
    if (counted !== null) chunk.usage = chatUsage(counted, cost)
    return (last === null && counted === null ? '' : dataFrame(JSON.stringify(chunk))) + doneFrame
  }

  function fail(kind: Parameters<AnswerListener['failed']>[0]['kind'], message: string): void {
    flush()
    ended = true
    listener.failed({ kind, message })
  }

  return {
    data,
    end,
    get outputTokensEstimate() {
      return Math.max(frames, Math.ceil(outputBytes / bytesPerTokenWithFraming))
    },
    get finalAnswer() {
      return usage !== null && usageIsFinal ? { ...answerSoFar, usage } : null
    },
  }
}

// A token of text comes with some twenty bytes of JSON around it; a guess for holds only.
const bytesPerTokenWithFraming = 24

// An upstream that says nothing for this many chunks is served as it is, for what is kept back must not grow for ever.
const keptBackMax = 1_000

function joined(pieces: readonly (Buffer | string)[]): Buffer | string {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

function choicesOf(chunk: JsonObject): JsonObject[] {
  return Array.isArray(chunk.choices) ? chunk.choices.filter(isJsonObject) : []
}

function finishOf(chunk: JsonObject): string | null {
  for (const choice of choicesOf(chunk)) if (typeof choice.finish_reason === 'string') return choice.finish_reason
  return null
}

function dropReasoning(chunk: JsonObject): void {
  for (const choice of choicesOf(chunk)) {
    const delta = objectAt(choice, 'delta')
    delete delta.reasoning
    delete delta.reasoning_details
  }
}
