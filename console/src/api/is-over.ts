/** Whether a video is finished. The status and cost of a finished video no longer change. */
export function isOver({ status }: { readonly status: string }): boolean {
  return status === 'completed' || status === 'failed'
}
