import { totalmem } from 'node:os'

const MEGABYTE = 1024 * 1024

/**
 * Settings of the embedded server, given at every start, so that they belong to the release and not to the data
 * folder. They fit a small machine (two cores) that the gateway shares; durability is never traded for speed.
 */
export function serverSettings(memory: number = usableMemory()): Record<string, string> {
  const megabytes = Math.floor(memory / MEGABYTE)
  const buffers = Math.min(1024, Math.max(128, Math.floor(megabytes / 8)))
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(megabytes / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: `${Math.min(256, Math.max(64, Math.floor(megabytes / 16)))}MB`,
    max_connections: '60',
    // Data on SSD or in the cache: a random page costs little more than the next one.
    random_page_cost: '1.1',
    effective_io_concurrency: '64',
    // Compiling a plan costs more than any of our queries takes.
    jit: 'off',
    max_parallel_workers_per_gather: '1',
    // Parallel plans first use this memory instead of /dev/shm, which containers limit to 64 MB.
    min_dynamic_shared_memory: '32MB',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.02',
    default_statistics_target: '200',
    idle_in_transaction_session_timeout: '5min',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_min_messages: 'warning',
    // A failed statement is the caller's to log; its text may hold personal data.
    log_min_error_statement: 'panic',
    log_line_prefix: '%m [%p] ',
    cluster_name: 'switchboard',
  }
}

/** Memory of the machine, or of the container when that has less. */
function usableMemory(): number {
  const limit = process.constrainedMemory?.() ?? 0
  return limit > 0 && limit < totalmem() ? limit : totalmem()
}
