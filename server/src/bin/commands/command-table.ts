import { auditLedgerCommand } from './audit-ledger.ts'
import { brakeOff } from './brake-off.ts'
import { brakeOn } from './brake-on.ts'
import { brakeStatus } from './brake-status.ts'
import { catalogueImport } from './catalogue-import.ts'
import type { Command } from './command.ts'
import { gateway } from './gateway.ts'
import { keyCidrs } from './key-cidrs.ts'
import { keyCreate } from './key-create.ts'
import { keyDisable } from './key-disable.ts'
import { keyEnable } from './key-enable.ts'
import { keyList } from './key-list.ts'
import { keyRevoke } from './key-revoke.ts'
import { migrateCommand } from './migrate.ts'
import { providerAdd } from './provider-add.ts'
import { providerDisable } from './provider-disable.ts'
import { providerEnable } from './provider-enable.ts'
import { providerList } from './provider-list.ts'
import { routeAdd } from './route-add.ts'
import { routeList } from './route-list.ts'
import { routeRemove } from './route-remove.ts'
import { userBreaker } from './user-breaker.ts'
import { userCreate } from './user-create.ts'
import { userSuspend } from './user-suspend.ts'
import { userUnsuspend } from './user-unsuspend.ts'
import { walletCredit } from './wallet-credit.ts'
import { walletShow } from './wallet-show.ts'
import { worker } from './worker.ts'

/** Every command, in the order of the help. */
export const commandTable = [
  gateway,
  worker,
  migrateCommand,
  catalogueImport,
  providerAdd,
  providerList,
  providerDisable,
  providerEnable,
  routeAdd,
  routeList,
  routeRemove,
  userCreate,
  userSuspend,
  userUnsuspend,
  userBreaker,
  walletCredit,
  walletShow,
  keyCreate,
  keyList,
  keyDisable,
  keyEnable,
  keyRevoke,
  keyCidrs,
  brakeOn,
  brakeOff,
  brakeStatus,
  auditLedgerCommand,
] as const satisfies readonly Command[]
