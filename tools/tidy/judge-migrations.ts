import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { tokenizeSql } from '../lib/tokenize-sql.ts'

const rule = 'migration'
const form = /^server\/sql\/migrations\/(?<number>\d{4})_\w+\.sql$/
/** Earlier migrations ran before the rule existed and are never edited. */
const firstJudged = 17

/** Tables that grow with requests, people or time. All others are small enough for any lock. */
const largeTables = new Set(
  `api_keys audit_entries auth_sessions auth_users generations holds key_usage_days lapsed_holds ledger_transfers
  mail_deliveries mail_outbox members payment_events spend_days spend_windows top_up_effects top_ups
  usage_account_days usage_days usage_hours usage_months usage_series users video_jobs wallets webhook_deliveries`.split(
    /\s+/,
  ),
)

const volatile =
  /\b(?:CLOCK_TIMESTAMP|GEN_RANDOM_UUID|RANDOM|NEXTVAL|TIMEOFDAY)\b|\b(?:BIG|SMALL)?SERIAL\b|\bGENERATED\b/

/** Findings about a statement, which is given in capital letters without the table's name. */
const longLocks: readonly { readonly isMeant: (words: string) => boolean; readonly message: string }[] = [
  {
    // On the parent alone it is empty: a worker builds those of the partitions.
    isMeant: (words) => /^CREATE (?:UNIQUE )?INDEX\b(?! \S+ ON ONLY )/.test(words),
    message:
      'an index keeps writers waiting while it is built: build it ahead, in the worker or by hand, see docs/upgrades.md',
  },
  {
    isMeant: (words) => /\bADD (?:CONSTRAINT \S+ )?(?:CHECK|FOREIGN KEY)\b/.test(words) && !words.includes('NOT VALID'),
    message: 'a constraint reads every row under a lock: add it NOT VALID',
  },
  {
    isMeant: (words) =>
      /\bADD (?:CONSTRAINT \S+ )?(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b/.test(words) && !words.includes('USING INDEX'),
    message: 'a key builds its index under a lock: build the index ahead',
  },
  {
    isMeant: (words) => /\bVALIDATE CONSTRAINT\b|\bSET NOT NULL\b/.test(words),
    message: 'every row is read under a lock: let the worker look, and leave the constraint NOT VALID',
  },
  {
    isMeant: (words) => /\bALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/.test(words),
    message: 'the table is written anew under a lock: add a column, fill it in the worker',
  },
  {
    isMeant: (words) => /\bADD (?:COLUMN )?/.test(words) && volatile.test(words),
    message: 'a default that differs by row writes the table anew: add the column without, fill it in the worker',
  },
  {
    isMeant: (words) => /^(?:UPDATE|DELETE FROM)\b/.test(words),
    message: 'rows stay locked until the migration is over: fill them in the worker, page by page',
  },
  { isMeant: (words) => /^(?:CLUSTER|LOCK|TRUNCATE|REINDEX|VACUUM)\b/.test(words), message: 'locks the whole table' },
]

const contraction = /\bDROP (?:TABLE|COLUMN|VIEW|FUNCTION|TYPE)\b|\bRENAME\b/

/**
 * Migrations run while gateways of the previous release keep serving. No migration locks a large table for long. Tables
 * and columns that the previous release reads or writes are dropped one release later, by a migration that says `--
 * contract: <since when nothing needs it>`.
 */
export function judgeMigrations(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (Number(form.exec(path)?.groups?.['number'] ?? 0) < firstJudged) return []
    const made = new Set(statementsOf(text).flatMap(({ words }) => /^CREATE TABLE (\S+)/.exec(words)?.[1] ?? []))
    const isContracting = /^-- contract: \S/m.test(text)
    return statementsOf(text).flatMap(({ words, line }) => {
      const find = (message: string): Finding => ({ rule, path, line, message })
      const large = [...largeTables].find((name) => touches(words, name.toUpperCase()))
      const isNew = [...made].some((name) => touches(words, name))
      const locks = large === undefined || isNew ? [] : longLocks.filter(({ isMeant }) => isMeant(words))
      const takes = !isContracting && contraction.test(words)
      return [
        ...locks.map(({ message }) => find(`${large}: ${message}`)),
        ...(takes ? [find('the release before may still need it: say `-- contract: …` once it does not')] : []),
      ]
    })
  })
}

/** Statements in capital letters, with single spaces. */
function statementsOf(text: string): { words: string; line: number }[] {
  const statements: { words: string[]; start: number }[] = []
  let current: { words: string[]; start: number } | null = null
  for (const token of tokenizeSql(text)) {
    if (token.text === ';') {
      current = null
      continue
    }
    if (current === null) {
      current = { words: [], start: token.start }
      statements.push(current)
    }
    current.words.push(token.text.toUpperCase())
  }
  return statements.map(({ words, start }) => ({
    words: words.join(' ').replace(/\bIF (?:NOT )?EXISTS |(?<!\bON )\bONLY |\bCONCURRENTLY /g, ''),
    line: text.slice(0, start).split('\n').length,
  }))
}

/** Whether the statement changes the table instead of only referencing it. */
function touches(words: string, table: string): boolean {
  return new RegExp(
    `^(?:ALTER TABLE|UPDATE|DELETE FROM|CLUSTER|LOCK(?: TABLE)?|TRUNCATE(?: TABLE)?|REINDEX TABLE|VACUUM(?: FULL)?) ${table}\\b|^CREATE (?:UNIQUE )?INDEX (?:\\S+ )?ON (?:ONLY )?${table}\\b`,
  ).test(words)
}
