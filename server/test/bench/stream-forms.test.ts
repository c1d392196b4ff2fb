import { expect, test } from 'vitest'
import { AnswerReader } from './answer-reader.ts'
import { burst, burstChunks, streamEnd, streamHead } from './mock-answers.ts'
import { messagesBurst, messagesBurstChunks, messagesStreamEnd, messagesStreamHead } from './mock-messages-answers.ts'
import { chunksPerStream } from './settings.ts'
import { streamForms } from './stream-forms.ts'

const chat = bodyOf(Buffer.concat([streamHead, ...burstChunks, streamEnd]))
const messages = bodyOf(Buffer.concat([messagesStreamHead, ...messagesBurstChunks, messagesStreamEnd]))

test('what the mock streams is heard in full, with as many chunks as are counted', () => {
  expect(streamForms.chat.read(chat)).toEqual({ ...burst, finish: 'stop' })
  expect(streamForms.messages.read(messages)).toEqual({ ...messagesBurst, finish: 'end_turn' })
  expect(burstChunks).toHaveLength(chunksPerStream)
  expect(messages.match(/^event: content_block_delta$/gm)).toHaveLength(chunksPerStream)
})

test('a stream of messages that lacks any kind of its events, or has them in another order, is not whole', () => {
  const frames = messages.split('\n\n').filter((frame) => frame !== '')
  for (const type of new Set(frames.map((frame) => frame.split('\n')[0]))) {
    const rest = frames.filter((frame) => !frame.startsWith(`${type}\n`))
    expect(() => streamForms.messages.read(rest.join('\n\n')), type).toThrow('in the order')
  }
  expect(() => streamForms.messages.read(frames.toReversed().join('\n\n'))).toThrow('in the order')
})

test('a tail is what a whole stream ends with, and is kept whole by the load', () => {
  expect(tailOf(Buffer.concat([streamHead, ...burstChunks, streamEnd]))).toContain(streamForms.chat.tail)
  const stream = Buffer.concat([messagesStreamHead, ...messagesBurstChunks, messagesStreamEnd])
  expect(tailOf(stream)).toBe(streamForms.messages.tail)
})

function bodyOf(answer: Buffer): string {
  const parts: Buffer[] = []
  new AnswerReader({ onBody: (part) => parts.push(part), onAnswer: () => {} }).feed(answer)
  return Buffer.concat(parts).toString('utf8')
}

function tailOf(answer: Buffer): string {
  let tail = ''
  new AnswerReader({ onAnswer: (read) => (tail = read.tail) }).feed(answer)
  return tail
}
