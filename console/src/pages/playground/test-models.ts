/** What the models under `test/` do, as docs/test-models.md has it. They cost nothing, except for `test/priced`. */
export const testModels: readonly { readonly id: string; readonly does: string; readonly isFault: boolean }[] = [
  { id: 'test/echo', does: 'Answers with your last message. Words such as #delay=200 direct it.', isFault: false },
  { id: 'test/text', does: 'Answers with a fixed paragraph, word by word.', isFault: false },
  { id: 'test/priced', does: 'As test/echo, but charged: $1 and $2 for a million tokens.', isFault: false },
  { id: 'test/tools', does: 'Calls every tool in parallel.', isFault: false },
  { id: 'test/reasoning', does: 'Reasons first, then answers.', isFault: false },
  { id: 'test/json', does: 'Answers with an instance of the JSON schema.', isFault: false },
  { id: 'test/drip-50', does: 'Waits 50 ms between words; any number up to 60000.', isFault: false },
  { id: 'test/slow-1000', does: 'Sends its first token after a second; any number up to 60000.', isFault: true },
  { id: 'test/length', does: 'Stops early with finish reason length.', isFault: true },
  { id: 'test/content-filter', does: 'Stops early with finish reason content_filter.', isFault: true },
  { id: 'test/refusal', does: 'Refuses, without content.', isFault: true },
  { id: 'test/no-usage', does: 'Reports no usage, so nothing can be charged.', isFault: true },
  { id: 'test/error-429', does: 'Answers 429 with retry-after; any status from 300 to 599.', isFault: true },
  { id: 'test/error-503', does: 'Answers 503.', isFault: true },
  { id: 'test/truncated', does: 'Sends all words and ends without a finish reason.', isFault: true },
  { id: 'test/cut', does: 'Sends half of the words, then resets the connection.', isFault: true },
  { id: 'test/stall', does: 'Sends the first chunk, then falls silent.', isFault: true },
  { id: 'test/silent', does: 'Sends nothing at all, not even headers.', isFault: true },
  { id: 'test/stream-error', does: 'Sends half of the words, then an error frame.', isFault: true },
]

export function testModelNote(id: string): string | undefined {
  return testModels.find((model) => model.id === id)?.does
}
