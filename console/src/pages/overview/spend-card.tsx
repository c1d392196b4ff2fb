import { Link } from '@tanstack/react-router'
import { SpendByDay } from '../../app/spend-by-day.tsx'
import { Card } from '../../ui/page.tsx'

/** Daily spend of the last 30 days by model. */
export function SpendCard() {
  return (
    <Card
      title="Spend, last 30 days"
      aside={
        <Link to="/usage" search={{ period: '30d' }} className="text-accent-strong text-sm hover:underline">
          View usage
        </Link>
      }
    >
      <SpendByDay />
    </Card>
  )
}
