import { dueNotice } from '#domain/sign-on/certificate-notice.ts'
import { certificateEndsAtMs } from '#domain/sign-on/saml/certificate.ts'
import type { Log } from '#lib/log.ts'
import type { CertificateNotices, EndingConnection } from '#ports/sign-on.ts'
import type { Part } from '../part.ts'

export interface CertificateJobDeps {
  readonly notices: CertificateNotices
  /** The console's page for credit. The page for sign-on, which emails link to, is beside it. */
  readonly creditsUrl: string
  readonly log: Pick<Log, 'info'>
  readonly nowMs: () => number
}

const everyMs = 3_600_000
const connectionsAtOnce = 200

/** Tells administrators before the last certificate of their SAML provider ends. */
export function certificatePart(deps: CertificateJobDeps): Part {
  return {
    name: 'certificates',
    everyMs,
    run: async (signal) => {
      let told = 0
      let page = await deps.notices.list({ after: null, atMost: connectionsAtOnce })
      while (page.length > 0 && !signal.aborted) {
        for (const connection of page) told += Number(await tell(deps, connection))
        const isLast = page.length < connectionsAtOnce
        page = isLast ? [] : await deps.notices.list({ after: page.at(-1)?.id ?? null, atMost: connectionsAtOnce })
      }
      if (told > 0) deps.log.info({ told }, 'announced expiring SAML certificates')
    },
  }
}

/** While another certificate of the connection ends later, the successor is in place and no one needs to act. */
async function tell(
  { notices, creditsUrl, nowMs }: CertificateJobDeps,
  connection: EndingConnection,
): Promise<boolean> {
  const ends = connection.certificates.map((certificate) => ({
    certificate,
    endsAtMs: certificateEndsAtMs(certificate),
  }))
  const last = ends.toSorted((one, other) => one.endsAtMs - other.endsAtMs).at(-1)
  const days = last === undefined ? null : dueNotice({ endsAtMs: last.endsAtMs, nowMs: nowMs() })
  if (last === undefined || days === null) return false
  return notices.tell({ connection, days, ...last }, { creditsUrl, nowMs: nowMs() })
}
