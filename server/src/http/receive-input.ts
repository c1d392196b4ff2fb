import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '#domain/access/client.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { BodyReader } from './bodies/body-reader.ts'
import type { Endpoint } from './endpoint.ts'
import { noteDrain } from './forms/refuse-unread.ts'
import { Upload, type UploadDeps } from './forms/upload.ts'
import type { FormTerms } from './inference/inference-endpoint.ts'

export interface InputDeps {
  bodies: Pick<BodyReader, 'readJson'>
  uploads: UploadDeps
}

interface ReceivedInput {
  readonly body: JsonObject
  readonly files: readonly FormFile[]
  /** Deletes the files. */
  readonly discard: () => Promise<void>
}

interface Sent {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly client: Client | null
  readonly bytesMax: number
}

/** The body of an account request: JSON, or a form for endpoints that take files. */
export async function receiveInput(
  { bodies, uploads }: InputDeps,
  { form, takesConversation }: Pick<Endpoint, 'form' | 'takesConversation'>,
  sent: Sent,
): Promise<ReceivedInput> {
  if (form !== undefined) return receiveFiles(uploads, form, sent)
  // Amounts need all their digits. A conversation has none, and is sent on as it is.
  const limits = { bytesMax: sent.bytesMax, hasAmounts: takesConversation !== true }
  const { body } = await bodies.readJson(sent.request, sent.reply, limits)
  return { body: body ?? {}, files: [], discard: async () => {} }
}

async function receiveFiles(
  uploads: UploadDeps,
  { fileFields, sizes }: FormTerms,
  { request, reply, client, bytesMax }: Sent,
): Promise<ReceivedInput> {
  assert(client?.kind === 'key', 'only endpoints for keys take files')
  const limits = { fileFields, ...(sizes ?? { fileBytesMax: bytesMax, bodyBytesMax: bytesMax }), jsonBytesMax: null }
  const ends = { request: request.raw, response: reply.raw }
  const upload = new Upload(ends, limits, { ...uploads, readJson: () => Promise.reject(new Error('forms only')) })
  noteDrain(request.raw, limits.bodyBytesMax)
  try {
    await upload.receive(client.principal.keyId)
  } catch (error) {
    await upload.discard()
    throw error
  }
  return { body: upload.fields, files: upload.files, discard: () => upload.discard() }
}
