import { placeWaiting } from '#control/provisioning/place-waiting.ts'
import type { ProvisioningDeps } from '#control/provisioning/change-provisioned.ts'
import type { Part } from './part.ts'

const everyMs = 5_000
const organizationsAtOnce = 20
// One large group must not keep other organizations waiting.
const batchesEach = 10

/** Places members whom a request of their directory left, because they were many or because its gateway died. */
export function placementPart(deps: ProvisioningDeps): Part {
  return {
    name: 'placements',
    everyMs,
    run: async (signal) => {
      const organizations = await deps.provisioning.listUnplaced(organizationsAtOnce)
      let isMore = organizations.length >= organizationsAtOnce
      for (const organizationId of organizations) {
        if (signal.aborted) return false
        if (await placeWaiting(deps, { organizationId, batches: batchesEach })) isMore = true
      }
      return isMore
    },
  }
}
