import type { Pool } from 'pg'
import type { BillingDocuments, BillingProfiles } from '#ports/billing.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { findAnyDocument, findDocument, listDocuments } from './documents.sql.ts'
import { findProfile, putProfile } from './profiles.sql.ts'

interface Billing {
  readonly profiles: BillingProfiles
  readonly documents: BillingDocuments
}

/** Billing profiles and documents, on Postgres. Clients get 503 while it is unavailable. */
export function createBilling(pool: Pool): Billing {
  return {
    profiles: {
      find: (walletId) => refuseWhenAway(findProfile(pool, walletId)),
      put: (walletId, profile, entry) =>
        refuseWhenAway(
          inTransaction(pool, 'READ COMMITTED', async (client) => {
            await putProfile(client, walletId, profile)
            await appendAudit(client, [entry], Date.now())
          }),
        ),
    },
    documents: {
      find: (walletId, number) => refuseWhenAway(findDocument(pool, walletId, number)),
      findAny: (number) => refuseWhenAway(findAnyDocument(pool, number)),
      list: (query) => refuseWhenAway(listDocuments(pool, query)),
    },
  }
}
