import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import type { ModelKind } from '#domain/catalogue/model.ts'
import { resolveModel } from '#domain/routing/resolve-model.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'

export interface FindEndpointDeps {
  readonly endpoints: readonly InferenceEndpoint[]
  readonly catalogue: () => Catalogue
  readonly testModels: boolean
}

const pathOfKind: Readonly<Partial<Record<ModelKind, string>>> = {
  embedding: '/v1/embeddings',
  rerank: '/v1/rerank',
  moderation: '/v1/moderations',
  image: '/v1/images/generations',
  video: '/v1/videos',
  speech: '/v1/audio/speech',
  transcription: '/v1/audio/transcriptions',
}

/** The endpoint that a body is for: the one that the request names, or the one that fits body and model. */
export function findQuotedEndpoint(
  deps: FindEndpointDeps,
  { named, body, nowMs }: { named: string | null; body: JsonObject; nowMs: number },
): InferenceEndpoint {
  const path = named ?? fittingPath(body, kindOf(deps, body, nowMs))
  const found = deps.endpoints.find(({ paths }) => paths.includes(path))
  if (found !== undefined) return found
  const known = deps.endpoints.map(({ paths }) => paths[0]).join(', ')
  throw malformed(`The query parameter endpoint must be one of ${known}.`)
}

function fittingPath(body: JsonObject, kind: ModelKind | null): string {
  if (body['messages'] !== undefined) return '/v1/chat/completions'
  if (kind === 'chat' && body['prompt'] !== undefined) return '/v1/completions'
  return (kind === null ? undefined : pathOfKind[kind]) ?? '/v1/responses'
}

function kindOf({ catalogue, testModels }: FindEndpointDeps, body: JsonObject, nowMs: number): ModelKind | null {
  const { model } = body
  if (typeof model !== 'string') return null
  const resolution = resolveModel(model, catalogue(), { nowMs, completesBareNames: false, testModels })
  return resolution.found ? resolution.model.kind : null
}
