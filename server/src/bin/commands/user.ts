import { createUser } from '#control/operators/create-user.ts'
import { setBreaker, setPassword, suspendUser, vouchForAddress } from '#control/operators/operate-user.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import { commandActor, commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandOutput, UsageError } from '../command-line/command.ts'
import { parseOptionalAmount } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const userCommands: readonly Command[] = [
  {
    words: 'user create',
    summary: 'Create a user with a personal wallet.',
    positionals: ['email'],
    options: {
      name: { type: 'string', value: '<name>', description: 'Name of the user.' },
      grant: {
        type: 'string',
        value: '<usd>',
        description: 'Initial grant in USD, without fee or tax.',
      },
    },
    async run(input) {
      const amount = parseOptionalAmount(input.text('grant'))
      if (amount !== null && amount <= 0n) throw new UsageError('The grant must be greater than zero.')
      return withSession(async (session) => {
        const person = { email: input.argument(0), name: input.text('name') ?? '' }
        const user = await createUser(session.users, person, Date.now())
        const lines = [`user    ${user.id}`, `wallet  ${user.walletId}`]
        if (amount === null) return { lines, data: user }
        const credit = { reference: user.walletId, amount, source: 'grant', note: null } as const
        const balance = formatUsd((await creditWallet(session, credit, commandAuthor(Date.now()))).balance)
        return { lines: [...lines, `granted ${balance} USD`], data: { ...user, balance } }
      })
    },
  },
  {
    words: 'user suspend',
    summary: 'Suspend a user: all their keys are rejected with 403.',
    positionals: ['user'],
    run: (input) => suspend({ reference: input.argument(0), suspended: true }),
  },
  {
    words: 'user unsuspend',
    summary: 'Lift the suspension of a user.',
    positionals: ['user'],
    run: (input) => suspend({ reference: input.argument(0), suspended: false }),
  },
  {
    words: 'user breaker',
    summary: "Turn a user's spend breaker on or off and set its limits.",
    positionals: ['user', 'on|off'],
    options: {
      minute: {
        type: 'string',
        value: '<usd>',
        description: "Limit per minute in USD. Default: the platform's limit.",
      },
      hour: {
        type: 'string',
        value: '<usd>',
        description: "Limit per hour in USD. Default: the platform's limit.",
      },
    },
    async run(input) {
      const state = input.argument(1)
      if (state !== 'on' && state !== 'off') throw new UsageError('Specify on or off.')
      const breaker = {
        enabled: state === 'on',
        minute: parseOptionalAmount(input.text('minute')),
        hour: parseOptionalAmount(input.text('hour')),
      }
      return withSession(async (session) => {
        const user = await setBreaker(session, { reference: input.argument(0), breaker }, commandActor())
        const limits = { minute: shown(breaker.minute), hour: shown(breaker.hour) }
        const lines = [`${user.email}: breaker ${state}, minute ${limits.minute}, hour ${limits.hour}`]
        return { lines, data: { id: user.id, enabled: breaker.enabled, ...limits } }
      })
    },
  },
  {
    words: 'user password',
    summary: 'Set a new password for a user, show it once, and end all sessions.',
    positionals: ['user'],
    options: {
      'drop-second-factor': {
        type: 'boolean',
        description: 'Also remove the second factor, for a user who lost the device.',
      },
    },
    run: (input) =>
      withSession(async ({ users, pool }) => {
        const accounts = createPersonAccounts(pool, Date.now)
        const change = { reference: input.argument(0), dropSecondFactor: input.flag('drop-second-factor') }
        const { user, password } = await setPassword({ users, accounts }, change, commandActor())
        return { lines: [`user      ${user.email}`, `password  ${password}`], data: { id: user.id, password } }
      }),
  },
  {
    words: 'user verify',
    summary: "Mark a user's email address as verified.",
    positionals: ['user'],
    run: (input) =>
      withSession(async ({ users, pool }) => {
        const accounts = createPersonAccounts(pool, Date.now)
        const user = await vouchForAddress({ users, accounts }, input.argument(0), commandActor())
        return { lines: [`${user.email} is now verified`], data: { id: user.id } }
      }),
  },
]

function suspend(change: { reference: string; suspended: boolean }): Promise<CommandOutput> {
  return withSession(async (session) => {
    const { id, email, suspended } = await suspendUser(session, change, commandAuthor(Date.now()))
    return { lines: [`${email} is ${suspended ? 'suspended' : 'no longer suspended'}`], data: { id, suspended } }
  })
}

function shown(limit: NanoUsd | null): string {
  return limit === null ? 'default' : formatUsd(limit)
}
