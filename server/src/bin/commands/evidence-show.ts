import { operatorAuthor } from '#control/operators/operator-author.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Evidence } from '#ports/evidence-book.ts'
import { createEvidenceBook } from '#store/postgres/moderation/evidence-book.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { Command } from './command.ts'
import { describeEvidence } from './describe-evidence.ts'
import { withSession } from './session.ts'

export const evidenceShow: Command = {
  words: 'evidence show',
  summary: 'Show a blocked prompt with its text. That it was looked at goes into the audit log.',
  positionals: ['evidence-id'],
  run: (input) =>
    withSession(async ({ pool, config }) => {
      const id = input.argument(0)
      const book = createEvidenceBook(pool, sealingKeyOf(config))
      const { actor, requestId, nowMs } = operatorAuthor(Date.now())
      const evidence = isUuid(id) ? await book.open(id, { actor, requestId }, nowMs) : null
      if (evidence === null) throw new GatewayError('notFound', { message: `There is no evidence ${id}.` })
      const listing = describeEvidence(evidence)
      const facts = Object.entries(listing).map(([name, value]) => `${name.padEnd(14)}${String(value ?? '')}`.trimEnd())
      const data = {
        ...listing,
        partial: evidence.content.isPartial,
        parts: evidence.content.parts.map((part) => ({ ...part })),
      }
      return { lines: [...facts, ...textLines(evidence)], data }
    }),
}

function textLines({ content }: Evidence): string[] {
  const parts = content.parts.flatMap(({ text, start, content: words }) => [
    '',
    `--- text ${text + 1}${start === 0 ? '' : `, from character ${start + 1}`}`,
    showable(words),
  ])
  return content.isPartial ? [...parts, '', '--- the rest was too long to be kept'] : parts
}

// Somebody else wrote this: it must not move the cursor or speak to the terminal in other ways.
function showable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
