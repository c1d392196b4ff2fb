import { expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { vendors } from '#providers/registry.ts'
import { recordedContext } from '#test/streams/read-recorded.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
import { CanonicalWholeReader } from './canonical-whole-reader.ts'
import { ChatStreamReader } from './chat-stream-reader.ts'
import { chooseReader } from './choose-reader.ts'
import { pairOf } from './pair.ts'

const dialects = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect }
const hosts = { ...vendors, 'openai on Responses': vendors.openai.onResponses ?? vendors.openai }
const events = 'text/event-stream; charset=utf-8'
const json = 'application/json'

/**
 * The kind of reader: translates the stream, translates the whole response, relays a chat stream, or relays otherwise.
 */
function chosen(name: keyof typeof dialects, slug: keyof typeof hosts, stream: boolean, contentType: string): string {
  const pair = pairOf(dialects[name], hosts[slug])
  const listener = { opened: () => {}, bytes: () => {}, unusable: () => {}, done: () => {} }
  const reader = chooseReader(recordedContext, pair, { stream, contentType }, listener)
  if (reader instanceof CanonicalStreamReader) return 'translates a stream'
  if (reader instanceof CanonicalWholeReader) return 'translates a whole answer'
  return reader instanceof ChatStreamReader ? 'relays a stream of chat' : 'relays'
}

it.each([
  ['chat', 'openai', true, events, 'relays a stream of chat'],
  ['chat', 'openai', true, json, 'relays'],
  ['chat', 'openai', false, json, 'relays'],
  ['chat', 'openai', false, events, 'relays'],
  ['chat', 'anthropic', true, events, 'translates a stream'],
  ['chat', 'anthropic', false, json, 'translates a whole answer'],
  ['messages', 'anthropic', true, events, 'relays'],
  ['messages', 'anthropic', false, json, 'relays'],
  ['messages', 'anthropic', true, json, 'relays'],
  ['messages', 'anthropic', false, events, 'translates a whole answer'],
  ['messages', 'openai', true, events, 'translates a stream'],
  ['messages', 'openai', true, json, 'translates a whole answer'],
  ['responses', 'openai', false, events, 'translates a whole answer'],
  ['responses', 'anthropic', true, events, 'translates a stream'],
  ['responses', 'openai on Responses', true, events, 'relays'],
  ['responses', 'openai on Responses', false, json, 'relays'],
  ['responses', 'openai on Responses', true, json, 'translates a whole answer'],
  ['responses', 'openai on Responses', false, events, 'translates a whole answer'],
  ['chat', 'openai on Responses', true, events, 'translates a stream'],
] as const)('a client of %s and a host of %s, stream %s, that sends %s: %s', (name, slug, stream, type, way) => {
  expect(chosen(name, slug, stream, type)).toBe(way)
})
