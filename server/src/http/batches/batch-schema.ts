import { Type } from 'typebox'
import { batchPaths } from '#control/batches/create-batch.ts'

const second = Type.Union([Type.Integer(), Type.Null()])
const text = Type.Union([Type.String(), Type.Null()])
const metadata = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])

export const newBatchSchema = Type.Object({
  input_file_id: Type.String({
    description: 'ID of a file with one request per line. Each request has `custom_id`, `method`, `url` and `body`.',
  }),
  endpoint: Type.Enum([...batchPaths], { description: 'The `url` that all lines must have.' }),
  completion_window: Type.Enum(['24h'], { description: 'Lines that have not started within this time never start.' }),
  metadata: Type.Optional(metadata),
})

export const batchSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('batch'),
    endpoint: Type.String(),
    errors: Type.Union([
      Type.Object({
        object: Type.Literal('list'),
        data: Type.Array(
          Type.Object({
            code: Type.String(),
            message: Type.String(),
            line: Type.Union([Type.Integer(), Type.Null()], { description: 'Line number in the input file, from 1.' }),
            param: text,
          }),
        ),
      }),
      Type.Null(),
    ]),
    input_file_id: Type.String(),
    completion_window: Type.String(),
    status: Type.Enum([
      'validating',
      'failed',
      'in_progress',
      'finalizing',
      'completed',
      'expired',
      'cancelling',
      'cancelled',
    ]),
    output_file_id: Type.Union([Type.String(), Type.Null()], {
      description: 'ID of the file with the results of successful lines.',
    }),
    error_file_id: Type.Union([Type.String(), Type.Null()], {
      description: 'ID of the file with the errors of all other lines.',
    }),
    created_at: Type.Integer(),
    in_progress_at: second,
    expires_at: Type.Integer(),
    finalizing_at: second,
    completed_at: second,
    failed_at: second,
    expired_at: second,
    cancelling_at: second,
    cancelled_at: second,
    request_counts: Type.Object({ total: Type.Integer(), completed: Type.Integer(), failed: Type.Integer() }),
    metadata,
  },
  { $id: 'Batch', description: 'Times are Unix seconds.' },
)

export const batchListSchema = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(batchSchema),
  first_id: text,
  last_id: text,
  has_more: Type.Boolean(),
})

export const batchListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  after: Type.Optional(Type.String({ description: 'ID of the last batch of the previous page.' })),
})
