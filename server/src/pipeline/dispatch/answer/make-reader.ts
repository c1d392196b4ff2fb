import { charactersIn } from '#domain/media/characters-in.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import type { VendorSpec } from '#providers/spec.ts'
import type { AnswerListener, AnswerReader, Ticket } from '../../types.ts'
import { chooseReader } from './choose-reader.ts'
import { pairOf } from './pair.ts'
import { readerContextOf, type ReaderLimits } from './reader-context.ts'
import { SpeechReader } from './speech-reader.ts'

export type MakeReader = (
  ticket: Ticket,
  candidate: Candidate,
  contentType: string,
  listener: AnswerListener,
) => AnswerReader

/** Makes the reader of an answer whose bytes pass as they come: a conversation's, or speech. */
export function createMakeReader(deps: {
  readonly vendorOf: (candidate: Candidate) => VendorSpec
  readonly limits: ReaderLimits
}): MakeReader {
  return (ticket, candidate, contentType, listener) => {
    const vendor = deps.vendorOf(candidate)
    const { dialect } = ticket.arrival
    if (dialect.family === 'media') return speechReader(ticket, vendor, { contentType, ...deps.limits }, listener)
    const wants = { stream: ticket.plan.call.stream, contentType }
    return chooseReader(readerContextOf(ticket, candidate, deps.limits), pairOf(dialect, vendor), wants, listener)
  }
}

function speechReader(
  ticket: Ticket,
  vendor: VendorSpec,
  { contentType, answerBytesMax }: ReaderLimits & { contentType: string },
  listener: AnswerListener,
): SpeechReader {
  const task = ticket.plan.call.media?.task
  assert(task?.kind === 'speech', 'of media, speech alone is passed on as it comes')
  const codec = vendor.media?.speech
  const speech = {
    sentType: contentType,
    statedType: codec?.contentTypeFor?.(task),
    format: task.format,
    characters: charactersIn(task.input),
    readAudio: codec?.readAudio,
    answerBytesMax,
  }
  return new SpeechReader(speech, listener)
}
