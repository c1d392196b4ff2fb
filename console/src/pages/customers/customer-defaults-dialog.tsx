import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { optionalAmountBody } from '../../api/amount-body.ts'
import {
  changeCustomerSettings,
  type CustomerSettings,
  customerSettingsQuery,
  endCustomersKey,
} from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { type CustomerFields, emptyCustomer } from './customer-body.ts'
import { CustomerLimitFields, CustomerMarkupField } from './customer-fields.tsx'
import { basisPointsIn, percentText } from './markup.ts'

/** The markup of customers without their own, and the limits of new customers that requests create. */
export function CustomerDefaultsDialog({ onClose }: { readonly onClose: () => void }) {
  const settings = useQuery(customerSettingsQuery(useWallet()))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Customer defaults"
      description="The limits apply to new customers that requests create. The markup applies to every customer without its own."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="customer-defaults" disabled={settings.data === undefined}>
            Save defaults
          </Button>
        </>
      }
    >
      {settings.error === null ? null : <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data === undefined ? (
        settings.error === null ? (
          <Skeleton className="h-40 w-full" />
        ) : null
      ) : (
        <DefaultsForm of={settings.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

function DefaultsForm({ of: settings, onClose }: { readonly of: CustomerSettings; readonly onClose: () => void }) {
  const wallet = useWallet()
  const client = useQueryClient()
  const form = useForm<CustomerFields>({
    defaultValues: {
      ...emptyCustomer,
      daily: usdText(settings.daily_limit),
      monthly: usdText(settings.monthly_limit),
      total: usdText(settings.total_limit),
      markup: percentText(settings.markup_basis_points),
    },
  })
  const change = useMutation({
    mutationFn: ({ daily, monthly, total, markup }: CustomerFields) =>
      changeCustomerSettings(wallet, {
        daily_limit: optionalAmountBody(daily),
        monthly_limit: optionalAmountBody(monthly),
        total_limit: optionalAmountBody(total),
        markup_basis_points: basisPointsIn(markup) ?? 0,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [endCustomersKey] })
      toast('Defaults saved.')
      onClose()
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  return (
    <form id="customer-defaults" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <CustomerLimitFields form={form} />
      <CustomerMarkupField
        form={form}
        hint="Added to the cost to get your price. Your wallet always pays only the cost."
      />
    </form>
  )
}
