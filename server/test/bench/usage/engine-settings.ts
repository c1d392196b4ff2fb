/**
 * The settings that an operator would choose for a database of this size. Durability settings keep the Postgres
 * defaults.
 */
export const engineSettings = {
  shared_buffers: '2GB',
  effective_cache_size: '6GB',
  random_page_cost: '1.1',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
}
