import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createCodeDigests } from '#control/institutions/code-digests.ts'
import { createDeliverCode } from '#control/institutions/deliver-code.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { entryEndpoints } from '#http/institutions/entry-endpoints.ts'
import { institutionKeyEndpoints } from '#http/institutions/institution-key-endpoints.ts'
import { institutionSessionEndpoints } from '#http/institutions/institution-session-endpoints.ts'
import { createTurnstile } from '#lib/turnstile.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { SessionQuotas } from '#ports/session-quotas.ts'
import { createInstitutionBook } from '#store/postgres/institutions/institution-book.ts'
import { createInstitutionDoor } from '#store/postgres/institutions/institution-door.ts'
import { createSessionQuotas } from '#store/postgres/institutions/session-quotas.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { Admission } from './admission.ts'
import type { Metrics } from './metrics.ts'

export interface Institutions {
  endpoints: Endpoint[]
  sessionQuotas: SessionQuotas
  /** Lets codes that are on their way leave; what waits for a mail server is given up. */
  close(): Promise<void>
}

// Whoever floods the entry fills this line, and nobody else's connections to the mail server or to Postgres.
const deliveries = { atOnceMax: 8, waitingMax: 1_000, refusal: () => new Error('too many codes are on their way') }

/** The way in for people of institutions, and what their administrators manage. */
export function wireInstitutions(needs: {
  config: Config
  logger: Logger
  metrics: Metrics
  pools: PostgresPools
  admission: Admission
  auditTrail: AuditTrail
  mailer: Mailer
  nowMs: () => number
}): Institutions {
  const { config, logger, metrics, pools, admission, mailer, auditTrail: audit } = needs
  const door = createInstitutionDoor(pools.general)
  const digests = createCodeDigests(config.secret)
  const line = createTurnstile(deliveries)
  const closing = new AbortController()
  const deliver = createDeliverCode({
    door,
    digests,
    mailer,
    audit,
    onMailFailed: (error) => {
      metrics.codeMailsFailed.inc()
      logger.warn({ err: error }, 'a code could not be mailed')
    },
    wait: (ms) => wait(ms, undefined, { signal: closing.signal }),
  })
  // The answer is written before the turn of the event loop that begins the work.
  const afterwards = (work: () => Promise<void>): void => {
    line
      .run(() => turn().then(work))
      .catch((error: unknown) => logger.error({ err: error }, 'a code request was not seen to'))
  }
  const { announce } = admission
  const managed = { book: createInstitutionBook(pools.general, needs.nowMs), announce }
  return {
    endpoints: [
      ...entryEndpoints({ door, digests, audit, deliver, afterwards, announce }),
      ...institutionKeyEndpoints(managed),
      ...institutionSessionEndpoints(managed),
    ],
    sessionQuotas: createSessionQuotas(pools.general),
    close: () => {
      closing.abort()
      return line.idle()
    },
  }
}
