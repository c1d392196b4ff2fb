/** What the models under `test/` do, as docs/test-models.md has it. They cost nothing, except for `test/priced`. */
export const testModels: readonly { readonly id: string; readonly does: string; readonly isFault: boolean }[] = [
  { id: 'test/echo', does: 'Returns your last message. Accepts directives such as #delay=200.', isFault: false },
  { id: 'test/text', does: 'Streams a fixed paragraph word by word.', isFault: false },
  { id: 'test/priced', does: 'Like test/echo, but charged: $1 input and $2 output per 1M tokens.', isFault: false },
  { id: 'test/tools', does: 'Calls every tool in parallel.', isFault: false },
  { id: 'test/reasoning', does: 'Sends reasoning first, then text.', isFault: false },
  { id: 'test/json', does: 'Returns JSON that matches your schema.', isFault: false },
  { id: 'test/drip-50', does: 'Waits 50 ms between words. Use any number up to 60000.', isFault: false },
  { id: 'test/slow-1000', does: 'Sends the first token after 1000 ms. Use any number up to 60000.', isFault: true },
  { id: 'test/length', does: 'Stops early with finish reason length.', isFault: true },
  { id: 'test/content-filter', does: 'Stops early with finish reason content_filter.', isFault: true },
  { id: 'test/refusal', does: 'Returns a refusal with no content.', isFault: true },
  { id: 'test/no-usage', does: 'Reports no usage, so nothing can be charged.', isFault: true },
  {
    id: 'test/error-429',
    does: 'Returns 429 with a Retry-After header. Use any status from 300 to 599.',
    isFault: true,
  },
  { id: 'test/error-503', does: 'Returns 503.', isFault: true },
  { id: 'test/truncated', does: 'Sends the full text, then ends without a finish reason.', isFault: true },
  { id: 'test/cut', does: 'Sends half of the text, then resets the connection.', isFault: true },
  { id: 'test/stall', does: 'Sends the first chunk, then stalls.', isFault: true },
  { id: 'test/silent', does: 'Sends nothing, not even headers.', isFault: true },
  { id: 'test/stream-error', does: 'Sends half of the text, then an error event.', isFault: true },
]

export function testModelNote(id: string): string | undefined {
  return testModels.find((model) => model.id === id)?.does
}
