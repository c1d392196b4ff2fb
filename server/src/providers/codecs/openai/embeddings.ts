import type { EmbeddingResult } from '#domain/media/media-result.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { EmbeddingInput, EmbeddingTask } from '#domain/media/media-task.ts'
import { countAt, isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { MediaCodec } from '../codec.ts'
import { type ExchangeScript, send } from '../exchange-script.ts'
import { inputUsage } from '../embedding/add-usage.ts'
import { inBatches } from '../embedding/in-batches.ts'
import { liftVectors } from '../embedding/lift-vectors.ts'
import { readEmbeddingFailure } from '../embedding/read-embedding-failure.ts'
import { readListedVectors } from '../embedding/read-vectors.ts'
import { retrievalRole, type RoleWords } from '../embedding/retrieval-role.ts'
import { type Reads, textsOf } from '../embedding/texts-of.ts'
import { UpstreamRefusedError } from '../faults.ts'
import { jsonRequest } from '../media-request.ts'

/** How an upstream's `/embeddings` differs from OpenAI's. */
interface EmbeddingHabits extends Reads {
  /** Maximum inputs per request; OpenAI's by default. */
  readonly inputsMax?: number
  /** Field name of the vector length. */
  readonly dimensionsField?: string
  /** Set if the upstream requires the purpose of inputs; documents, unless the client says otherwise. */
  readonly roles?: RoleWords
  /** Whether the upstream accepts the end user's id. */
  readonly takesUser?: true
  /** Writes the inputs as body fields, if they are not plain texts or token ids. */
  readonly writeInputs?: WriteInputs
}

export type WriteInputs = (inputs: readonly EmbeddingInput[]) => ExchangeScript<InputFields>

export interface InputFields {
  readonly [field: string]: MediaJson
}

const openAiInputsMax = 2_048

/** The embeddings of OpenAI and compatible upstreams. */
export function openAiEmbeddings(habits: EmbeddingHabits = {}): MediaCodec<EmbeddingTask, EmbeddingResult> {
  const { writeInputs } = habits
  const limits = { inputsMax: openAiInputsMax, ...habits }
  return {
    ignored: ({ extras }) => Object.keys(extras).filter((name) => !isTold(name, habits)),
    converse: (task, target) =>
      inBatches(task, limits, function* (batch) {
        const inputs = writeInputs === undefined ? plainInputs(batch) : yield* writeInputs(batch)
        const body = { model: target.upstreamModel, ...inputs, ...settingsOf(task, habits) }
        const exchange = yield* send(jsonRequest(target, '/embeddings', body))
        const { answer, lifted } = liftVectors(exchange, readEmbeddingFailure)
        // Some upstreams report a failure of their own upstream with status 200.
        if (isJsonObject(answer.error)) {
          const text = exchange.body.toString('utf8')
          throw new UpstreamRefusedError(readEmbeddingFailure(exchange.status, exchange.headers, text))
        }
        return { vectors: readListedVectors(answer, lifted), usage: readTokenUsage(answer) }
      }),
  }
}

/** Texts or token ids. */
export function plainInputs(inputs: readonly EmbeddingInput[]): InputFields {
  if (!inputs.every((input) => input.kind === 'tokens')) return { input: textsOf(inputs) }
  return { input: inputs.map(({ tokens }) => [...tokens]) }
}

// Other fields could contain text that no filter has read, such as the `messages` or instructions that some upstreams
// also embed.
const harmlessFields = new Set(['truncate', 'truncate_prompt_tokens', 'output_dtype', 'output_type', 'normalize'])

// Every vendor has its own name for the purpose of inputs, and upstreams reject names that they do not know.
const roleFields = new Set(['input_type', 'task', 'task_type'])

function isTold(name: string, { roles, takesUser }: EmbeddingHabits): boolean {
  if (name === 'user') return takesUser === true
  return roleFields.has(name) ? roles !== undefined : harmlessFields.has(name)
}

function settingsOf(task: EmbeddingTask, habits: EmbeddingHabits) {
  const { dimensions, encoding, extras } = task
  const { dimensionsField = 'dimensions', roles } = habits
  const others = Object.entries(extras).filter(
    ([name, value]) => !roleFields.has(name) && isTold(name, habits) && typeof value !== 'object',
  )
  return {
    ...(roles === undefined ? {} : { input_type: retrievalRole(task, roles) ?? roles.document }),
    ...(dimensions === null ? {} : { [dimensionsField]: dimensions }),
    ...(encoding === null ? {} : { encoding_format: encoding }),
    ...Object.fromEntries(others),
  }
}

/** Null if nothing was counted. Image tokens are separate if the upstream reports them. */
export function readTokenUsage(answer: JsonObject): Usage | null {
  const usage = objectAt(answer, 'usage')
  const tokens = countAt(usage, 'prompt_tokens') ?? countAt(usage, 'total_tokens')
  if (tokens === undefined) return null
  const images = Math.min(countAt(objectAt(usage, 'prompt_tokens_details'), 'image_tokens') ?? 0, tokens)
  return inputUsage(tokens - images, { inputImageTokens: images })
}
