import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createDeliverCode } from '#control/institutions/deliver-code.ts'
import { createDeliveryLine } from '#control/institutions/delivery-line.ts'
import { createCodeDigests } from '#control/institutions/read-entry.ts'
import type { PostMail } from '#control/mail/post-mail.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { entryEndpoints } from '#http/institutions/entry-endpoints.ts'
import { institutionKeyEndpoints } from '#http/institutions/institution-key-endpoints.ts'
import { institutionSessionEndpoints } from '#http/institutions/institution-session-endpoints.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { SessionQuotas } from '#ports/institutions.ts'
import { createInstitutionStore } from '#store/postgres/institutions/institution-store.ts'
import { createCodeStore } from '#store/postgres/institutions/code-store.ts'
import { createSessionQuotas } from '#store/postgres/institutions/session-quotas.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import type { Admission } from './admission.ts'

export interface Institutions {
  endpoints: Endpoint[]
  sessionQuotas: SessionQuotas
  /** Finishes codes that are being sent. */
  close(): Promise<void>
}

/** Sign-in for people of institutions, and management for their administrators. */
export function wireInstitutions(deps: {
  config: Config
  logger: Logger
  pools: PostgresPools
  admission: Admission
  auditTrail: AuditTrail
  post: PostMail
  nowMs: () => number
}): Institutions {
  const { config, logger, pools, admission, post, auditTrail: audit } = deps
  const codes = createCodeStore(pools.general)
  const digests = createCodeDigests(config.secret)
  const { afterwards, idle } = createDeliveryLine({
    onError: (error) => logger.error({ err: error }, 'failed to process a code request'),
  })
  const deliver = createDeliverCode({ codes, digests, post, audit })
  const { announce } = admission
  const managed = { store: createInstitutionStore(pools.general, deps.nowMs), announce }
  return {
    endpoints: [
      ...entryEndpoints({ codes, digests, audit, deliver, afterwards, announce, sendsMail: config.mail.url !== null }),
      ...institutionKeyEndpoints(managed),
      ...institutionSessionEndpoints(managed),
    ],
    sessionQuotas: createSessionQuotas(pools.general),
    close: idle,
  }
}
