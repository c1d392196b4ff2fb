import { expect, test } from 'vitest'
import { createEventSplitter } from './read-events.ts'

const stream = ': waiting\n\ndata: {"a":1}\n\nevent: usage\r\ndata: one\r\ndata: two\r\n\r\ndata: [DONE]\n\n'

test('events are the same wherever the stream is cut', () => {
  for (let size = 1; size <= stream.length; size += 1) {
    const split = createEventSplitter()
    const events: string[] = []
    for (let at = 0; at < stream.length; at += size) events.push(...split(stream.slice(at, at + size)))
    expect(events).toEqual(['{"a":1}', 'one\ntwo', '[DONE]'])
  }
})

test('an event that has not ended is not given', () => {
  expect(createEventSplitter()('data: half\n')).toEqual([])
})
