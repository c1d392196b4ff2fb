import { Download } from 'lucide-react'
import { useState } from 'react'
import { statementLink } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { addMonths, monthBounds, monthName, utcMonth } from '../../lib/utc-days.ts'
import { buttonClass } from '../../ui/button.tsx'

/** The statements of this month and the one before, as CSV files. */
export function CustomerStatement({ customerId }: { readonly customerId: string }) {
  const wallet = useWallet()
  const [month] = useState(() => utcMonth(Date.now()))
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="text-muted">Cost with your markup, by day (UTC) and model.</p>
      <div className="flex flex-wrap gap-2">
        {[month, addMonths(month, -1)].map((each) => (
          <a
            key={each}
            className={buttonClass()}
            href={statementLink(wallet, customerId, monthBounds(each))}
            download={`statement-${customerId}-${each}.csv`}
          >
            <Download size={16} aria-hidden="true" />
            {monthName(each)} (CSV)
          </a>
        ))}
      </div>
    </div>
  )
}
