import { expect, it } from 'vitest'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { SpeechTask } from '#domain/media/media-task.ts'
import { assert } from '#lib/assert.ts'
import { vendors } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { AnswerListener, AnswerReader, Ticket } from '../../types.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
import { ChatStreamReader } from './chat-stream-reader.ts'
import { createMakeReader } from './choose-reader.ts'

const events = 'text/event-stream; charset=utf-8'
const heard: AnswerListener = { opened: () => {}, bytes: () => {}, unusable: () => {}, done: () => {} }

function readerOf(ticket: Ticket, vendor: VendorSpec, contentType: string, listener = heard): AnswerReader {
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const makeReader = createMakeReader({
    vendorOf: () => vendor,
    limits: { frameBytesMax: 1_000, answerBytesMax: 1_000 },
  })
  return makeReader(ticket, candidate, contentType, listener)
}

it('relays a stream that both sides speak, and translates any other', () => {
  const ticket = testTicket()
  expect(readerOf(ticket, vendors.openai, events)).toBeInstanceOf(ChatStreamReader)
  expect(readerOf(ticket, vendors.anthropic, events)).toBeInstanceOf(CanonicalStreamReader)
  const messages = { ...ticket, arrival: { ...ticket.arrival, dialect: messagesDialect } }
  expect(readerOf(messages, vendors.openai, events)).toBeInstanceOf(CanonicalStreamReader)
})

it('does not read a stream where the client asked for a document', () => {
  const { call } = testTicket().plan
  const reader = readerOf(testTicket({ call: { ...call, stream: false } }), vendors.openai, events)
  expect(reader).not.toBeInstanceOf(ChatStreamReader)
})

it('passes speech on under the type that its vendor states, and counts the characters of its text', () => {
  const { call } = testTicket().plan
  const task: SpeechTask = { kind: 'speech', input: 'Grüße', voice: 'a', format: 'mp3', speed: null, extras: {} }
  const made = testTicket({ call: { ...call, media: { task, worst: noUsage } } })
  const ticket = { ...made, arrival: { ...made.arrival, dialect: speechDialect } }
  const told: unknown[] = []
  const listener: AnswerListener = {
    ...heard,
    opened: (type) => told.push(type),
    done: ({ usage }) => told.push(usage?.media?.inputCharacters),
  }
  const { media, ...openai } = vendors.openai
  assert(media?.speech !== undefined, 'OpenAI speaks')
  const vendor = { ...openai, media: { speech: { ...media.speech, contentTypeFor: () => 'audio/flac' } } }
  const reader = readerOf(ticket, vendor, 'application/octet-stream', listener)
  reader.data(Buffer.from('sound'))
  reader.end()
  expect(told).toEqual(['audio/flac', 5])
})

it('takes any other medium for our own mistake', () => {
  const made = testTicket()
  const ticket = { ...made, arrival: { ...made.arrival, dialect: speechDialect } }
  expect(() => readerOf(ticket, vendors.openai, 'audio/mpeg')).toThrow('speech alone is passed on as it comes')
})
