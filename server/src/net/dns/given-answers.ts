import type { AskDns } from './ask-dns.ts'

/** Answers to use instead of DNS, if there are any. Each is valid for one query. */
export function givenAnswers(
  resolveHost: ((host: string) => Promise<readonly string[]>) | null,
  askDns: AskDns,
): AskDns {
  if (resolveHost === null) return askDns
  return async (host) => ({ addresses: await resolveHost(host), ttlMs: 0 })
}
