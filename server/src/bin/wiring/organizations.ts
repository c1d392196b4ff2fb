import type { Config } from '#config/config-schema.ts'
import type { FindUser } from '#control/organizations/add-member.ts'
import { createLimitTokenGuesses } from '#control/organizations/invitations/limit-guesses.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { importEndpoint } from '#http/organizations/import-endpoint.ts'
import { invitationEndpoints } from '#http/organizations/invitation-endpoints.ts'
import { organizationEndpoints } from '#http/organizations/organization-endpoints.ts'
import { ownInvitationEndpoints } from '#http/organizations/own-invitation-endpoints.ts'
import { createHourlyAllowance } from '#lib/hourly-allowance.ts'
import { createInvitations } from '#store/postgres/organizations/invitation-store.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { invitationPageOf } from '../invitation-page.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { Admission } from './admission.ts'

// An administrator who resends an invitation again and again must not flood a mailbox.
const mailsPerHour = 6

// Several people behind one address may open their links at the same moment.
const guessTolerance = 10

/** Organizations with their teams, members and invitations. */
export function wireOrganizationEndpoints(deps: {
  config: Config
  pools: PostgresPools
  admission: Admission
  findUser: FindUser
  nowMs: () => number
}): Endpoint[] {
  const { config, pools, admission, findUser, nowMs } = deps
  const mails = createHourlyAllowance({ perHour: mailsPerHour })
  const organizations = createOrganizations(pools.general, sealingKeyOf(config))
  const common = { organizations, announce: admission.announce }
  const invitationDeps = {
    ...common,
    invitations: createInvitations(pools.general),
    sendsMail: config.mail.url !== null,
    pageUrl: invitationPageOf(config),
    takeMail: mails.take,
  }
  const limitGuesses = createLimitTokenGuesses({
    failures: admission.failures,
    failuresMax: config.limits.signInFailures * guessTolerance,
    nowMs,
  })
  return [
    ...organizationEndpoints({ ...common, findUser, perPersonMax: config.limits.organizationsPerUser }),
    ...invitationEndpoints(invitationDeps),
    importEndpoint(invitationDeps),
    ...ownInvitationEndpoints({ ...invitationDeps, limitGuesses }),
  ]
}
