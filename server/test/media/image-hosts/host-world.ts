import { afterAll, beforeAll } from 'vitest'
import type { MediaFile } from '#domain/media/media-file.ts'
import type { ImageResult } from '#domain/media/media-result.ts'
import type { ImageTask, MediaInput } from '#domain/media/media-task.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '#providers/codecs/faults.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import type { VendorSpec } from '#providers/spec.ts'
import {
  type MediaAnswer,
  type MediaCall,
  type MediaHandler,
  type MediaUpstream,
  startMediaUpstream,
} from '#test/simulators/start-media-upstream.ts'
import { type ConversationWorld, type Conversed, runConversation } from '../run-conversation.ts'

/** One vendor's image codec in front of its simulator. */
interface HostWorld {
  /** The requests of the last order. */
  calls(): readonly MediaCall[]
  make(handler: MediaHandler, order: Order): Promise<Conversed<ImageResult>>
  /** The error that the order ends with. */
  refusalOf(handler: MediaHandler, order: Order): Promise<UpstreamRefusal>
  /** Whether the order ends with an unusable response. */
  isUnusable(handler: MediaHandler, order: Order): Promise<boolean>
}

export interface Order extends Partial<Omit<ImageTask, 'kind'>>, ConversationWorld {
  readonly model: string
  readonly details?: JsonObject
}

export function useHost(vendor: VendorSpec, path: string): HostWorld {
  let upstream: MediaUpstream
  beforeAll(async () => {
    upstream = await startMediaUpstream(() => ({ status: 500 }))
  })
  afterAll(() => upstream.close())
  const make: HostWorld['make'] = async (handler, { model, details = {}, imageAt, onPause, ...order }) => {
    upstream.play(handler)
    upstream.calls.length = 0
    const codec = vendor.media?.image
    assert(codec !== undefined, 'the vendor makes images')
    const target: MediaTarget = {
      baseUrl: upstream.url + path,
      authentication: vendor.authentication,
      credential: 'secret',
      upstreamModel: model,
      model: 'ours/model',
      details,
    }
    const world = { ...(imageAt === undefined ? {} : { imageAt }), ...(onPause === undefined ? {} : { onPause }) }
    return runConversation(codec.converse({ ...plainTask, ...order }, target), world)
  }
  const failureOf = async (handler: MediaHandler, order: Order): Promise<unknown> => {
    try {
      await make(handler, order)
    } catch (error) {
      return error
    }
    throw new Error('it was made')
  }
  return {
    calls: () => upstream.calls,
    make,
    refusalOf: async (handler, order) => {
      const error = await failureOf(handler, order)
      if (error instanceof UpstreamRefusedError) return error.refusal
      throw error
    },
    isUnusable: async (handler, order) => (await failureOf(handler, order)) instanceof UnusableAnswerError,
  }
}

const plainTask: ImageTask = {
  kind: 'image',
  prompt: 'a fox',
  count: 1,
  size: null,
  aspectRatio: null,
  quality: null,
  inputs: [],
  extras: {},
}

export const fileInput: MediaInput = { kind: 'file', file: memoryFile('file bytes') }
export const dataInput: MediaInput = { kind: 'data', mediaType: 'image/png', base64: base64Of('data bytes') }
export const urlInput: MediaInput = { kind: 'url', url: 'https://pictures.example/one.png' }

export function memoryFile(text: string): MediaFile {
  const bytes = Buffer.from(text)
  return { name: 'x.png', mediaType: 'image/png', byteCount: bytes.length, content: { kind: 'memory', bytes } }
}

export function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Responses that no image provider should give, in place of a valid one. */
export const hostileAnswers: readonly (readonly [string, MediaAnswer])[] = [
  ['no JSON', { body: 'ok' }],
  ['a page', { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sign in</title>' }],
  ['nothing', { body: '' }],
  ['ten megabytes of text', { body: 'a'.repeat(10_000_000) }],
  ['a list', { body: '[{"url":"https://x.example"}]' }],
  ['nesting without end', { body: '['.repeat(1_000_000) }],
  ['members of other kinds', { body: { id: 7, request_id: [], polling_url: {}, output: 7, image: {}, data: 'x' } }],
]
