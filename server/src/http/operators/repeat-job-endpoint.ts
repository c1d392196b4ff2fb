import { Type } from 'typebox'
import { repeatJob } from '#control/operators/repeat-job.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { malformed } from '#errors/malformed.ts'
import { type JobRepeats, repeatableKinds } from '#ports/job-repeats.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'

/** Has a worker attempt failed work at once. */
export function repeatJobEndpoint(repeats: JobRepeats): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.jobs',
    name: 'repeatJob',
    method: 'POST',
    paths: ['/api/admin/jobs/repeat'],
    summary: 'Repeat failed work of workers',
    description:
      'A worker sends the failed webhook delivery, email or events of a sink again at once, with the same content and ID. An email that was given up cannot be repeated, because its text is deleted.',
    body: Type.Object({
      kind: Type.Enum([...repeatableKinds]),
      id: Type.String({ description: 'ID of the webhook delivery or the email, or the name of the event sink.' }),
    }),
    reply: { status: 204, description: 'The work is due.', schema: Type.Null() },
    errors: ['missingRequiredField', 'notFound', 'conflict'],
    handle: async (request) => {
      const reader = createFieldReader(request.body)
      const named = reader.requiredText('kind')
      const kind = repeatableKinds.find((each) => each === named)
      if (kind === undefined) throw malformed(`kind must be one of ${repeatableKinds.join(', ')}.`)
      await repeatJob(repeats, { kind, id: reader.requiredText('id') }, changeAuthorOf(request))
      return { status: 204 }
    },
  }
}
