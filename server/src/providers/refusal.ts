import type { ErrorName } from '#errors/catalogue.ts'
import type { RefusedField } from './refused-field.ts'

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The consequence of an upstream's rejection for the request. */
export interface UpstreamRefusal {
  /** `retry`: this upstream may still succeed; `fail-over`: only another upstream can; `give-up`: none will. */
  readonly action: 'retry' | 'fail-over' | 'give-up'
  readonly errorName: ErrorName
  /** Message for the client. It quotes the upstream only about the client's own request. */
  readonly message: string
  /** For our log: the upstream's own message. */
  readonly inside: string
  readonly retryAfterMs: number | null
  readonly status: number
  /**
   * The failure says nothing about other requests: the request is too big, or only the message explains the rejection,
   * and it may quote a client.
   */
  readonly concernsRequestOnly?: true | undefined
  /** The field that the upstream does not know. */
  readonly refusedField?: RefusedField | undefined
}
