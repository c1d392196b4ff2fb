import { auditCsvHeading, auditCsvLine } from '#control/audit/audit-csv.ts'
import { exportAuditLog } from '#control/audit/export-audit-log.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import type { AuditFilter, AuditRecord } from '#ports/audit.ts'
import { createAuditArchive } from '#store/postgres/audit/audit-log.ts'
import type { Command, CommandInput } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { readListLimit, readMoment } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const auditListCommands: readonly Command[] = [
  {
    words: 'audit list',
    summary: "List the platform's audit log, newest first: who changed what.",
    options: {
      actor: { type: 'string', value: '<id|name|email>', description: 'Only changes of this person, key or operator.' },
      action: {
        type: 'string',
        value: '<action>',
        description: 'Only this action, such as `catalogue.import`, or a prefix ending in a dot, such as `catalogue.`.',
      },
      target: {
        type: 'string',
        value: '<id|name>',
        description: 'Only changes of this model, user, organization, provider account or other object.',
      },
      since: { type: 'string', value: '<timestamp>', description: 'Only entries from this time on.' },
      limit: { type: 'string', value: '<n>', description: 'Entries to list. Default 100.' },
      csv: { type: 'boolean', description: 'Print all matching entries as CSV, with the values before and after.' },
    },
    run: (input) =>
      withSession(async ({ pool }) => {
        const archive = createAuditArchive(pool)
        const query = { ...filterOf(input), chainId: platformChain }
        if (input.flag('csv')) {
          const lines = [auditCsvHeading.trimEnd()]
          for await (const batch of exportAuditLog(archive, query)) {
            lines.push(...batch.map((record) => auditCsvLine(record).trimEnd()))
          }
          return { lines }
        }
        const records = await archive.list({ ...query, before: null, limit: readListLimit(input.text('limit')) })
        const rows = records.map((record) => [
          `${record.at.slice(0, 19)}Z`,
          actorText(record),
          record.action,
          targetText(record),
          changeText(record),
        ])
        const data = records.map((record) => ({
          ...record,
          actor: { ...record.actor },
          sequence: String(record.sequence),
        }))
        return { lines: formatTable(['TIME', 'ACTOR', 'ACTION', 'TARGET', 'CHANGE'], rows), data }
      }),
  },
]

function filterOf(input: CommandInput): AuditFilter {
  return {
    action: input.text('action') ?? null,
    actorId: null,
    actor: input.text('actor') ?? null,
    target: input.text('target') ?? null,
    fromMs: readMoment(input.text('since')),
    toMs: null,
  }
}

/** Such as `operator:ada@example.com`, or `user:` with an address. */
function actorText({ actor: { kind, name, id } }: AuditRecord): string {
  const who = name ?? id
  return who === null ? kind : `${kind}:${who}`
}

function targetText({ target }: AuditRecord): string {
  return target === null ? '' : `${target.kind}:${target.id}`
}

/** The values before and after, or what else is known. */
function changeText({ before, after, details }: AuditRecord): string {
  const [old, current] = [before, after].map((values) => (values === null ? '' : JSON.stringify(values)))
  if (old !== '' || current !== '') return [old, current].filter((text) => text !== '').join(' → ')
  return details === null ? '' : JSON.stringify(details)
}
