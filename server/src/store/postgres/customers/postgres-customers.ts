import type { Pool } from 'pg'
import type { Customers } from '#ports/customers.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { findCustomer } from './find-customer.sql.ts'
import { listCustomers } from './list-customers.sql.ts'
import { nameObjects } from './name-objects.sql.ts'
import { nameWallets } from './name-wallets.sql.ts'
import { addNote, removeNote } from './notes.sql.ts'

/** Customers and the operators' notes about them, from Postgres. */
export function createCustomers(pool: Pool): Customers {
  return {
    list: (query) => refuseWhenAway(listCustomers(pool, query)),
    find: (walletId) =>
      refuseWhenAway(inTransaction(pool, 'REPEATABLE READ, READ ONLY', (client) => findCustomer(client, walletId))),
    nameWallets: (walletIds) => refuseWhenAway(nameWallets(pool, walletIds)),
    nameObjects: (ids) => refuseWhenAway(nameObjects(pool, ids)),
    addNote: (note, entry) => refuseWhenAway(addNote(pool, note, entry)),
    removeNote: (note, entry) => refuseWhenAway(removeNote(pool, note, entry)),
  }
}
