import { setBreaker } from '#control/operators/set-breaker.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { type Command, UsageError } from './command.ts'
import { parseOptionalAmount } from './parse-amount.ts'
import { withSession } from './session.ts'

export const userBreaker: Command = {
  words: 'user breaker',
  summary: "Switch a user's spend breaker on, with its limits, or off.",
  positionals: ['user', 'on|off'],
  options: {
    minute: {
      type: 'string',
      value: '<usd>',
      description: "Most that may be spent in a minute; the platform's default if not given.",
    },
    hour: {
      type: 'string',
      value: '<usd>',
      description: "Most that may be spent in an hour; the platform's default if not given.",
    },
  },
  async run(input) {
    const state = input.argument(1)
    if (state !== 'on' && state !== 'off') throw new UsageError('Say on or off.')
    const breaker = {
      enabled: state === 'on',
      minute: parseOptionalAmount(input.text('minute')),
      hour: parseOptionalAmount(input.text('hour')),
    }
    return withSession(async (session) => {
      const user = await setBreaker(session, { reference: input.argument(0), breaker })
      const limits = { minute: shown(breaker.minute), hour: shown(breaker.hour) }
      const lines = [`${user.email}: breaker ${state}, minute ${limits.minute}, hour ${limits.hour}`]
      return { lines, data: { id: user.id, enabled: breaker.enabled, ...limits } }
    })
  },
}

function shown(limit: NanoUsd | null): string {
  return limit === null ? 'default' : formatUsd(limit)
}
