/** What an operator of a database of this size would set. Whatever makes commits durable is as Postgres ships it. */
export const engineSettings = {
  shared_buffers: '2GB',
  effective_cache_size: '6GB',
  random_page_cost: '1.1',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
}
