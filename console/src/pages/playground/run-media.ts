import { callModel } from '../../api/call-model.ts'
import { parseExact } from '../../api/exact-json.ts'
import type { InferenceCall } from '../../api/inference-call.ts'
import type { ExactNumber } from '../../lib/money.ts'
import type { MediaKind } from './media-request.ts'

/** The result of a media request. If the response states no cost, the receipt has it. */
export interface MediaResult {
  readonly generationId: string | null
  readonly cost: ExactNumber | null
  readonly made:
    | { readonly kind: 'image'; readonly urls: readonly string[] }
    | { readonly kind: 'speech'; readonly url: string; readonly bytes: number }
    | { readonly kind: 'transcription'; readonly text: string }
    | { readonly kind: 'embeddings'; readonly vectors: readonly (readonly number[])[] }
    | { readonly kind: 'rerank'; readonly documents: readonly RankedDocument[] }
    | { readonly kind: 'video'; readonly jobId: string }
}

export interface RankedDocument {
  /** Position in the request. */
  readonly index: number
  readonly score: number
  readonly text: string
}

interface Terms {
  readonly organization: string | null
  readonly signal: AbortSignal
}

export async function runMedia(kind: MediaKind, call: InferenceCall, terms: Terms): Promise<MediaResult> {
  const response = await callModel(call, terms)
  const generationId = response.headers.get('x-generation-id')
  if (kind === 'speech') {
    const sound = await response.blob()
    return { generationId, cost: null, made: { kind, url: URL.createObjectURL(sound), bytes: sound.size } }
  }
  const body = parseExact(await response.text()) as MediaBody
  return {
    generationId: generationId ?? body.generation_id ?? null,
    cost: body.usage?.cost ?? null,
    made: madeOf(kind, body),
  }
}

/** The fields of the five response bodies that are read here. */
interface MediaBody {
  readonly id?: string
  readonly generation_id?: string
  readonly text?: string
  readonly data?: readonly { readonly url?: string; readonly embedding?: readonly ExactNumber[] }[]
  readonly results?: readonly {
    readonly index: ExactNumber
    readonly relevance_score: ExactNumber
    readonly document?: { readonly text: string }
  }[]
  readonly usage?: { readonly cost?: ExactNumber }
}

function madeOf(
  kind: Exclude<MediaKind, 'speech'>,
  { id = '', text = '', data = [], results = [] }: MediaBody,
): MediaResult['made'] {
  switch (kind) {
    case 'image':
      return { kind, urls: data.flatMap(({ url }) => url ?? []) }
    case 'transcription':
      return { kind, text }
    case 'embeddings':
      return { kind, vectors: data.map(({ embedding = [] }) => embedding.map(Number)) }
    case 'rerank':
      return {
        kind,
        documents: results.map(({ index, relevance_score: score, document }) => ({
          index: Number(index),
          score: Number(score),
          text: document?.text ?? '',
        })),
      }
    case 'video':
      return { kind, jobId: id }
  }
}
