import { join } from 'node:path'
import type { JsonObject } from '#lib/json.ts'

interface NodePlace {
  readonly name: string
  readonly folder: string
  readonly port: number
  readonly apiPort: number
  readonly etcdPort: number
}

const binaries = process.env['WEIR_TEST_POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'

/**
 * The settings of `docs/postgres.md`: the primary and both standbys have every charge while all are present, and
 * nothing is acknowledged without a standby. A machine that is silent for 8 s loses its role: shorter than Patroni's
 * default of 30, because a drill has many failovers.
 */
export function patroniSettings({ name, folder, port, apiPort, etcdPort }: NodePlace): JsonObject {
  return {
    scope: 'weir',
    name,
    log: { level: 'WARNING' },
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    // Each node has its own proxy to etcd, which a drill can cut; etcd's other advertised addresses are ignored.
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: 8,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // A former primary that is not rewound yet confirms data it does not have. With two synchronous standbys, it is
        // never the only one to confirm.
        synchronous_node_count: 2,
        // A former primary must not become the primary again because its old WAL is longer.
        check_timeline: true,
        // Do not wait for a dead primary.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true, use_slots: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      bin_dir: binaries,
      data_dir: join(folder, 'data'),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: {
        unix_socket_directories: folder,
        shared_buffers: '32MB',
        max_connections: 100,
        logging_collector: 'off',
        // In the folder, which is removed with the drill even if Postgres was killed.
        dynamic_shared_memory_type: 'mmap',
      },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  }
}
