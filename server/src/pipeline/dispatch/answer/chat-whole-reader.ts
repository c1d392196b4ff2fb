import { dataFrame, doneFrame, errorFrames } from '#dialects/chat/frames.ts'
import { chatUsage } from '#dialects/chat/usage-json.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import { chunkFailure } from '#providers/protocols/openai/failure/chunk-failure.ts'
import { joinChunks } from '#providers/protocols/openai/answer/join-chunks.ts'
import { noteChunk } from '#providers/protocols/openai/answer/known-words.ts'
import { readUsage } from '#providers/protocols/openai/answer/read-usage.ts'
import { splitCompletion } from '#providers/protocols/openai/answer/split-completion.ts'
import { createChunkState, tidyChunk } from '#providers/protocols/openai/answer/tidy-chunk.ts'
import { tidyCompletion } from '#providers/protocols/openai/answer/tidy-completion.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { Answer, AnswerListener, AnswerReader } from '../../types.ts'
import { nativeFinishReason } from './native-finish-reason.ts'
import { choicesOf, dropReasoning, finishOf } from './chunk-choices.ts'
import type { ReaderContext } from './reader-context.ts'
import { WholeBody } from '#lib/whole-body.ts'
import { nestingFailure } from './nested-answer.ts'
import { oversizeAnswer } from './oversize-answer.ts'

/**
 * Reads a response that is only useful as a whole: a JSON document, or an event stream although none was requested. If
 * the client requested a stream, the document is sent in chunks.
 */
export function createChatWholeReader(
  context: ReaderContext,
  quirks: OpenAiQuirks,
  wants: { stream: boolean; isEventStream: boolean },
  listener: AnswerListener,
): AnswerReader {
  const body = new WholeBody(context.answerBytesMax)
  let ended = false

  function data(bytes: Buffer): void {
    if (ended || body.add(bytes)) return
    ended = true
    listener.unusable(oversizeAnswer)
  }

  function end(): void {
    if (ended) return
    ended = true
    const bytes = body.take()
    const read = wants.isEventStream
      ? readEvents(bytes, quirks, context.note)
      : readDocument(bytes, quirks, context.note)
    if ('failure' in read) return listener.unusable(read.failure)
    const { completion, usage } = read
    if (!Array.isArray(completion.choices) || completion.choices.length === 0) {
      return listener.unusable({ kind: 'empty', message: 'The upstream returned a response without content.' })
    }
    if (context.excludeReasoning) dropReasoning(completion)
    const answer = answerOf(completion, usage)
    listener.opened()
    if (wants.stream) deliverChunks(completion, answer)
    else listener.done(answer, (cost) => document(completion, usage, cost))
  }

  function deliverChunks(completion: JsonObject, answer: Answer): void {
    const chunks = splitCompletion(completion)
    const last = chunks.pop() ?? { choices: [] }
    if (chunks.length > 0) {
      listener.bytes(chunks.map((chunk) => dataFrame(JSON.stringify(dress(chunk, 'chat.completion.chunk')))).join(''))
    }
    listener.done(answer, (cost) => {
      const closing = dress(last, 'chat.completion.chunk')
      if (answer.usage !== null) closing.usage = chatUsage(answer.usage, cost, context.upstreamCostOf?.(answer.usage))
      return dataFrame(JSON.stringify(closing)) + doneFrame
    })
  }

  function document(completion: JsonObject, usage: Usage | null, cost: Parameters<typeof chatUsage>[1]): string {
    const body = dress(completion, 'chat.completion')
    if (usage !== null) body.usage = chatUsage(usage, cost, context.upstreamCostOf?.(usage))
    return JSON.stringify(body)
  }

  function dress(body: JsonObject, object: string): JsonObject {
    const { id: _id, object: _object, created: _created, model: _model, usage: _usage, ...rest } = body
    return { id: context.id, object, created: context.createdS, model: context.model, ...rest }
  }

  // Nothing can be billed before the last byte has arrived.
  return { data, end, fail: errorFrames, outputTokensEstimate: 0, finalAnswer: null }
}

type Read = { completion: JsonObject; usage: Usage | null } | { failure: Parameters<AnswerListener['unusable']>[0] }

function readDocument(bytes: Buffer, quirks: OpenAiQuirks, note: NoteUnknown = ignoreUnknown): Read {
  if (bytes.length === 0) return { failure: { kind: 'empty', message: 'The upstream returned an empty response.' } }
  const nesting = nestingFailure(bytes)
  if (nesting !== null) return { failure: nesting }
  const completion = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (completion === undefined)
    return { failure: { kind: 'broken', message: 'The upstream response is not valid JSON.' } }
  const failure = chunkFailure(completion, quirks)
  if (failure !== undefined) return { failure: { kind: 'error', message: failure.message } }
  noteChunk(completion, quirks, note)
  const usage = readUsage(completion, quirks) ?? null
  tidyCompletion(completion, quirks)
  return { completion, usage }
}

function readEvents(bytes: Buffer, quirks: OpenAiQuirks, note: NoteUnknown = ignoreUnknown): Read {
  const chunks: JsonObject[] = []
  const state = createChunkState()
  let usage: Usage | null = null
  let failure: Parameters<AnswerListener['unusable']>[0] | null = null
  let isComplete = false
  const splitter = createSseSplitter({
    onEvent: (payload) => {
      const text = payload.toString('utf8')
      if (text === '[DONE]') {
        isComplete = true
        return
      }
      const chunk = parseJsonObject(text)
      if (chunk === undefined) {
        failure ??= { kind: 'broken', message: 'The upstream sent an event that is not valid JSON.' }
        return
      }
      const failed = chunkFailure(chunk, quirks)
      if (failed !== undefined) failure ??= { kind: 'error', message: failed.message }
      noteChunk(chunk, quirks, note)
      usage = readUsage(chunk, quirks) ?? usage
      tidyChunk(chunk, state, quirks)
      chunks.push(chunk)
    },
    eventBytesMax: bytes.length + 1,
    onOversize: () => {},
  })
  splitter.push(bytes)
  splitter.end()
  if (failure !== null) return { failure }
  const completion = joinChunks(chunks)
  if (!isComplete && finishOf(completion) === null) {
    return { failure: { kind: 'broken', message: 'The upstream ended its stream early.' } }
  }
  return { completion, usage }
}

function answerOf(completion: JsonObject, usage: Usage | null): Answer {
  const nativeReason = nativeFinishReason(choicesOf(completion))
  return { usage, finishReason: finishOf(completion), nativeFinishReason: nativeReason }
}
