import { GatewayError } from '#errors/gateway-error.ts'
import { unreachable } from '#lib/unreachable.ts'
import { isUuid } from '#lib/uuid.ts'
import type { FailedWork, JobRepeats, RepeatableKind } from '#ports/job-repeats.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { platformEntry } from './platform-entry.ts'

const names: Readonly<Record<RepeatableKind, string>> = {
  webhook: 'Webhook delivery',
  mail: 'Email',
  sink: 'Event sink',
}

/**
 * Has a worker repeat a failed webhook delivery, email or event sink at once. Nothing else is sent than before: the
 * receiver recognizes a webhook by its `X-Webhook-Id`, an email by its `Message-ID` and an event by its ID.
 */
export async function repeatJob(repeats: JobRepeats, { kind, id }: FailedWork, author: ChangeAuthor): Promise<void> {
  const name = names[kind]
  const entry = platformEntry(author, { action: `${kind}.repeat`, target: { kind, id } })
  // Only sinks have a name as their ID.
  const isId = kind === 'sink' || isUuid(id)
  const outcome = isId ? await repeats.repeat({ kind, id }, entry, author.nowMs) : 'not_found'
  switch (outcome) {
    case 'repeated':
      return
    case 'not_found':
      throw new GatewayError('notFound', { message: `${name} ${id} not found.` })
    case 'not_failed':
      throw new GatewayError('conflict', { message: `${name} ${id} has not failed, so it is not repeated.` })
    case 'text_deleted':
      throw new GatewayError('conflict', {
        message: `Email ${id} was given up and its text deleted, so it cannot be repeated.`,
      })
    default:
      return unreachable(outcome)
  }
}
