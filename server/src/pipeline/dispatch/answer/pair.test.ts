import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { assert } from '#lib/assert.ts'
import { vendors } from '#providers/registry.ts'
import { pairOf } from './pair.ts'

describe('pairOf', () => {
  it.each([
    { dialect: chatDialect, slug: 'openai', relays: 'chat' },
    { dialect: chatDialect, slug: 'mistral', relays: 'chat' },
    { dialect: chatDialect, slug: 'anthropic', relays: null },
    { dialect: chatDialect, slug: 'google-ai-studio', relays: null },
    { dialect: chatDialect, slug: 'amazon-bedrock', relays: null },
    { dialect: messagesDialect, slug: 'anthropic', relays: 'messages' },
    { dialect: messagesDialect, slug: 'openai', relays: null },
    { dialect: messagesDialect, slug: 'google-ai-studio', relays: null },
    { dialect: messagesDialect, slug: 'amazon-bedrock', relays: null },
    { dialect: responsesDialect, slug: 'openai', relays: null },
    { dialect: responsesDialect, slug: 'anthropic', relays: null },
  ] as const)('$dialect.name to $slug relays $relays', ({ dialect, slug, relays }) => {
    const vendor = vendors[slug]
    const pair = pairOf(dialect, vendor)
    expect(pair.relays).toBe(relays)
    expect(pair.dialect).toBe(dialect)
    expect(pair.vendor).toBe(vendor)
    expect(pair.protocol.name).toBe(vendor.protocol)
  })

  it('relays Responses to a host of it, and translates all else', () => {
    const { onResponses } = vendors.openai
    assert(onResponses !== undefined, 'OpenAI speaks Responses')
    expect(pairOf(responsesDialect, onResponses)).toMatchObject({ relays: 'responses', vendor: onResponses })
    expect(pairOf(chatDialect, onResponses).relays).toBeNull()
    expect(pairOf(messagesDialect, onResponses).relays).toBeNull()
  })

  it('has no pair for a vendor without conversations', () => {
    const vendor = { ...vendors.openai, protocol: 'none' as const, media: {} }
    expect(() => pairOf(chatDialect, vendor)).toThrow('holds conversations')
  })
})
