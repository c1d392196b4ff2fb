import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Evidence, EvidenceListing } from '#ports/moderation.ts'
import { createEvidenceStore } from '#store/postgres/moderation/evidence-store.ts'
import { commandAuthor } from '../../command-line/command-author.ts'
import { type Command, UsageError } from '../../command-line/command.ts'
import { formatTable } from '../../command-line/format-table.ts'
import { readListLimit } from '../../command-line/read-values.ts'
import { withSession } from '../../command-line/session.ts'
import { sealingKeyOf } from '../../sealing-key.ts'

export const evidenceCommands: readonly Command[] = [
  {
    words: 'evidence list',
    summary: 'List prompts blocked by moderation, newest first, without their text.',
    options: {
      key: { type: 'string', value: '<key-id>', description: 'Only prompts sent with this key.' },
      limit: { type: 'string', value: '<count>', description: 'Maximum number of rows. Default 100.' },
    },
    async run(input) {
      const keyId = input.text('key') ?? null
      if (keyId !== null && !isUuid(keyId)) throw new UsageError('--key must be a key id.')
      const limit = readListLimit(input.text('limit'))
      return withSession(async ({ pool, config }) => {
        const store = createEvidenceStore(pool, sealingKeyOf(config))
        const data = (await store.list({ keyId, before: null, limit })).map(describeEvidence)
        const rows = data.map((each) => [
          each.id,
          each.at,
          each.key,
          each.endpoint,
          each.model,
          each.categories.join(' '),
        ])
        return { lines: formatTable(['ID', 'AT', 'KEY', 'ENDPOINT', 'MODEL', 'CATEGORIES'], rows), data }
      })
    },
  },
  {
    words: 'evidence show',
    summary: 'Show a blocked prompt with its text. Viewing it is recorded in the audit log.',
    positionals: ['evidence-id'],
    run: (input) =>
      withSession(async ({ pool, config }) => {
        const id = input.argument(0)
        const store = createEvidenceStore(pool, sealingKeyOf(config))
        const { actor, requestId, nowMs } = commandAuthor(Date.now())
        const evidence = isUuid(id) ? await store.open(id, { actor, requestId }, nowMs) : null
        if (evidence === null) throw new GatewayError('notFound', { message: `Blocked prompt ${id} not found.` })
        const listing = describeEvidence(evidence)
        const facts = Object.entries(listing).map(([name, value]) =>
          `${name.padEnd(14)}${String(value ?? '')}`.trimEnd(),
        )
        const data = {
          ...listing,
          partial: evidence.content.isPartial,
          parts: evidence.content.parts.map((part) => ({ ...part })),
        }
        return { lines: [...facts, ...textLines(evidence)], data }
      }),
  },
]

function textLines({ content }: Evidence): string[] {
  const parts = content.parts.flatMap(({ text, start, content: words }) => [
    '',
    `--- text ${text + 1}${start === 0 ? '' : `, from character ${start + 1}`}`,
    showable(words),
  ])
  return content.isPartial ? [...parts, '', '--- truncated: the rest was too long to store'] : parts
}

// A client wrote this text, so control characters must not reach the terminal.
function showable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The metadata of a blocked prompt, without its text. */
function describeEvidence(listing: EvidenceListing) {
  return {
    id: listing.id,
    at: new Date(listing.atMs).toISOString(),
    keptUntil: new Date(listing.expiresAtMs).toISOString(),
    key: listing.keyId,
    user: listing.userId,
    organization: listing.organizationId,
    session: listing.sessionId,
    request: listing.requestId,
    endpoint: listing.endpoint,
    model: listing.model,
    source: listing.source,
    categories: [...listing.categories],
  }
}
