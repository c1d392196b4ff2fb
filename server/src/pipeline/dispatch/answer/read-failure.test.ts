import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import type { SpeechTask } from '#domain/media/media-task.ts'
import { protocolOf } from '#providers/protocols.ts'
import { vendors } from '#providers/registry.ts'
import { failureReaderOf } from './read-failure.ts'

const task: SpeechTask = { kind: 'speech', input: 'a', voice: 'b', format: null, speed: null, extras: {} }
const speech = { media: { task, worst: noUsage } }

it('reads refusals of a conversation as the protocol says', () => {
  expect(failureReaderOf({}, vendors.anthropic)).toBe(protocolOf(vendors.anthropic).readFailure)
})

it('reads refusals of speech as the codec of the vendor says, of which some hold no conversations', () => {
  expect(failureReaderOf(speech, vendors.deepgram)).toBe(vendors.deepgram.media.speech?.readFailure)
})

it('reads refusals of speech by the protocol where the vendor has no codec for it', () => {
  expect(failureReaderOf(speech, vendors.anthropic)).toBe(protocolOf(vendors.anthropic).readFailure)
})
