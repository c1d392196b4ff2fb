import { randomBytes } from 'node:crypto'
import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { parseDomain, verificationName } from '#domain/sign-on/domain-name.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { OrganizationDomain, ResolveTxt, SignOnStore } from '#ports/sign-on.ts'
import { readOwn } from './read-own.ts'

const domainsMax = 50

interface DomainDeps {
  readonly store: Pick<SignOnStore, 'change' | 'listDomains'>
  readonly resolveTxt: ResolveTxt
}

/** Claims a domain. It has no effect until the organization has verified it. */
export async function addDomain(
  { store }: Pick<DomainDeps, 'store'>,
  request: { organizationId: Uuid; domain: string; stamp: AuditStamp; nowMs: number },
): Promise<OrganizationDomain> {
  const domain = parseDomain(request.domain)
  if (domain === null) throw malformed('domain must be a domain name such as example.com.')
  return store.change(request.organizationId, async (open) => {
    const domains = await open.listDomains()
    if (domains.some((each) => each.domain === domain)) {
      throw new GatewayError('conflict', { message: `${domain} is already listed.` })
    }
    if (domains.length >= domainsMax) throw malformed(`An organization can have at most ${domainsMax} domains.`)
    const id = newUuid(request.nowMs)
    await open.insertDomain({ id, domain, token: `weir-${randomBytes(20).toString('hex')}` })
    await open.append({ ...request.stamp, action: 'sign_on.domain.add', target: targetOf(id), after: { domain } })
    return readOwn(await open.listDomains(), id, 'Domain')
  })
}

/** Looks for the domain's token in DNS. Only then does the answer tell whether another organization has verified it. */
export async function verifyDomain(
  { store, resolveTxt }: DomainDeps,
  request: { organizationId: Uuid; id: Uuid; stamp: AuditStamp },
): Promise<OrganizationDomain> {
  const { organizationId, id } = request
  const claimed = readOwn(await store.listDomains(organizationId), id, 'Domain')
  const { domain, token } = claimed
  if (claimed.verifiedAtMs !== null) return claimed
  const name = verificationName(domain)
  const values = await resolveTxt(name, organizationId).catch((cause: unknown) => {
    if (cause instanceof GatewayError) throw cause
    throw new GatewayError('conflict', { message: `DNS did not answer for ${name}. Retry in a few minutes.`, cause })
  })
  if (!values.includes(token)) {
    const message = `No TXT record at ${name} has the value ${token}. A new record can take an hour to appear.`
    throw new GatewayError('conflict', { message })
  }
  return store.change(organizationId, async (open) => {
    readOwn(await open.listDomains(), id, 'Domain')
    if (!(await open.verifyDomain(id))) {
      throw new GatewayError('conflict', { message: `Another organization has verified ${domain}.` })
    }
    await open.append({ ...request.stamp, action: 'sign_on.domain.verify', target: targetOf(id), after: { domain } })
    return readOwn(await open.listDomains(), id, 'Domain')
  })
}

/** Addresses of the domain can no longer sign in through the organization. Members stay. */
export async function deleteDomain(
  { store }: Pick<DomainDeps, 'store'>,
  request: { organizationId: Uuid; id: Uuid; stamp: AuditStamp },
): Promise<void> {
  const { organizationId, id, stamp } = request
  await store.change(organizationId, async (open) => {
    const { domain } = readOwn(await open.listDomains(), id, 'Domain')
    await open.deleteDomain(id)
    await open.append({ ...stamp, action: 'sign_on.domain.remove', target: targetOf(id), before: { domain } })
  })
}

function targetOf(id: Uuid): { kind: string; id: string } {
  return { kind: 'domain', id }
}
