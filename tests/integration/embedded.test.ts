import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase, resetData } from '../../gateway/platform/database'
import type { Database } from '../../gateway/platform/database'
import { clusterPaths } from '../../gateway/platform/database/embedded/cluster'
import { readPostmaster } from '../../gateway/platform/database/embedded/postmaster'
import { EXIT } from '../../gateway/platform/lifecycle'
import { quietLogger, temporaryFolder } from './testDatabase'

async function start(dataDir: string): Promise<Database> {
  const database = await openDatabase({ dataDir, logger: quietLogger })
  onTestFinished(() => database.close())
  return database
}

const isRoot = process.getuid?.() === 0

describe('the embedded PostgreSQL', () => {
  it('is made with checksums, durable settings and UTF-8, and keeps its data over a restart', async () => {
    const folder = temporaryFolder()
    const database = await openDatabase({ dataDir: folder, logger: quietLogger })
    const { rows } = await database.query(
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums,
         current_setting('server_encoding') as encoding, current_setting('timezone') as zone, current_setting('jit') as jit`,
    )
    expect(rows).toEqual([{ fsync: 'on', commit: 'on', checksums: 'on', encoding: 'UTF8', zone: 'UTC', jit: 'off' }])
    await database.query('create table kept as select 7 as n')
    await database.close()
    expect(readPostmaster(clusterPaths(folder).cluster)).toBeUndefined()
    const again = await start(folder)
    expect((await again.query('select n from kept')).rows).toEqual([{ n: 7 }])
    expect(again.describe()).toMatchObject({ kind: 'embedded', notes: [] })
  })

  it('keeps its password for the owner alone and refuses any other', async () => {
    const folder = temporaryFolder()
    const database = await start(folder)
    const { password, cluster } = clusterPaths(folder)
    expect(statSync(password).mode & 0o777).toBe(0o600)
    expect(readFileSync(password, 'utf8')).toMatch(/^[\w-]{32}$/)
    const rules = await database.query<{ method: string }>(
      'select distinct auth_method as method from pg_hba_file_rules where type is not null',
    )
    expect(rules.rows).toEqual([{ method: 'scram-sha-256' }])
    expect(statSync(cluster).mode & 0o077).toBe(0)
  })

  it.runIf(isRoot)('runs as another user when the gateway is root, also in a folder which that user cannot walk to', async () => {
    const home = temporaryFolder()
    const folder = join(home, 'private', 'data')
    mkdirSync(join(home, 'private'), { mode: 0o700 })
    await start(folder)
    const { pid } = readPostmaster(clusterPaths(folder).cluster)!
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0)
  })

  it('refuses a second gateway on the same folder, naming process and folder', async () => {
    const folder = temporaryFolder()
    await start(folder)
    const script = `import { openDatabase } from './gateway/platform/database/index.ts'
      import { reportStartupError } from './gateway/platform/lifecycle/index.ts'
      openDatabase({ dataDir: process.argv[1], logger: console }).catch((error) => process.exit(reportStartupError(error)))`
    const other = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, folder], {
      encoding: 'utf8',
    })
    expect(other.stderr).toContain(`the data folder ${folder} is in use by another Switchboard (process ${process.pid})`)
    expect(other.status).toBe(EXIT.locked)
  })

  it('takes over the lock of a gateway that died, also when its number belongs to another program now', async () => {
    const folder = temporaryFolder()
    const sleeper = spawn('sleep', ['60'])
    onTestFinished(() => void sleeper.kill())
    const space = JSON.stringify({ pid: sleeper.pid, started: '1', space: 'elsewhere' })
    writeFileSync(join(folder, 'gateway.lock'), space)
    await start(folder)
    expect(readFileSync(join(folder, 'gateway.lock'), 'utf8')).toContain(`"pid":${process.pid}`)
  })

  it('starts although the number in a left postmaster.pid belongs to a living program', async () => {
    const folder = temporaryFolder()
    await (await openDatabase({ dataDir: folder, logger: quietLogger })).close()
    const sleeper = spawn('sleep', ['60'])
    onTestFinished(() => void sleeper.kill())
    const { cluster } = clusterPaths(folder)
    writeFileSync(join(cluster, 'postmaster.pid'), `${sleeper.pid}\n${cluster}\n1\n5432\n.\n\n1 1\nready   \n`)
    const database = await start(folder)
    expect(await database.ping()).toBeGreaterThan(0)
  })

  it('is started again when its process is killed; callers wait for it and listeners are told of the gap', async () => {
    const folder = temporaryFolder()
    const database = await start(folder)
    await database.query('create table kept as select 7 as n')
    const seen: string[] = []
    await database.listen('changes', (payload) => seen.push(payload), { onGap: () => seen.push('gap') })
    process.kill(readPostmaster(clusterPaths(folder).cluster)!.pid, 'SIGKILL')
    await expect
      .poll(
        () =>
          database.query('select n from kept').then(
            ({ rows }) => rows,
            () => 'lost',
          ),
        { timeout: 30_000 },
      )
      .toEqual([{ n: 7 }])
    await expect.poll(() => seen, { timeout: 15_000 }).toContain('gap')
    await database.notify('changes', 'after')
    await expect.poll(() => seen).toContain('after')
  })

  it('loses no acknowledged row and keeps no half of a transaction when the gateway is killed while it writes', async () => {
    const folder = temporaryFolder()
    let acknowledged = -1
    const left: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const writer = spawn(process.execPath, [
        '--import',
        'tsx',
        'tests/integration/support/writer.mts',
        folder,
        String(acknowledged + 2),
      ])
      let output = ''
      writer.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      let complaint = ''
      writer.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
      await expect.poll(() => output.split('\n').length, { timeout: 30_000, message: complaint }).toBeGreaterThan(100)
      writer.kill('SIGKILL')
      await new Promise((done) => writer.once('close', done))
      acknowledged = Number(output.trimEnd().split('\n').at(-1))
      const server = readPostmaster(clusterPaths(folder).cluster)!
      left.push(server.pid)
      // In the last round the machine "loses its power": the server dies too.
      if (round === 2) process.kill(server.pid, 'SIGKILL')
    }
    expect(left[1]).toBe(left[0])
    const database = await start(folder)
    const { rows } = await database.query<{ n: number; halves: number }>(
      'select n, count(*) as halves from pair group by n order by n',
    )
    expect(rows.every(({ halves }) => halves === 2)).toBe(true)
    expect(rows.map(({ n }) => n)).toContain(acknowledged)
    expect(rows.at(-1)!.n).toBeLessThanOrEqual(acknowledged + 1)
    const missing = acknowledged + 1 - rows.filter(({ n }) => n <= acknowledged).length
    // Between the rounds one number is left out on purpose (it may or may not have been written).
    expect(missing).toBeLessThanOrEqual(3)
  })

  it('says in one sentence that its data is damaged, and changes nothing', async () => {
    const folder = temporaryFolder()
    await (await openDatabase({ dataDir: folder, logger: quietLogger })).close()
    const { cluster, home, password } = clusterPaths(folder)
    const control = join(cluster, 'global', 'pg_control')
    const whole = readFileSync(control)
    const refused = {
      name: 'StartupError',
      exitCode: EXIT.damaged,
      message: expect.stringMatching(/^the database in \S+ is damaged.*restore the data folder/),
    }

    truncateSync(control, 100)
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toMatchObject(refused)
    rmSync(control)
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toMatchObject(refused)
    writeFileSync(control, whole.fill(0xff, 0, 64))
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toMatchObject(refused)
    rmSync(password)
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toMatchObject(refused)
    expect(statSync(home).isDirectory()).toBe(true)
  })

  it('says that a folder was made by another major version', async () => {
    const folder = temporaryFolder()
    await (await openDatabase({ dataDir: folder, logger: quietLogger })).close()
    writeFileSync(join(clusterPaths(folder).cluster, 'PG_VERSION'), '17\n')
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toThrow(
      /was made by PostgreSQL 17, this release runs 18/,
    )
  })

  it('says that the data folder is a file or cannot be made', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    for (const dataDir of [file, join(file, 'data')]) {
      await expect(openDatabase({ dataDir, logger: quietLogger })).rejects.toMatchObject({ exitCode: EXIT.cannotWrite })
    }
  })

  it('says that the disk is full', async ({ skip }) => {
    const folder = temporaryFolder()
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=30m', 'tmpfs', folder])
    skip(mounted.status !== 0, 'this user may not mount a small disk')
    onTestFinished(() => void spawnSync('umount', [folder]))
    await expect(openDatabase({ dataDir: folder, logger: quietLogger })).rejects.toMatchObject({
      exitCode: EXIT.cannotWrite,
      message: expect.stringMatching(/the disk that holds .* is full/),
    })
  })

  it('is deleted by a reset, also when a server was left running, but never beside things that are not ours', async () => {
    const folder = temporaryFolder()
    const database = await openDatabase({ dataDir: folder, logger: quietLogger })
    await expect(resetData({ dataDir: folder })).rejects.toThrow(/in use/)
    await database.query('create table kept as select 7 as n')
    await database.close()
    writeFileSync(join(folder, 'thesis.docx'), '')
    await expect(resetData({ dataDir: folder })).rejects.toThrow(/not Switchboard's \(thesis.docx\)/)
    rmSync(join(folder, 'thesis.docx'))
    await resetData({ dataDir: folder })
    const fresh = await start(folder)
    expect((await fresh.query(`select to_regclass('kept') as kept`)).rows).toEqual([{ kept: null }])
  })
})
