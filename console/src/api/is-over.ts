/** Whether a video is finished: its status and cost no longer change. */
export function isOver({ status }: { readonly status: string }): boolean {
  return status === 'completed' || status === 'failed'
}
