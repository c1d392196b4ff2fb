import type { Command } from '../command-line/command.ts'
import { auditCommands } from './audit.ts'
import { autoCommands } from './auto.ts'
import { brakeCommands } from './brake.ts'
import { catalogueCommands } from './catalogue.ts'
import { deploymentCommands } from './deployment.ts'
import { eventsCommands } from './events.ts'
import { evidenceCommands } from './evidence.ts'
import { freeCommands } from './free.ts'
import { keyCommands } from './key.ts'
import { operatorKeyCommands } from './operator-key.ts'
import { orgMemberCommands } from './org-member.ts'
import { orgCommands } from './org.ts'
import { providerCommands } from './provider.ts'
import { providerTraitCommands } from './provider-traits.ts'
import { routeCommands } from './route.ts'
import { secretsCommands } from './secrets.ts'
import { userCommands } from './user.ts'
import { walletCommands } from './wallet.ts'
import { webhooksCommands } from './webhooks.ts'

/** Every command, in the order of the help. */
export const commandTable: readonly Command[] = [
  ...deploymentCommands,
  ...catalogueCommands,
  ...providerCommands,
  ...providerTraitCommands,
  ...routeCommands,
  ...autoCommands,
  ...freeCommands,
  ...secretsCommands,
  ...userCommands,
  ...orgCommands,
  ...orgMemberCommands,
  ...walletCommands,
  ...keyCommands,
  ...operatorKeyCommands,
  ...brakeCommands,
  ...auditCommands,
  ...evidenceCommands,
  ...webhooksCommands,
  ...eventsCommands,
]
