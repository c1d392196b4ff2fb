import { clientNetwork } from '#domain/access/client-network.ts'
import type { Principal } from '#domain/access/principal.ts'
import { type Batch, completionWindowMs } from '#domain/batches/batch.ts'
import { parseFileId } from '#domain/files/file-id.ts'
import { fileOwnerOf } from '#domain/files/file-owner.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Batches, NewBatch } from '#ports/batches.ts'
import type { Files } from '#ports/files.ts'
import { createFieldReader } from '../read-fields.ts'

export interface CreateBatchDeps {
  readonly batches: Pick<Batches, 'create'>
  readonly files: Pick<Files, 'find' | 'create'>
  readonly openMax: number
  readonly linesMax: number
}

export interface Sender {
  readonly principal: Principal
  readonly clientIp: string | null
  readonly nowMs: number
}

/** The paths that lines of a batch can be sent to. */
export const batchPaths = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/rerank',
] as const

/** Creates a batch of an uploaded file. The lines are checked later. */
export async function createBatch(deps: CreateBatchDeps, body: JsonObject, sender: Sender): Promise<Batch> {
  const fields = createFieldReader(body)
  const fileId = fields.requiredText('input_file_id')
  const endpoint = fields.requiredText('endpoint')
  const window = fields.requiredText('completion_window')
  if (!batchPaths.some((path) => path === endpoint)) {
    throw malformed(`endpoint must be one of ${batchPaths.join(', ')}.`)
  }
  if (window !== '24h') throw malformed('completion_window must be 24h.')
  const metadata = parseMetadata(body)
  const { principal, nowMs } = sender
  const id = parseFileId(fileId)
  const file = id === undefined ? null : await deps.files.find(fileOwnerOf(principal), id, nowMs)
  if (file === null || file.purpose !== 'batch') throw new GatewayError('notFound', { message: 'File not found.' })
  return insertBatch(deps, sender, { api: 'openai', endpoint, inputFileId: file.id, metadata })
}

export async function insertBatch(
  { batches, openMax }: Pick<CreateBatchDeps, 'batches' | 'openMax'>,
  { principal, clientIp, nowMs }: Sender,
  terms: Pick<NewBatch, 'api' | 'endpoint' | 'inputFileId' | 'metadata'>,
): Promise<Batch> {
  const created = await batches.create({
    ...terms,
    ...fileOwnerOf(principal),
    id: newUuid(nowMs),
    userId: principal.userId,
    keyId: principal.keyId,
    network: clientNetwork(clientIp),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + completionWindowMs,
    openMax,
  })
  if (created !== 'full') return created
  throw new GatewayError('tooManyBatches', {
    message: `The account has ${openMax} batches that have not ended. Wait until one ends, or cancel one.`,
  })
}

const pairsMax = 16
const nameMax = 64
const valueMax = 512

function parseMetadata({ metadata }: JsonObject): JsonObject | null {
  if (metadata === undefined || metadata === null) return null
  const isValid =
    isJsonObject(metadata) &&
    Object.keys(metadata).length <= pairsMax &&
    Object.entries(metadata).every(([name, value]) => isText(name, nameMax) && isText(value, valueMax))
  if (isValid) return metadata
  throw malformed(
    `metadata must have at most ${pairsMax} strings, with names of at most ${nameMax} and values of at most ${valueMax} characters.`,
  )
}

function isText(value: unknown, charactersMax: number): boolean {
  return typeof value === 'string' && value.length <= charactersMax && value.isWellFormed() && !value.includes('\0')
}
