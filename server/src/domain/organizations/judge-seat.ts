import { membersMax, type Organization } from './organization.ts'

type SeatVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

/** Whether there is a seat for one more member. */
export function judgeSeat({ seats }: Pick<Organization, 'seats'>, members: number): SeatVerdict {
  const most = Math.min(seats ?? membersMax, membersMax)
  if (members < most) return { allowed: true }
  return {
    allowed: false,
    message: `All ${most} seats are taken. Remove a member, or ask for more seats.`,
  }
}
