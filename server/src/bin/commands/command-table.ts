import type { Command } from '../command-line/command.ts'

/** The commands of one or two files, by their first words. */
interface CommandGroup {
  readonly words: readonly string[]
  readonly load: () => Promise<readonly Command[]>
}

/**
 * In the order of the help. A group is loaded when its word is typed: loading all groups takes longer than running any
 * command, and the kill switch is one of them.
 */
const commandGroups: readonly CommandGroup[] = [
  {
    words: ['gateway', 'worker', 'dev', 'migrate'],
    load: async () => (await import('./deployment.ts')).deploymentCommands,
  },
  { words: ['status'], load: async () => (await import('./status.ts')).statusCommands },
  { words: ['doctor'], load: async () => (await import('./doctor.ts')).doctorCommands },
  { words: ['config'], load: async () => (await import('./config.ts')).configCommands },
  {
    words: ['catalogue'],
    load: async () => [
      ...(await import('./catalogue-list.ts')).catalogueListCommands,
      ...(await import('./catalogue-import.ts')).catalogueImportCommands,
      ...(await import('./catalogue.ts')).catalogueCommands,
    ],
  },
  {
    words: ['provider'],
    load: async () => [
      ...(await import('./provider.ts')).providerCommands,
      ...(await import('./provider-test.ts')).providerTestCommands,
      ...(await import('./provider-traits.ts')).providerTraitCommands,
    ],
  },
  {
    words: ['route'],
    load: async () => [
      ...(await import('./route.ts')).routeCommands,
      ...(await import('./route-explain.ts')).routeExplainCommands,
    ],
  },
  { words: ['auto'], load: async () => (await import('./auto.ts')).autoCommands },
  { words: ['free'], load: async () => (await import('./free.ts')).freeCommands },
  { words: ['secrets'], load: async () => (await import('./secrets.ts')).secretsCommands },
  { words: ['user'], load: async () => (await import('./user.ts')).userCommands },
  {
    words: ['org'],
    load: async () => [
      ...(await import('./org.ts')).orgCommands,
      ...(await import('./org-member.ts')).orgMemberCommands,
      ...(await import('./org-apply.ts')).orgApplyCommands,
    ],
  },
  { words: ['customer'], load: async () => (await import('./customers/customer.ts')).customerCommands },
  {
    words: ['wallet'],
    load: async () => [
      ...(await import('./wallet.ts')).walletCommands,
      ...(await import('./customers/statement.ts')).statementCommands,
    ],
  },
  { words: ['key'], load: async () => (await import('./key.ts')).keyCommands },
  {
    words: ['operator'],
    load: async () => [
      ...(await import('./operators/operator.ts')).operatorCommands,
      ...(await import('./operators/operator-key.ts')).operatorKeyCommands,
    ],
  },
  { words: ['brake'], load: async () => (await import('./brake.ts')).brakeCommands },
  {
    words: ['request', 'requests'],
    load: async () => [
      ...(await import('./customers/request.ts')).requestCommands,
      ...(await import('./customers/requests.ts')).requestListCommands,
    ],
  },
  { words: ['earnings'], load: async () => (await import('./earnings.ts')).earningsCommands },
  { words: ['month'], load: async () => (await import('./month.ts')).monthCommands },
  {
    words: ['audit'],
    load: async () => [
      ...(await import('./audit.ts')).auditCommands,
      ...(await import('./audit-list.ts')).auditListCommands,
    ],
  },
  { words: ['evidence'], load: async () => (await import('./customers/evidence.ts')).evidenceCommands },
  { words: ['webhooks', 'mail'], load: async () => (await import('./deliveries.ts')).deliveryCommands },
  { words: ['events'], load: async () => (await import('./events.ts')).eventsCommands },
]

/** Loads the commands that start with this word. Returns none if no command does. */
export async function loadCommands(word: string | undefined): Promise<readonly Command[]> {
  const group = commandGroups.find(({ words }) => word !== undefined && words.includes(word))
  const commands = (await group?.load()) ?? []
  return commands.filter(({ words }) => words.split(' ')[0] === word)
}

/** Loads every command, for the help. */
export async function loadEveryCommand(): Promise<readonly Command[]> {
  return (await Promise.all(commandGroups.map(({ load }) => load()))).flat()
}
