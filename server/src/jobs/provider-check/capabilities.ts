/** The capabilities to check, each with its own smallest request. */
export const capabilities = [
  'document',
  'stream',
  'tools',
  'sampling',
  'thinking',
  'thoughts',
  'cache',
  'flex',
  'priority',
  'search',
  'embedding',
  'rerank',
  'moderation',
  'image',
  'speech',
  'transcription',
  'video',
] as const
export type Capability = (typeof capabilities)[number]
