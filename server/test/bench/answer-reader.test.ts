import { expect, test } from 'vitest'
import { type Answer, AnswerReader } from './answer-reader.ts'
import { burstChunks, jsonAnswer, streamEnd, streamHead } from './mock-answers.ts'
import { createRequestFramer } from './request-framer.ts'

const stream = Buffer.concat([streamHead, ...burstChunks, streamEnd])
const refusal = Buffer.from('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}')

test('answers are counted alike wherever the bytes are cut', () => {
  const bytes = Buffer.concat([jsonAnswer, stream, refusal])
  const whole = read([bytes])
  expect(whole.map(({ status, isLast }) => ({ status, isLast }))).toEqual([
    { status: 200, isLast: false },
    { status: 200, isLast: false },
    { status: 429, isLast: true },
  ])
  expect(whole[1]?.tail).toMatch(/data: \[DONE\]\n\n$/)
  for (const size of [1, 2, 3, 7, 64, 1_000]) expect(read(cut(bytes, size))).toEqual(whole)
})

test('a stream that stops short is no answer', () => {
  expect(read([stream.subarray(0, -1)])).toEqual([])
})

test('an answer without framing is refused rather than waited for', () => {
  expect(() => read([Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello')])).toThrow('without framing')
})

test('requests are framed alike wherever the bytes are cut', () => {
  const counted = 'POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello'
  const chunked = 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'
  const bytes = Buffer.from(counted + chunked + counted)
  for (const size of [1, 3, 20, bytes.length]) {
    const requests: string[] = []
    const feed = createRequestFramer((request) => requests.push(request.toString()))
    for (const part of cut(bytes, size)) feed(part)
    expect(requests).toEqual([counted, chunked, counted])
  }
})

function read(parts: readonly Buffer[]): Answer[] {
  const answers: Answer[] = []
  const reader = new AnswerReader({ onAnswer: (answer) => answers.push(answer) })
  for (const part of parts) reader.feed(part)
  return answers
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}
