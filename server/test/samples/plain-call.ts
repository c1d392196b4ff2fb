import type { CanonicalCall } from '#domain/inference/call.ts'

/** One short question without options: the start of protocol tests. */
export const plainCall: CanonicalCall = {
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: null,
  parallelToolCalls: null,
  maxTokens: null,
  choiceCount: 1,
  sampling: {},
  reasoning: null,
  responseFormat: null,
  stream: false,
  endUser: null,
  extras: {},
}
