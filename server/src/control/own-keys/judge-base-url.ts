import { malformed } from '#errors/malformed.ts'
import type { Egress } from '#ports/outbound.ts'

/** Refuses an address that is not of the public internet, by its text or by what its name resolves to. */
export async function judgeBaseUrl(egress: Egress, baseUrl: string, account: string): Promise<void> {
  const verdict = await egress.judge(baseUrl, account)
  if (!verdict.allowed) throw malformed(`baseUrl ${verdict.message}`)
  if (verdict.url.search !== '' || verdict.url.hash !== '' || /[?#]/.test(baseUrl)) {
    throw malformed('baseUrl must have no query and no fragment.')
  }
}
