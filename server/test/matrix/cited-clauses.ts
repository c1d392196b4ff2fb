import type { ConversationName } from '#test/matrix/axes.ts'
import type { Feature } from './features.ts'

/** The clauses that a cell proves, for its title. */
export function citedClauses(dialect: ConversationName, feature: Feature, stream: boolean): string {
  const { always = [], streamed = [], whole = [] } = clauses[feature][dialect]
  return [...always, ...(stream ? streamed : whole)].map((id) => `[${id}]`).join(' ')
}

interface Cited {
  readonly always?: readonly string[]
  readonly streamed?: readonly string[]
  readonly whole?: readonly string[]
}

const clauses: Readonly<Record<Feature, Readonly<Record<ConversationName, Cited>>>> = {
  text: {
    chat: { always: ['STREAM-05', 'P7'], streamed: ['STREAM-02'] },
    responses: {
      always: ['STREAM-05', 'P7'],
      streamed: ['RESP-22', 'RESP-23', 'RESP-24'],
      whole: ['RESP-01', 'RESP-17'],
    },
    messages: { always: ['STREAM-05', 'P7'], streamed: ['MSG-04', 'MSG-15'], whole: ['MSG-01'] },
  },
  'parallel tool calls': {
    chat: { always: ['P16', 'TOOL-01', 'TOOL-04', 'TOOL-06'], streamed: ['TOOL-07', 'TOOL-08'], whole: ['TOOL-05'] },
    responses: { always: ['P16', 'RESP-18'], streamed: ['RESP-26'] },
    messages: { always: ['P16', 'MSG-07', 'MSG-08'], streamed: ['MSG-16'] },
  },
  'reasoning with signature': {
    chat: { always: ['REASON-09'] },
    responses: { always: ['P17'], streamed: ['RESP-25'] },
    messages: { always: ['P17'], streamed: ['MSG-16'] },
  },
  refusal: {
    chat: { always: ['P7'] },
    responses: { always: ['P7'] },
    messages: { always: ['P7'] },
  },
  'length stop': {
    chat: { always: ['P7'] },
    responses: { always: ['RESP-04'], streamed: ['RESP-27'] },
    messages: { always: ['MSG-10'] },
  },
  'content filter': {
    chat: { always: ['P7'] },
    responses: { always: ['P7'], streamed: ['RESP-27'] },
    messages: { always: ['P7'] },
  },
  'mid-stream error': {
    chat: { streamed: ['STREAM-07'], whole: ['STREAM-11'] },
    responses: { streamed: ['RESP-28'] },
    messages: { streamed: ['MSG-17'], whole: ['MSG-12', 'MSG-13'] },
  },
  'cached-token usage': {
    chat: { always: ['P9'] },
    responses: { always: ['P9', 'RESP-19', 'RESP-20'] },
    messages: { always: ['P9', 'MSG-11'] },
  },
  'image input': {
    chat: { always: ['P7'] },
    responses: { always: ['RESP-15'] },
    messages: { always: ['P7'] },
  },
  'structured output': {
    chat: { always: ['P7'] },
    responses: { always: ['RESP-09'] },
    messages: { always: ['P7'] },
  },
}
