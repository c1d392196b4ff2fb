/** The day (UTC) that an id of version 7 was made in, as SQL. Requests get theirs when they are accepted. */
export function dayOfId(id: string): string {
  return `(to_timestamp(('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date`
}
