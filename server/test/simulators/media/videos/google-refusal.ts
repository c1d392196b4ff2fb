import type { MediaAnswer } from '#test/simulators/start-media-upstream.ts'
import { type RefusalKind, refusalStatus } from './video-shape.ts'

const statusNames: Readonly<Record<RefusalKind, string>> = {
  failing: 'UNAVAILABLE',
  limited: 'RESOURCE_EXHAUSTED',
  invalid: 'INVALID_ARGUMENT',
  missing: 'NOT_FOUND',
  unauthorized: 'UNAUTHENTICATED',
}

/** The error responses of both Google hosts. */
export function googleRefusal(why: RefusalKind): MediaAnswer {
  const error = { code: refusalStatus[why], message: `Google refuses: ${why}`, status: statusNames[why] }
  return { status: refusalStatus[why], body: { error } }
}
