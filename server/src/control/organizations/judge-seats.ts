import { membersMax } from '#domain/organizations/organization.ts'
import { malformed } from '#errors/malformed.ts'

/** Null: as many as they like, up to what an organization can have at all. */
export function judgeSeats(seats: number | null): void {
  if (seats === null || (Number.isInteger(seats) && seats > 0 && seats <= membersMax)) return
  throw malformed(`Seats are a whole number from 1 to ${membersMax}.`)
}
