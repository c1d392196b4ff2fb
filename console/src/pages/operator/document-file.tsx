import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { readDocumentFile } from '../../api/operator.ts'
import { downloadBlob } from '../../lib/csv.ts'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.tsx'

/** Downloads the PDF of a document. */
export function DocumentFile({ number }: { readonly number: string }) {
  const file = useMutation({
    mutationFn: () => readDocumentFile(number),
    onSuccess: (pdf) => downloadBlob(`${number}.pdf`, pdf),
    onError: toastError,
  })
  return (
    <Button
      icon={<Download size={14} aria-hidden="true" />}
      isBusy={file.isPending}
      aria-label={`PDF of ${number}`}
      onClick={() => file.mutate()}
    >
      PDF
    </Button>
  )
}
