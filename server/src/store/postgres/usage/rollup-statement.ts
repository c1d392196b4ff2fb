import { firstTokenBoundsMs, firstTokenCountsLength } from '#domain/usage/first-token-times.ts'
import { generationSums, sumColumns as sums } from './generation-sums.ts'

const counts = 'first_token_counts'
const positions = Array.from({ length: firstTokenCountsLength }, (_, index) => index)

const own = 'wallet_id, key_id, member_id, team_id, model, provider, app_name, tag_ids'
const account = 'wallet_id, NULL::uuid, NULL::uuid, NULL::uuid, model, NULL::text, app_name, NULL::uuid[]'

// Generations are grouped once, by hour and all other columns. The other tables are sums of these rows.
const grouped = `SELECT date_trunc('hour', started_at AT TIME ZONE 'UTC') AS hour, ${own},
    ${sums.map((sum) => `${generationSums[sum]} AS ${sum}`).join(', ')},
    ARRAY[${positions.map((position) => `count(*) FILTER (WHERE speed = ${position})`).join(', ')}]::integer[] AS ${counts}
  FROM (SELECT *, width_bucket(first_token_ms, ARRAY[${firstTokenBoundsMs.join(', ')}]) AS speed
        FROM generations WHERE settled_position >= $1 AND settled_position < $2) AS settled
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`

/** Adds the generations with positions from $1 and below $2 to all sums, and returns how many there were. */
export const rollupStatement = `WITH batch AS MATERIALIZED (
    SELECT *, ${hashOf(own)} AS series_id, ${hashOf(account)} AS account_series_id
    FROM (${grouped}) AS hours
  ), named AS (
    INSERT INTO usage_series (id, ${own})
    SELECT DISTINCT series_id, ${own} FROM batch b WHERE ${isNew('b.series_id')}
    UNION ALL SELECT DISTINCT account_series_id, ${account} FROM batch b WHERE ${isNew('b.account_series_id')}
  ), hours AS (${addHours()}
  ), days AS (${addTo('usage_days', { day: 'hour::date', series_id: 'series_id' }, [counts])}
  ), months AS (${addTo('usage_months', { month: "date_trunc('month', hour)::date", series_id: 'series_id' })}
  ), account_days AS (${addTo('usage_account_days', { day: 'hour::date', series_id: 'account_series_id' }, [counts])})
  SELECT coalesce(sum(requests), 0) AS rolled_up FROM batch`

// Most series already exist. Each is looked up separately: a join would be planned with outdated statistics of the
// table.
function isNew(id: string): string {
  return `(SELECT s.id FROM usage_series s WHERE s.id = ${id}) IS NULL`
}

// The batch's rows are already by hour and series.
function addHours(): string {
  const columns = ['wallet_id', 'hour', 'series_id', ...sums].join(', ')
  return `
    INSERT INTO usage_hours AS s (${columns}) SELECT ${columns} FROM batch ORDER BY 1, 2, 3
    ON CONFLICT (wallet_id, hour, series_id) DO UPDATE SET ${sums.map(addedSum).join(', ')}`
}

/** `key` maps the columns, besides the wallet, by which the table sums, to their expressions on a row of the batch. */
function addTo(table: string, key: Readonly<Record<string, string>>, arrays: readonly string[] = []): string {
  const names = ['wallet_id', ...Object.keys(key)].join(', ')
  const columns = [names, ...sums, ...arrays].join(', ')
  const values = [
    'wallet_id',
    ...Object.values(key),
    ...sums.map((sum) => `sum(${sum})::bigint`),
    ...arrays.map((array) => `ARRAY[${positions.map((at) => `sum(${array}[${at + 1}])`).join(', ')}]::integer[]`),
  ].join(', ')
  const added = [
    ...sums.map(addedSum),
    ...arrays.map((array) => `${array} = ARRAY[${positions.map((at) => sumAt(array, at + 1)).join(', ')}]`),
  ].join(', ')
  // Sorted, so that rows that are read together are stored together.
  return `
    INSERT INTO ${table} AS s (${columns}) SELECT ${values} FROM batch GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (${names}) DO UPDATE SET ${added}`
}

function addedSum(sum: string): string {
  return `${sum} = s.${sum} + excluded.${sum}`
}

function sumAt(array: string, index: number): string {
  return `s.${array}[${index}] + excluded.${array}[${index}]`
}

// 128 bits of Postgres' own row hash, so different rows do not collide. If the hash ever changed, the same series would
// get two ids from then on, and every sum over them would stay correct.
function hashOf(columns: string): string {
  const half = (seed: number): string => `int8send(hash_record_extended(ROW(${columns}), ${seed}))`
  return `encode(${half(0)} || ${half(1)}, 'hex')::uuid`
}
