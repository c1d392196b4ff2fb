import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { campaignsQuery, type CampaignWish, createCampaign } from '../../api/operator.ts'
import { downloadText } from '../../lib/csv.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { TextField } from '../../ui/field.tsx'

const nothing: CampaignWish = { name: '', amount: '', codes: 1, usesPerCode: 1, endsOn: '' }

/** Creates codes, then shows them once. They are stored only in this component's state. */
export function CreateCampaignDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [key] = useState(() => crypto.randomUUID())
  const form = useForm<CampaignWish>({ defaultValues: nothing })
  const creation = useMutation({
    mutationFn: (wish: CampaignWish) => createCampaign(wish, key),
    onSuccess: () => client.invalidateQueries({ queryKey: campaignsQuery.queryKey }),
    gcTime: 0,
  })
  if (creation.data !== undefined) return <CodesDialog csv={creation.data} onClose={onClose} />
  const submit = form.handleSubmit((wish) => creation.mutate(wish))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create codes"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="create-codes" isBusy={creation.isPending}>
            Create codes
          </Button>
        </>
      }
    >
      <form id="create-codes" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        {creation.error === null ? null : <ErrorNote error={creation.error} />}
        <Fields form={form} />
      </form>
    </Dialog>
  )
}

const whole = {
  valueAsNumber: true,
  min: { value: 1, message: 'Enter 1 or more.' },
  required: 'Enter a number.',
} as const

function Fields({ form: { register, formState } }: { readonly form: UseFormReturn<CampaignWish> }) {
  const { errors } = formState
  return (
    <>
      <TextField
        label="Campaign name"
        hint="Only operators see this name."
        error={errors.name?.message}
        {...register('name', { required: 'Enter a campaign name.' })}
      />
      <TextField
        label="Credit per redemption (USD)"
        inputMode="decimal"
        error={errors.amount?.message}
        {...register('amount', {
          required: 'Enter an amount, such as 5 or 2.50.',
          pattern: { value: /^\d{1,7}(?:\.\d{1,9})?$/, message: 'Enter an amount, such as 5 or 2.50.' },
        })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Number of codes"
          type="number"
          error={errors.codes?.message}
          {...register('codes', { ...whole, max: { value: 10_000, message: 'Enter 10,000 or fewer.' } })}
        />
        <TextField
          label="Redemptions per code"
          type="number"
          hint="Each person can redeem a code once."
          error={errors.usesPerCode?.message}
          {...register('usesPerCode', { ...whole, max: { value: 100_000, message: 'Enter 100,000 or fewer.' } })}
        />
      </div>
      <TextField
        label="Expiration date (UTC)"
        type="date"
        hint="Codes work through the end of this day. Leave empty for no expiration."
        error={errors.endsOn?.message}
        {...register('endsOn')}
      />
    </>
  )
}

function CodesDialog({ csv, onClose }: { readonly csv: string; readonly onClose: () => void }) {
  const [, ...lines] = csv.trim().split(/\r?\n/)
  const codes = lines.map((line) => line.split(',')[0] ?? '')
  return (
    <Dialog
      isOpen
      isAbove
      onClose={onClose}
      title="Save these codes"
      description={`${plural(codes.length, 'code')} created. Weir stores only hashes, so you won't see the codes again.`}
      actions={
        <>
          <Button onClick={() => downloadText('codes.csv', csv)}>Download CSV</Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <CodeBlock code={codes.join('\n')} label="Copy codes" />
    </Dialog>
  )
}
