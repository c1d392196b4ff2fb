import { describe, expect, it } from 'vitest'
import type { CanonicalChoice } from '#domain/inference/reply.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { type ErrorName, errorCatalogue } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Charged } from '../dialect.ts'
import { replyContext } from './fixtures/reply-context.ts'
import { messagesDialect } from './messages-dialect.ts'

const charged: Charged = {
  usage: {
    ...noUsage,
    uncachedInput: 10,
    audioInput: 2,
    cacheRead: 5,
    cacheWrite1h: 7,
    textOutput: 20,
    reasoningOutput: 4,
  },
  cost: nanoUsd(12_500n),
}

function documentOf(choice: Partial<CanonicalChoice>, charge: Charged | null = charged): string {
  const whole: CanonicalChoice = { parts: [], finishReason: 'stop', nativeFinishReason: null, ...choice }
  return messagesDialect.renderDocument({ choices: [whole], usage: charge?.usage ?? null }, charge, replyContext)
}

it('[P9] a document counts every token once, and states its cost', () => {
  expect(JSON.parse(documentOf({ parts: [{ kind: 'text', text: 'Hi' }] }))).toEqual({
    id: 'gen-1',
    type: 'message',
    role: 'assistant',
    model: 'maker/model',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 12,
      output_tokens: 24,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 7,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 7 },
      output_tokens_details: { thinking_tokens: 4 },
      weir_cost: 0.0000125,
    },
  })
})

it('an answer without a usage record shows no cost', () => {
  expect(documentOf({}, null)).not.toContain('weir_cost')
  expect(JSON.parse(documentOf({}, null))).toMatchObject({ usage: { input_tokens: 0, output_tokens: 0 } })
})

const call = { kind: 'tool-call', id: 'call_1', name: 'get', argumentsJson: '{}' } as const

describe('the stop reason', () => {
  it.each<[string, Partial<CanonicalChoice>]>([
    ['end_turn', {}],
    ['end_turn', { finishReason: null }],
    ['max_tokens', { finishReason: 'length' }],
    ['tool_use', { finishReason: 'tool_calls' }],
    ['tool_use', { finishReason: 'stop', parts: [call] }],
    ['stop_sequence', { stopSequence: 'END' }],
    ['refusal', { finishReason: 'content_filter' }],
    ['refusal', { parts: [{ kind: 'refusal', text: 'No.' }] }],
    ['pause_turn', { nativeFinishReason: 'pause_turn' }],
    ['model_context_window_exceeded', { finishReason: 'length', nativeFinishReason: 'model_context_window_exceeded' }],
  ])('%s: %j', (reason, choice) => {
    expect(JSON.parse(documentOf(choice))).toMatchObject({
      stop_reason: reason,
      stop_sequence: choice.stopSequence ?? null,
    })
  })
})

it('arguments are the ones that the model wrote, as an object whatever they are', () => {
  expect(inputOf('{"big":12345678901234567890}')).toBe('{"big":12345678901234567890}')
  expect(inputOf('')).toBe('{}')
  expect(inputOf('{"cut":')).toBe(JSON.stringify({ arguments: '{"cut":' }))
  expect(inputOf('[1]')).toBe(JSON.stringify({ arguments: '[1]' }))
})

describe('a refusal before anything was sent', () => {
  it.each<[ErrorName, string]>([
    ['malformedRequest', 'invalid_request_error'],
    ['unauthenticated', 'authentication_error'],
    ['insufficientCredits', 'billing_error'],
    ['forbidden', 'permission_error'],
    ['modelNotFound', 'not_found_error'],
    ['bodyTooLarge', 'request_too_large'],
    ['rateLimited', 'rate_limit_error'],
    ['internal', 'api_error'],
    ['upstreamUnavailable', 'api_error'],
    ['overloaded', 'overloaded_error'],
    ['upstreamStalled', 'timeout_error'],
  ])('%s is a %s', (name, type) => {
    const body = messagesDialect.errorBody(new GatewayError(name, { message: 'No.', inside: 'secret' }), 'req-1')
    expect(JSON.parse(body)).toEqual({
      type: 'error',
      error: { type, message: 'No.', code: errorCatalogue[name].code },
      request_id: 'req-1',
    })
  })

  it('has the header that clients look for', () => {
    expect(messagesDialect.replyHeaders?.('req-1')).toEqual({ 'request-id': 'req-1' })
  })
})

function inputOf(argumentsJson: string): string {
  const body = documentOf({ parts: [{ ...call, argumentsJson }] })
  return /"input":(.*)\}\],"stop_reason"/.exec(body)?.[1] ?? ''
}
