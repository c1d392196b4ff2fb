import { describe, expect, it } from 'vitest'
import type { MediaFile } from '#domain/media/media-file.ts'
import type { BodyPiece } from '#domain/media/body-piece.ts'
import type { EmbeddingTask } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { parseJsonObject } from '#lib/json.ts'
import { cohere } from '#providers/vendors/cohere/index.ts'
import { googleAiStudio } from '#providers/vendors/google/index.ts'
import { nvidia } from '#providers/vendors/nvidia/index.ts'
import { openai } from '#providers/vendors/openai/index.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { voyage } from '#providers/vendors/voyage/index.ts'
import type { Step, StepOutcome } from '../exchange-script.ts'
import { UpstreamRefusedError } from '../faults.ts'
import { addUsage, inputUsage } from './add-usage.ts'
import { readEmbeddingFailure } from './read-embedding-failure.ts'
import { retrievalRole } from './retrieval-role.ts'

const picture: MediaFile = {
  name: 'cat',
  mediaType: 'image/webp',
  byteCount: 3,
  content: { kind: 'memory', bytes: Buffer.from('abc') },
}
const address = { kind: 'image', image: { kind: 'url', url: 'https://pictures.example/cat' } } as const
const inline = { kind: 'image', image: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } } as const

function taskOf(special: Partial<EmbeddingTask>): EmbeddingTask {
  return { kind: 'embedding', inputs: [], dimensions: null, encoding: null, extras: {}, ...special }
}

function converse(vendor: VendorSpec, special: Partial<EmbeddingTask>, model = 'embed') {
  const codec = vendor.media?.embedding
  if (codec === undefined) throw new Error('no codec')
  const { authentication } = vendor
  const target = {
    baseUrl: 'https://host.example/v1',
    authentication,
    credential: 'k',
    upstreamModel: model,
    model: 'a/b',
    details: {},
  }
  return codec.converse(taskOf(special), target)
}

/** Runs a codec until its first request; every fetch returns a file. */
function firstRequest(conversation: Generator<Step, unknown, StepOutcome>) {
  const fetched: string[] = []
  let step = conversation.next()
  while (step.done !== true && step.value.kind === 'fetch-image') {
    fetched.push(step.value.url)
    step = conversation.next(picture)
  }
  if (step.done === true || step.value.kind !== 'send') throw new Error('nothing was sent')
  const { request } = step.value
  return { fetched, path: request.path, json: parseJsonObject(textOf(request.body)) ?? {} }
}

function textOf(body: string | readonly BodyPiece[]): string {
  if (typeof body === 'string') return body
  return body.map((piece) => (typeof piece === 'string' ? piece : 'file' in piece ? '<file>' : String(piece))).join('')
}

describe('an image that a client names by its address', () => {
  const inputs = [{ kind: 'parts', parts: [{ kind: 'text', text: 'a cat' }, address] }] as const

  it.each([
    ['cohere', cohere, 'embed-v4.0', 'data:image/webp;base64,<file>'],
    ['gemini', googleAiStudio, 'gemini-embedding-2', '"mimeType":"image/webp","data":"<file>"'],
    ['nvidia', nvidia, 'vl', '"a cat data:image/webp;base64,<file>"'],
  ])('is fetched and sent as base64 to %s, by its own type', (_name, vendor, model, expected) => {
    const { fetched, json } = firstRequest(converse(vendor, { inputs }, model))
    expect(fetched).toEqual(['https://pictures.example/cat'])
    expect(JSON.stringify(json)).toContain(expected)
  })

  it('is left to Voyage, unless another image of the request is base64', () => {
    const alone = firstRequest(converse(voyage, { inputs }, 'voyage-multimodal-3'))
    expect(alone.fetched).toEqual([])
    expect(JSON.stringify(alone.json)).toContain('"image_url":"https://pictures.example/cat"')
    const both = [...inputs, { kind: 'parts', parts: [inline] } as const]
    const mixed = firstRequest(converse(voyage, { inputs: both }, 'voyage-multimodal-3'))
    expect(mixed.fetched).toEqual(['https://pictures.example/cat'])
    expect(JSON.stringify(mixed.json)).not.toContain('image_url')
  })

  it('that is something else is refused', () => {
    const conversation = converse(cohere, { inputs }, 'embed-v4.0')
    conversation.next()
    expect(() => conversation.next({ ...picture, mediaType: 'image/tiff' })).toThrow(GatewayError)
  })
})

describe('[EMB-08] what a host can not be asked', () => {
  const texts = Array.from({ length: 600 }, () => ({ kind: 'text', text: 'a' }) as const)

  it.each([
    [
      'an image, also behind hundreds of texts',
      openai,
      { inputs: [...texts, { kind: 'parts', parts: [inline] } as const] },
    ],
    ['token ids', cohere, { inputs: [{ kind: 'tokens', tokens: [1] } as const] }],
    ['an image for a model of texts', voyage, { inputs: [{ kind: 'parts', parts: [inline] } as const] }],
    ['another form of vectors', googleAiStudio, { inputs: texts, encoding: 'int8' }],
  ])('%s is refused before anything is sent', (_what, vendor, special) => {
    expect(() => converse(vendor, special).next()).toThrow(GatewayError)
  })
})

describe('the address of Cohere', () => {
  it('is that of its own interface, whichever of the two an account names', () => {
    const { path } = firstRequest(converse(cohere, { inputs: [{ kind: 'text', text: 'a' }] }))
    expect(path).toBe('/v1/v2/embed')
    const target = {
      authentication: cohere.authentication,
      credential: 'k',
      upstreamModel: 'e',
      model: 'a/b',
      details: {},
    }
    for (const baseUrl of ['https://api.cohere.ai/compatibility/v1', 'https://api.cohere.com']) {
      const task = taskOf({ inputs: [{ kind: 'text', text: 'a' }] })
      const step = cohere.media?.embedding?.converse(task, { ...target, baseUrl }).next()
      expect(step?.value).toMatchObject({ request: { origin: 'https://api.cohere.com', path: '/v2/embed' } })
    }
  })
})

function read(status: number, message: string) {
  return readEmbeddingFailure(status, {}, JSON.stringify({ error: { message } }))
}

describe('what an upstream refuses', () => {
  it('[EMB-08] goes to the next one where it is its own limit, and back to the client otherwise', () => {
    expect(read(400, 'model does not support embeddings').action).toBe('fail-over')
    expect(read(400, 'Unknown parameter: dimensions').action).toBe('fail-over')
    expect(read(404, 'not found').action).toBe('fail-over')
    expect(read(405, 'no').action).toBe('fail-over')
    expect(read(501, 'no').action).toBe('fail-over')
    expect(read(400, 'input is empty').action).toBe('give-up')
    expect(read(429, 'slow down').action).toBe('retry')
    expect(read(401, 'bad key')).toMatchObject({ action: 'fail-over', errorName: 'upstreamAuthFailed' })
  })

  it('is told apart from an answer', () => {
    const conversation = converse(openai, { inputs: [{ kind: 'text', text: 'a' }] })
    conversation.next()
    const body = Buffer.from(JSON.stringify({ error: { message: 'overloaded', code: 503 } }))
    expect(() => conversation.next({ status: 200, headers: {}, body })).toThrow(UpstreamRefusedError)
  })
})

describe('what several requests counted', () => {
  it('[EMB-07] is added up, and is nothing where one of them counted nothing', () => {
    expect(addUsage([inputUsage(3), inputUsage(4, { inputImages: 1, inputImageTokens: 5 })])).toEqual(
      inputUsage(7, { inputImages: 1, inputImageTokens: 5 }),
    )
    expect(addUsage([inputUsage(3), null])).toBeNull()
  })
})

it("what inputs are for is said in each vendor's words", () => {
  const words = { document: 'passage', query: 'question' }
  const said = (extras: EmbeddingTask['extras']) => retrievalRole(taskOf({ extras }), words)
  expect(said({ input_type: 'search_document' })).toBe('passage')
  expect(said({ task: 'retrieval.query' })).toBe('question')
  expect(said({ task_type: 'RETRIEVAL_QUERY' })).toBe('question')
  expect(said({ input_type: 'clustering' })).toBe('clustering')
  expect(said({})).toBeUndefined()
  expect(said({ input_type: 'my secret query' })).toBeUndefined()
})
