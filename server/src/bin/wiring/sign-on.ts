import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { publicOriginOf } from '#config/public-origin.ts'
import type { SignOnFlowDeps } from '#control/sign-on/sign-on-flow.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { connectionEndpoints } from '#http/sign-on/connection-endpoints.ts'
import { domainEndpoints } from '#http/sign-on/domain-endpoints.ts'
import { findSignOnEndpoint } from '#http/sign-on/find-sign-on-endpoint.ts'
import { groupEndpoints } from '#http/sign-on/group-endpoints.ts'
import { createAskTxt } from '#net/dns/ask-dns.ts'
import { createGuardedFetch } from '#net/sign-on/guarded-fetch.ts'
import { createFetchMetadata } from '#net/sign-on/fetch-metadata.ts'
import { createOidcClient } from '#net/sign-on/oidc-client.ts'
import { createSamlClient } from '#net/sign-on/saml-client.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createSignOnAttempts } from '#store/postgres/sign-on/attempts.sql.ts'
import { createSignOnIdentities } from '#store/postgres/sign-on/identities.sql.ts'
import { createSignOnStore } from '#store/postgres/sign-on/sign-on-store.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { Admission } from './admission.ts'
import type { WiredOutbound } from './outbound.ts'
import type { WiredOwnKeys } from './own-keys.ts'

/** Single sign-on of organizations. */
export interface WiredSignOn {
  endpoints: Endpoint[]
  flow: SignOnFlowDeps
}

const txtBytesMax = 65_536
// Documents of identity providers: discovery, keys, tokens and metadata.
const documentBytesMax = 1_048_576
const providerTimeoutMs = 5_000

export function wireSignOn(deps: {
  config: Config
  logger: Logger
  pools: PostgresPools
  outbound: WiredOutbound
  ownKeys: Pick<WiredOwnKeys, 'egress' | 'upstreams'>
  admission: Pick<Admission, 'announce'>
  nowMs: () => number
}): WiredSignOn {
  const { config, logger, nowMs } = deps
  const { outbound } = deps.outbound
  const { egress, upstreams } = deps.ownKeys
  const pool = deps.pools.general
  const store = createSignOnStore(pool, nowMs)
  const askTxt = createAskTxt(config.dns)
  const fetch = createGuardedFetch({ upstreams, outbound, timeoutMs: providerTimeoutMs, bytesMax: documentBytesMax })
  const sealingKey = sealingKeyOf(config)
  const publicOrigin = publicOriginOf(config.http)
  return {
    endpoints: [
      findSignOnEndpoint(store),
      ...domainEndpoints({
        store,
        resolveTxt: (name, account) => outbound.run({ account, bytesMax: txtBytesMax }, () => askTxt(name)),
      }),
      ...connectionEndpoints({ store, egress, sealingKey, publicOrigin, fetchMetadata: createFetchMetadata(fetch) }),
      ...groupEndpoints(store),
    ],
    flow: {
      store,
      attempts: createSignOnAttempts(pool),
      identities: createSignOnIdentities(pool),
      organizations: createOrganizations(pool),
      announce: deps.admission.announce,
      oidc: createOidcClient({ fetch, egress }),
      saml: createSamlClient(),
      sealingKey,
      publicOrigin,
      nowMs,
      onRefused: (connectionId, reason) => logger.info({ connectionId, reason }, 'a single sign-on was refused'),
    },
  }
}
