import { Type } from 'typebox'
import { customerNameSchema } from '../customers/customer-schema.ts'
import { optionalText } from '../schema-types.ts'

const at = Type.String({ format: 'date-time' })
const lastError = optionalText('The newest failure. Null if there was none.')

const queue = Type.Object(
  {
    states: Type.Array(Type.Object({ state: Type.String(), count: Type.Integer() })),
    oldest_at: optionalText('When the oldest waiting work was created. Null if nothing waits.'),
  },
  { $id: 'JobQueue' },
)

const video = Type.Object({
  id: Type.String(),
  customer: customerNameSchema,
  model: Type.String(),
  state: Type.String(),
  created_at: at,
  deadline_at: at,
  last_error: lastError,
})

const webhook = Type.Object({
  id: Type.String({ format: 'uuid' }),
  customer: customerNameSchema,
  job: optionalText('ID of the video job. Null if the webhook reports an alert.'),
  url: Type.String(),
  tries: Type.Integer(),
  created_at: at,
  next_try_at: optionalText('Time of the next attempt. Null if there is none.'),
  last_error: lastError,
})

const mail = Type.Object({
  id: Type.String({ format: 'uuid' }),
  class: Type.String(),
  to: optionalText('The address. Null if addresses of this class are not kept.'),
  subject: Type.String(),
  attempts: Type.Integer(),
  created_at: at,
  next_attempt_at: optionalText('Time of the next attempt. Null if there is none.'),
  last_error: lastError,
})

const sink = Type.Object({
  name: Type.String(),
  waiting: Type.Integer(),
  waiting_is_more: Type.Boolean({ description: 'Whether more events wait than were counted.' }),
  waiting_since: optionalText('When the oldest waiting event was settled.'),
  last_sent_at: optionalText('When events were last sent.'),
  failing_since: optionalText('Since when the sink fails. Null if it does not.'),
  next_try_at: optionalText('Time of the next attempt.'),
  last_error: lastError,
})

export const jobsSchema = Type.Object({
  data: Type.Object(
    {
      videos: queue,
      webhooks: queue,
      mails: queue,
      running_videos: Type.Array(video, { description: 'Videos in progress, the oldest first.' }),
      failed_webhooks: Type.Array(webhook, { description: 'Undelivered webhooks that failed, the newest first.' }),
      failed_mails: Type.Array(mail, { description: 'Emails with an error, the newest first.' }),
      sinks: Type.Array(sink),
    },
    { $id: 'WorkerJobs' },
  ),
})
