import { addOperator, changeOperator, removeOperator } from '#control/operators/operator-people.ts'
import { operatorRoles } from '#domain/access/operator-roles.ts'
import type { OperatorPerson } from '#ports/operator-people.ts'
import { createOperatorPeople } from '#store/postgres/operators/operator-people.ts'
import { commandAuthor } from '../../command-line/command-author.ts'
import { type Command, UsageError } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { withSession } from '../../command-line/session.ts'

const role = { type: 'string', value: '<role>', description: `One of ${operatorRoles.join(', ')}. Required.` } as const

export const operatorCommands: readonly Command[] = [
  {
    words: 'operator add',
    summary: 'Make a person an operator of the platform. The person needs an account with a verified email address.',
    positionals: ['email'],
    options: { role },
    run: (input) => {
      const wanted = { email: input.argument(0), role: required(input.text('role')) }
      return withSession(async ({ pool, users }) => {
        const people = createOperatorPeople(pool)
        const operator = await addOperator({ people, users }, wanted, commandAuthor(Date.now()))
        const hint = operator.hasSecondFactor ? [] : ['The account needs a second factor before it can operate.']
        return { lines: [`${operator.email} is now an operator (${operator.role})`, ...hint], data: json(operator) }
      })
    },
  },
  {
    words: 'operator list',
    summary: 'List the people who operate the platform.',
    run: () =>
      withSession(async ({ pool }) => {
        const people = await createOperatorPeople(pool).list()
        const rows = people.map(({ email, name, role, suspended, hasSecondFactor }) => [
          email,
          name,
          role,
          suspended ? 'suspended' : hasSecondFactor ? 'active' : 'no second factor',
        ])
        return { lines: formatTable(['EMAIL', 'NAME', 'ROLE', 'STATE'], rows), data: people.map(json) }
      }),
  },
  {
    words: 'operator change',
    summary: 'Change the role of an operator.',
    positionals: ['operator'],
    options: { role },
    run: (input) => {
      const change = { reference: input.argument(0), role: required(input.text('role')) }
      return withSession(async ({ pool }) => {
        const operator = await changeOperator(createOperatorPeople(pool), change, commandAuthor(Date.now()))
        return { lines: [`${operator.email} has the role ${operator.role}`], data: json(operator) }
      })
    },
  },
  {
    words: 'operator remove',
    summary: 'Remove an operator. The person keeps the account.',
    positionals: ['operator'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const people = createOperatorPeople(pool)
        const operator = await removeOperator(people, input.argument(0), commandAuthor(Date.now()))
        return { lines: [`${operator.email} is no longer an operator`], data: json(operator) }
      }),
  },
]

function required(role: string | undefined): string {
  if (role === undefined) throw new UsageError('--role is required.')
  return role
}

function json({ addedAtMs, ...operator }: OperatorPerson) {
  return { ...operator, addedAt: new Date(addedAtMs).toISOString() }
}
