/** Fields without which a request would be another one, in the words of any provider. They are never left out. */
export const essentialFields: ReadonlySet<string> = new Set([
  'contents',
  'file',
  'image',
  'input',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'messages',
  'model',
  'prompt',
  // Without it a host of Responses keeps what clients were promised is kept nowhere.
  'store',
  'stream',
  // Without it a stream says no usage, and could not be charged for.
  'stream_options',
  'system',
  'tools',
])
