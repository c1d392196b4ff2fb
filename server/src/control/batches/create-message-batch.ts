import { type Batch, completionWindowMs } from '#domain/batches/batch.ts'
import { fileOwnerOf } from '#domain/files/file-owner.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { tooManyFiles } from '../files/upload-file.ts'
import { type CreateBatchDeps, insertBatch, type Sender } from './create-batch.ts'

const endpoint = '/v1/messages'
const customIdForm = /^[a-zA-Z0-9_-]{1,64}$/

/** Creates a batch of the requests in a body. They are stored as a file first, like those of any batch. */
export async function createMessageBatch(deps: CreateBatchDeps, body: JsonObject, sender: Sender): Promise<Batch> {
  const lines = linesOf(body, deps.linesMax)
  const { principal, nowMs } = sender
  const created = await deps.files.create(
    {
      ...fileOwnerOf(principal),
      id: newUuid(nowMs),
      userId: principal.userId,
      purpose: 'message_batch',
      name: 'requests.jsonl',
      byteCount: lines.reduce((sum, line) => sum + line.length, 0),
      createdAtMs: nowMs,
      // A running batch keeps its file.
      expiresAtMs: nowMs + completionWindowMs,
    },
    piecesOf(lines),
  )
  if (created === 'full') throw tooManyFiles()
  return insertBatch(deps, sender, { api: 'messages', endpoint, inputFileId: created.id, metadata: null })
}

function linesOf({ requests }: JsonObject, linesMax: number): readonly Buffer[] {
  if (requests === undefined) throw new GatewayError('missingRequiredField', { message: 'requests is required.' })
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > linesMax) {
    throw malformed(`requests must be an array of 1 to ${linesMax} requests.`)
  }
  const customIds = new Set<string>()
  return requests.map((request, position) => {
    const { customId, params } = parseRequest(request, `requests.${position}`)
    if (customIds.has(customId)) throw malformed(`requests.${position}.custom_id: ${customId} was used before.`)
    customIds.add(customId)
    const line = { custom_id: customId, method: 'POST', url: endpoint, body: params }
    return Buffer.from(`${JSON.stringify(line)}\n`)
  })
}

function parseRequest(request: JsonValue, place: string): { customId: string; params: JsonObject } {
  if (!isJsonObject(request)) throw malformed(`${place} must be an object.`)
  const { custom_id: customId, params } = request
  if (typeof customId !== 'string' || !customIdForm.test(customId)) {
    throw malformed(`${place}.custom_id must be a string of 1 to 64 letters, digits, dashes and underscores.`)
  }
  if (!isJsonObject(params)) throw malformed(`${place}.params must be an object.`)
  if (params.stream === true) throw malformed(`${place}.params.stream: requests of a batch cannot stream.`)
  return { customId, params }
}

async function* piecesOf(lines: readonly Buffer[]): AsyncIterable<Buffer> {
  yield* lines
}
