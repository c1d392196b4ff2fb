const functions = 'server/test/money/functions'
const place = [`${functions}/place-holds.test.ts`, `${functions}/grow-holds.test.ts`]
const extend = [`${functions}/extend-hold.test.ts`]
const settle = [`${functions}/settle-generations.test.ts`]
const sweep = [`${functions}/sweep-holds.test.ts`]
const alone = [`${functions}/alone.test.ts`]
const stored = [`${functions}/stored-spend.test.ts`]
const balances = [`${functions}/customer-balances.test.ts`]
const locks = [`${functions}/locks.test.ts`]

/** Tests with many concurrent requests run last, for the remaining changes. */
const money = ['server/test/money/organization-properties.test.ts', 'server/test/money/ledger-properties.test.ts']
const partitions = [
  'server/test/usage/partitions.test.ts',
  'server/test/usage/retention.test.ts',
  'server/test/usage/retention-replay.test.ts',
]
const marks = ['server/test/usage/moved-cluster.test.ts', ...partitions]
const audit = ['server/test/audit/audit-chain.test.ts', 'server/test/audit/audit-log.test.ts']

/**
 * The test files for each function, the quickest first. Each file sees only the changes that the files before it did
 * not catch.
 */
export const roundsOf: Readonly<Record<string, readonly string[]>> = {
  is_breaker: [...place, ...money],
  stored_spend: [...stored, ...balances, ...money],
  open_windows: [...place, ...stored, ...locks, ...money],
  place_hold: [...alone, ...place, ...money],
  place_plain_holds: [...alone, ...place, ...locks, ...money],
  place_holds: [...place, ...alone, ...balances, ...locks, ...money],
  extend_hold: [...extend, ...balances, ...locks, ...money],
  settle_plain_generation: [...alone, ...settle, ...locks, ...money],
  settle_plain_generations: [...alone, ...settle, ...locks, ...money],
  settle_generations: [...settle, ...alone, ...balances, ...locks, ...money],
  sweep_holds: [...sweep, ...balances, ...locks, ...money],
  recount_windows: [...stored, ...money],
  first_id_at: partitions,
  ensure_partitions: partitions,
  make_partition: partitions,
  oldest_partition: partitions,
  read_below: partitions,
  drop_old_day: partitions,
  drop_old_month: partitions,
  drop_old_refusals: ['server/test/usage/refusal-store.test.ts'],
  settle_position: marks,
  set_position_offset: marks,
  refuse_rolled_up_positions: marks,
  rebase_positions: marks,
  append_audit: audit,
  audit_hash: audit,
  refuse_audit_change: audit,
  refuse_document_change: ['server/test/payments/documents.test.ts'],
  admit_code_request: ['server/test/institutions/admit-code-request.test.ts'],
  admit_code_attempt: ['server/test/institutions/code-limits.test.ts'],
  keep_code_limits: ['server/test/institutions/code-limits.test.ts'],
  is_prepaid: [...balances, ...money],
  move_customer_balance: balances,
  create_end_customer: ['server/test/end-customers/end-customer-store.test.ts'],
  create_run: ['server/test/runs/run-store.test.ts', 'server/test/runs/runs.test.ts'],
  find_or_create_tag: ['server/test/usage/tags.test.ts'],
}
