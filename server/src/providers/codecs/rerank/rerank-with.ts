import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { DocumentScore } from '#domain/media/media-result.ts'
import type { RerankTask } from '#domain/media/media-task.ts'
import { searchUnitsOf } from '#domain/media/worst-rerank.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { countAt, type JsonObject, objectAt, objectsIn } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { RerankCodec } from '../codec.ts'
import { send } from '../exchange-script.ts'
import { UnusableAnswerError } from '../faults.ts'
import { jsonOf, jsonRequest } from '../media-request.ts'

/** How an upstream's rerank API differs from that of most others. */
interface RerankHabits {
  /** Defaults to `/rerank`. */
  readonly path?: string
  /** Defaults to `top_n`. */
  readonly topField?: 'top_n' | 'top_k'
  /** Set if this upstream can cut documents at a number of tokens. */
  readonly cutsDocuments?: true
  /** Maximum documents per request, if it is below the gateway's own. */
  readonly documentsMax?: number
  /** Numbers and switches that this upstream knows. Texts are not passed on, because no filter has read them. */
  readonly extras?: readonly string[]
  /** For an API at another address than the vendor's other APIs. */
  readonly baseUrlOf?: (baseUrl: string) => string
  /** Set if this upstream repeats the documents in its answer unless it is told not to. */
  readonly repeatsDocuments?: true
  readonly countsTokens?: false
}

/** One request with query and documents. The answer has scores; the gateway returns documents itself. */
export function rerankWith(habits: RerankHabits = {}): RerankCodec {
  const { path = '/rerank', topField = 'top_n', extras = [], baseUrlOf = (baseUrl) => baseUrl } = habits
  const isKnown = ([name, value]: [string, unknown]): boolean =>
    extras.includes(name) && (typeof value === 'number' || typeof value === 'boolean')
  return {
    ...(habits.countsTokens === undefined ? {} : { countsTokens: habits.countsTokens }),
    ignored: (task) => [
      ...(task.documentTokensMax === null || habits.cutsDocuments === true ? [] : ['max_tokens_per_doc']),
      ...Object.entries(task.extras).flatMap((entry) => (isKnown(entry) ? [] : [entry[0]])),
    ],
    *converse(task, target) {
      refuseMany(task, habits.documentsMax)
      const { documentTokensMax, top } = task
      const body: JsonObject = {
        model: target.upstreamModel,
        query: task.query,
        documents: [...task.documents],
        ...(habits.repeatsDocuments === true ? { return_documents: false } : {}),
        ...(top === null ? {} : { [topField]: Math.min(top, task.documents.length) }),
        ...(documentTokensMax === null || habits.cutsDocuments !== true
          ? {}
          : { max_tokens_per_doc: documentTokensMax }),
        ...Object.fromEntries(Object.entries(task.extras).filter(isKnown)),
      }
      const native = { ...target, baseUrl: baseUrlOf(target.baseUrl) }
      const answer = jsonOf(yield* send(jsonRequest(native, path, body)), readFailure)
      return { kind: 'rerank', scores: readScores(answer, task), usage: readUsage(answer, task.documents.length) }
    },
  }
}

function refuseMany({ documents }: RerankTask, most = Number.MAX_SAFE_INTEGER): void {
  if (documents.length <= most) return
  throw new GatewayError('unsupportedParam', {
    message: `\`documents\`: the providers of this model accept at most ${most} documents per request.`,
  })
}

/** The best documents first, as many as the client wants. Some upstreams answer in the order of the documents. */
function readScores({ results, data }: JsonObject, { documents, top }: RerankTask): DocumentScore[] {
  const scores = objectsIn(results ?? data).map((entry): DocumentScore => {
    const index = countAt(entry, 'index')
    const { relevance_score: score } = entry
    if (index === undefined || index >= documents.length || typeof score !== 'number') throw unusable()
    return { index, score }
  })
  if (scores.length === 0 || new Set(scores.map(({ index }) => index)).size < scores.length) throw unusable()
  return scores.toSorted((one, other) => other.score - one.score).slice(0, top ?? scores.length)
}

function unusable(): UnusableAnswerError {
  return new UnusableAnswerError('The upstream returned invalid scores.')
}

/** Null if the upstream counted nothing. One that counts only tokens is assumed to search once per 100 documents. */
function readUsage(answer: JsonObject, documentCount: number): Usage | null {
  const meta = objectAt(answer, 'meta')
  const usage = objectAt(answer, 'usage')
  const searchUnits = countAt(objectAt(meta, 'billed_units'), 'search_units') ?? countAt(usage, 'search_units')
  const tokens =
    countAt(usage, 'total_tokens') ??
    countAt(usage, 'prompt_tokens') ??
    countAt(objectAt(answer, 'tokens'), 'input_tokens') ??
    countAt(objectAt(meta, 'tokens'), 'input_tokens')
  if (searchUnits === undefined && tokens === undefined) return null
  return {
    ...noUsage,
    uncachedInput: tokens ?? 0,
    media: { searchUnits: searchUnits ?? searchUnitsOf(documentCount) },
  }
}
