import { expect, test } from 'vitest'
import { addChunk, emptyAnswer } from './answer.ts'

function readAll(chunks: readonly unknown[]) {
  return chunks.reduce(
    (answer: typeof emptyAnswer, chunk, index) => addChunk(answer, JSON.stringify(chunk), index * 10, 'req_1'),
    emptyAnswer,
  )
}

test('words are joined, and the first of them sets the first-token time', () => {
  const answer = readAll([
    { choices: [{ delta: { role: 'assistant', content: '' } }] },
    { choices: [{ delta: { content: 'Hello ' } }] },
    { choices: [{ delta: { content: 'there' }, finish_reason: 'stop' }] },
  ])
  expect(answer).toMatchObject({ state: 'streaming', text: 'Hello there', firstTokenMs: 10, finishReason: 'stop' })
})

test('the cost keeps every digit', () => {
  const data = '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"cost":12345678.123456789}}'
  expect(addChunk(emptyAnswer, data, 0, null).usage).toEqual({
    promptTokens: 3,
    completionTokens: 2,
    cost: '12345678.123456789',
  })
})

test('pieces of tool calls go to their own call', () => {
  const answer = readAll([piece(0, 'a', '{"x"'), piece(1, 'b', '{}'), piece(0, undefined, ':1}')])
  expect(answer.toolCalls).toEqual([
    { name: 'a', arguments: '{"x":1}' },
    { name: 'b', arguments: '{}' },
  ])
})

test('an error frame ends the answer in the words of the API', () => {
  const frame = '{"error":{"message":"The upstream failed.","code":"upstream_unavailable"}}'
  expect(() => addChunk(emptyAnswer, frame, 0, 'req_1')).toThrow(
    expect.objectContaining({ message: 'The upstream failed.', code: 'upstream_unavailable', requestId: 'req_1' }),
  )
})

function piece(index: number, name: string | undefined, text: string) {
  const called = { ...(name === undefined ? {} : { name }), arguments: text }
  return { choices: [{ delta: { tool_calls: [{ index, function: called }] } }] }
}
