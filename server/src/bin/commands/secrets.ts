import { platformEntry } from '#control/operators/platform-entry.ts'
import { rotateSecrets } from '#control/operators/rotate-secrets.ts'
import { createSealedSecrets } from '#store/postgres/secrets/sealed-secrets.ts'
import { rotateSecondFactors } from '#store/sign-in/rotate-second-factors.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import type { Command } from '../command-line/command.ts'
import { withSession } from '../command-line/session.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { signInSecret } from '../sign-in-secret.ts'

const shownMax = 20

export const secretsCommands: readonly Command[] = [
  {
    words: 'secrets rotate',
    summary: 'Re-encrypt all encrypted values with WEIR_SECRET. Safe to interrupt and rerun.',
    run: () =>
      withSession(async ({ pool, config }) => {
        const deps = { secrets: createSealedSecrets(pool), sealingKey: sealingKeyOf(config) }
        const author = commandAuthor(Date.now())
        const secrets = { current: signInSecret(config.secret), previous: config.previousSecrets.map(signInSecret) }
        const secondFactors = await rotateSecondFactors(pool, secrets, (count) =>
          platformEntry(author, {
            action: 'secrets.rotate',
            target: null,
            details: { place: 'auth_two_factors', count },
          }),
        )
        const places = [...(await rotateSecrets(deps, author)), { place: 'auth_two_factors', ...secondFactors }]
        const lines = places.flatMap(({ place, rotated, unreadable }) => [
          `${place}: ${rotated} re-encrypted`,
          ...unreadable.slice(0, shownMax).map((id) => `${place}: no configured secret decrypts ${id}`),
          ...(unreadable.length > shownMax ? [`${place}: and ${unreadable.length - shownMax} more`] : []),
        ])
        const isWhole = places.every(({ unreadable }) => unreadable.length === 0)
        return { lines, data: places.map((place) => ({ ...place })), exitCode: isWhole ? 0 : 3 }
      }),
  },
]
