import { Type } from 'typebox'
import { uploadFile, type UploadFileDeps } from '#control/files/upload-file.ts'
import { parseFileId, publicFileId } from '#domain/files/file-id.ts'
import { fileJson } from '#domain/files/file-json.ts'
import { fileOwnerOf } from '#domain/files/file-owner.ts'
import { type FilePurpose, filePurposes, type StoredFile } from '#domain/files/stored-file.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Files, OpenFile } from '#ports/files.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, principalOf } from '../endpoint.ts'
import { limitOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { deletedFileSchema, fileListQuerySchema, fileListSchema, fileSchema, fileUploadSchema } from './file-schema.ts'

interface FileEndpointDeps extends UploadFileDeps {
  readonly files: Files
}

const common = { tag: 'Inference', access: 'batches.manage' } as const
const onFile = { ...common, paths: ['/v1/files/:fileId'], errors: ['notFound'] } as const

// The fields of a form take a few hundred bytes.
const formBytes = 65_536

/** Files for batches, in the format of the OpenAI API. */
export function fileEndpoints(deps: FileEndpointDeps): Endpoint[] {
  const formBytesMax = deps.bytesMax + formBytes
  return [
    {
      ...common,
      name: 'createFile',
      method: 'POST',
      paths: ['/v1/files'],
      summary: 'Upload a file for a batch',
      form: {
        fileFields: ['file'],
        orJson: false,
        sizes: { fileBytesMax: formBytesMax, bodyBytesMax: formBytesMax },
      },
      body: fileUploadSchema,
      reply: { status: 200, description: 'The new file.', schema: fileSchema },
      errors: ['missingRequiredField', 'invalidContentType', 'tooManyFiles'],
      handle: async (request) => {
        const { body: fields, files: sent, nowMs } = request
        return {
          body: fileJson(await uploadFile(deps, { principal: principalOf(request), fields, files: sent, nowMs })),
        }
      },
    },
    {
      ...common,
      name: 'listFiles',
      method: 'GET',
      paths: ['/v1/files'],
      summary: 'List files',
      query: fileListQuerySchema,
      reply: { status: 200, description: 'A page of files.', schema: fileListSchema },
      errors: ['malformedRequest'],
      handle: (request) => listFiles(deps, request),
    },
    ...oneEndpoints(deps),
  ]
}

function oneEndpoints(deps: FileEndpointDeps): Endpoint[] {
  return [
    {
      ...onFile,
      name: 'getFile',
      method: 'GET',
      summary: 'Get a file',
      reply: { status: 200, description: 'The file.', schema: fileSchema },
      handle: async (request) => ({ body: fileJson(await fileOf(deps, request)) }),
    },
    {
      ...onFile,
      name: 'deleteFile',
      method: 'DELETE',
      summary: 'Delete a file',
      description: 'A batch that has not ended can still read its input file.',
      reply: { status: 200, description: 'The file is deleted.', schema: deletedFileSchema },
      handle: async (request) => {
        const id = parseFileId(request.params['fileId'] ?? '')
        const owner = fileOwnerOf(principalOf(request))
        if (id === undefined || !(await deps.files.remove(owner, id, request.nowMs))) throw fileNotFound()
        return { body: { id: publicFileId(id), object: 'file', deleted: true } }
      },
    },
    {
      ...onFile,
      paths: ['/v1/files/:fileId/content'],
      name: 'getFileContent',
      method: 'GET',
      summary: 'Download a file',
      reply: {
        status: 200,
        description: 'The bytes of the file.',
        schema: Type.String({ format: 'binary' }),
        contentTypes: ['application/octet-stream'],
      },
      handle: async (request) =>
        sendFile(await openOf(deps, (await fileOf(deps, request)).id), 'application/octet-stream'),
    },
  ]
}

/** The bytes of an opened file. */
export function sendFile(file: OpenFile, contentType: string): EndpointReply {
  return {
    headers: {
      // The console has the same origin: a browser that opens the bytes must neither sniff nor execute them.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
    },
    stream: { contentType, chunks: file.chunks() },
  }
}

async function listFiles({ files }: FileEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { query, nowMs } = request
  const limit = limitOf(query, { fallback: 100, max: 1_000 })
  const order = textOf(query, 'order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw refuseValue('order', 'asc or desc')
  const asked = { purpose: purposeOf(query), after: afterOf(query), isAscending: order === 'asc', nowMs }
  // One row more than requested tells whether there is a next page.
  const found = await files.list(fileOwnerOf(principalOf(request)), { ...asked, limit: limit + 1 })
  const data = found.slice(0, limit).map(fileJson)
  return {
    body: {
      object: 'list',
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: found.length > limit,
    },
  }
}

function purposeOf(query: Query): FilePurpose | null {
  const text = textOf(query, 'purpose')
  const purpose = filePurposes.find((each) => each === text) ?? null
  if (text !== null && purpose === null) throw refuseValue('purpose', `one of ${filePurposes.join(', ')}`)
  return purpose
}

function afterOf(query: Query): Uuid | null {
  const text = textOf(query, 'after')
  const id = text === null ? null : parseFileId(text)
  if (id === undefined) throw refuseValue('after', 'the id of a file')
  return id
}

async function fileOf({ files }: FileEndpointDeps, request: EndpointRequest): Promise<StoredFile> {
  const id = parseFileId(request.params['fileId'] ?? '')
  const file = id === undefined ? null : await files.find(fileOwnerOf(principalOf(request)), id, request.nowMs)
  if (file === null) throw fileNotFound()
  return file
}

async function openOf({ files }: FileEndpointDeps, id: Uuid): Promise<OpenFile> {
  const file = await files.open(id)
  if (file === null) throw fileNotFound()
  return file
}

function fileNotFound(): GatewayError {
  return new GatewayError('notFound', { message: 'File not found.' })
}
