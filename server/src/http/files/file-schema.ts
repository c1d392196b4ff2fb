import { Type } from 'typebox'

const second = (description: string) => Type.Integer({ description: `${description}, in Unix seconds.` })

export const fileSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('file'),
    bytes: Type.Integer(),
    created_at: second('Creation time'),
    expires_at: second('Time of deletion'),
    filename: Type.String(),
    purpose: Type.Enum(['batch', 'batch_output']),
    status: Type.Literal('processed'),
  },
  { $id: 'File' },
)

export const fileListSchema = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(fileSchema),
    first_id: Type.Union([Type.String(), Type.Null()]),
    last_id: Type.Union([Type.String(), Type.Null()]),
    has_more: Type.Boolean(),
  },
  { $id: 'FileList' },
)

export const deletedFileSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('file'),
  deleted: Type.Literal(true),
})

export const fileUploadSchema = Type.Object({
  file: Type.String({ format: 'binary', description: 'JSONL file with one request per line.' }),
  purpose: Type.Enum(['batch']),
  'expires_after[anchor]': Type.Optional(Type.Enum(['created_at'])),
  'expires_after[seconds]': Type.Optional(
    Type.Integer({
      minimum: 3_600,
      description: 'Time until the file is deleted, in seconds. It can only shorten the retention of the operator.',
    }),
  ),
})

export const fileListQuerySchema = Type.Object({
  purpose: Type.Optional(Type.Enum(['batch', 'batch_output'])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'desc', description: 'Order by creation time.' })),
  after: Type.Optional(Type.String({ description: 'ID of the last file of the previous page.' })),
})
