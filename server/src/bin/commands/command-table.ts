import { auditLedgerCommand } from './audit-ledger.ts'
import { auditLog } from './audit-log.ts'
import { autoDefaults } from './auto-defaults.ts'
import { autoDisable } from './auto-disable.ts'
import { autoEnable } from './auto-enable.ts'
import { autoList } from './auto-list.ts'
import { autoSet } from './auto-set.ts'
import { brakeOff } from './brake-off.ts'
import { brakeOn } from './brake-on.ts'
import { brakeStatus } from './brake-status.ts'
import { catalogueImport } from './catalogue-import.ts'
import { cataloguePrices } from './catalogue-prices.ts'
import type { Command } from './command.ts'
import { eventsList } from './events-list.ts'
import { evidenceList } from './evidence-list.ts'
import { evidenceShow } from './evidence-show.ts'
import { freeList } from './free-list.ts'
import { freeRemove } from './free-remove.ts'
import { freeSet } from './free-set.ts'
import { gateway } from './gateway.ts'
import { keyCidrs } from './key-cidrs.ts'
import { keyCreate } from './key-create.ts'
import { keyDisable } from './key-disable.ts'
import { keyEnable } from './key-enable.ts'
import { keyList } from './key-list.ts'
import { keyRevoke } from './key-revoke.ts'
import { migrateCommand } from './migrate.ts'
import { operatorKeyCreate } from './operator-key-create.ts'
import { operatorKeyList } from './operator-key-list.ts'
import { orgBilling } from './org-billing.ts'
import { orgCreate } from './org-create.ts'
import { orgList } from './org-list.ts'
import { orgMemberAdd } from './org-member-add.ts'
import { orgMemberList } from './org-member-list.ts'
import { orgMemberRemove } from './org-member-remove.ts'
import { orgSeats } from './org-seats.ts'
import { orgShow } from './org-show.ts'
import { orgSuspend } from './org-suspend.ts'
import { orgUnsuspend } from './org-unsuspend.ts'
import { providerAdd } from './provider-add.ts'
import { providerChange } from './provider-change.ts'
import { providerDisable } from './provider-disable.ts'
import { providerEnable } from './provider-enable.ts'
import { providerKey } from './provider-key.ts'
import { providerList } from './provider-list.ts'
import { routeAdd } from './route-add.ts'
import { routeList } from './route-list.ts'
import { routeRemove } from './route-remove.ts'
import { secretsRotate } from './secrets-rotate.ts'
import { userBreaker } from './user-breaker.ts'
import { userCreate } from './user-create.ts'
import { userPassword } from './user-password.ts'
import { userSuspend } from './user-suspend.ts'
import { userUnsuspend } from './user-unsuspend.ts'
import { userVerify } from './user-verify.ts'
import { walletCredit } from './wallet-credit.ts'
import { walletShow } from './wallet-show.ts'
import { webhooksList } from './webhooks-list.ts'
import { worker } from './worker.ts'

/** Every command, in the order of the help. */
export const commandTable = [
  gateway,
  worker,
  migrateCommand,
  catalogueImport,
  cataloguePrices,
  providerAdd,
  providerList,
  providerChange,
  providerKey,
  providerDisable,
  providerEnable,
  routeAdd,
  routeList,
  routeRemove,
  autoList,
  autoSet,
  autoEnable,
  autoDisable,
  autoDefaults,
  freeSet,
  freeList,
  freeRemove,
  secretsRotate,
  userCreate,
  userSuspend,
  userUnsuspend,
  userBreaker,
  userPassword,
  userVerify,
  orgCreate,
  orgList,
  orgShow,
  orgSuspend,
  orgUnsuspend,
  orgBilling,
  orgSeats,
  orgMemberAdd,
  orgMemberRemove,
  orgMemberList,
  walletCredit,
  walletShow,
  keyCreate,
  keyList,
  keyDisable,
  keyEnable,
  keyRevoke,
  keyCidrs,
  operatorKeyCreate,
  operatorKeyList,
  brakeOn,
  brakeOff,
  brakeStatus,
  auditLedgerCommand,
  auditLog,
  evidenceList,
  evidenceShow,
  webhooksList,
  eventsList,
] as const satisfies readonly Command[]
